/** Whether the lists of an account can be trusted, determined by looking up the first accepted order. */
import { InternalError } from '../../base/error.ts';
import { visibility } from '../../exchange/api/promises.ts';
import { lineKey, tradedLines, type ListedLine } from '../../exchange/api/meant-order.ts';
import { lookupText, readFailed } from '../journal/doubt.ts';
import type { Destination } from '../journal/entry.ts';
import type { Visibility } from '../journal/visible.ts';
import { accountOf } from '../journal/account.ts';
import { mustShow, visibilitiesOf, weight, type Visibilities } from '../journal/visibility.ts';
import { InterruptedError } from '../interpreter/durable.ts';
import type { Answered, EffectContext, Shown, OrderVisibilities } from './effect-context.ts';
import { reconcile } from './reconcile.ts';
import { isUnreadable, wordsOfRead } from './unreadable.ts';

export function visibilitiesFor(
  runId: string,
  accounts: readonly Destination[],
  known: Visibilities,
): OrderVisibilities {
  const stopping = new AbortController();
  const all = new Map(
    accounts.map((destination) => {
      const account = accountOf(destination);
      const { profile } = destination;
      const lines = [...linesOf(destination)].map((line): [string, ListsVisibility] => {
        const learned = visibilitiesOf(destination, known).get(line)?.orders ?? 'unknown';
        const orders = mustShow(destination) ? learned : 'listed';
        const whose = { account, line, profile, runId };
        return [line, new ListsVisibility(whose, orders, stopping.signal)];
      });
      return [account, new Map(lines)];
    }),
  );
  const everyLine = (): ListsVisibility[] =>
    [...all.values()].flatMap((lines) => [...lines.values()]);
  return {
    of: (destination) => {
      const lines = all.get(accountOf(destination));
      const visibilityOf = (line: ListedLine): ListsVisibility => {
        const visibility = lines?.get(lineKey(line));
        if (visibility === undefined) throw new InternalError(`${destination.profile} is not open`);
        return visibility;
      };
      return {
        isListed: (line) => visibilityOf(line).isListed(),
        known: (line) => visibilityOf(line).known(),
        answered: (order, context) => visibilityOf(order.placed).answered(order, context),
        shown: (order, context) => visibilityOf(order.on).shown(order, context),
      };
    },
    ended: async () => {
      for (const visibility of everyLine()) await visibility.ended();
    },
    stop: () => stopping.abort(new InterruptedError()),
  };
}

/** The lines of an account; those of its operations before its profile had a family, too. */
function linesOf({ family }: Destination): ReadonlySet<string> {
  return new Set([...tradedLines(undefined), ...tradedLines(family)].map(([name]) => name));
}

interface Whose {
  readonly account: string;
  /** The product line in the lists of the account. */
  readonly line: string;
  readonly profile: string;
  readonly runId: string;
}

const looksMax = 3; // lookups per process without a result: each further one would fail, too

class ListsVisibility {
  readonly #whose: Whose;
  readonly #stop: AbortSignal;
  #orders: Visibility['orders'];
  #left = looksMax;
  #isLooking = false;
  /** The last lookup; its error is reported when the run ends. */
  #look: Promise<void> = Promise.resolve();

  constructor(whose: Whose, orders: Visibility['orders'], stop: AbortSignal) {
    this.#whose = whose;
    this.#orders = orders;
    this.#stop = stop;
  }

  isListed(): boolean {
    return this.#orders === 'listed';
  }

  async known(): Promise<Visibility['orders']> {
    await this.#look.catch(() => undefined);
    return this.#orders;
  }

  answered(order: Answered, context: EffectContext): void {
    if (this.#orders === 'listed' || this.#isLooking || this.#left === 0) return;
    this.#left -= 1;
    this.#isLooking = true;
    this.#look = this.#lookUp(order, context).finally(() => {
      this.#isLooking = false;
    });
    this.#look.catch(() => undefined);
  }

  async shown({ order, address }: Shown, context: EffectContext): Promise<void> {
    if (this.#orders === 'listed') return;
    const { clientOid, orderId } = order;
    const { runId: run } = this.#whose;
    await this.#learn({ orders: 'listed', order: { run, address, clientOid, orderId } }, context);
  }

  ended(): Promise<void> {
    return this.#look;
  }

  /** Orders continue meanwhile, and an interrupted lookup proves nothing. */
  async #lookUp(
    { address, placed, orderId, signed }: Answered,
    around: EffectContext,
  ): Promise<void> {
    const halt = AbortSignal.any([around.halt, around.drain, this.#stop]);
    const context = { ...around, halt };
    const { runId: run } = this.#whose;
    const order = { run, address, clientOid: placed.name, ...(orderId && { orderId }) };
    const nothing = (because: string): Promise<void> =>
      this.#learn({ orders: 'unknown', order, because }, context);
    try {
      const lookup = {
        meant: placed,
        signed,
        address,
        forMs: visibility,
        isOfLists: true,
      } as const;
      const finding = await reconcile(lookup, context);
      if (finding.kind === 'found') {
        const { orderId: other } = finding.order;
        const isOurs = orderId === '' || other === orderId;
        if (isOurs) return await this.shown({ order: finding.order, on: placed, address }, context);
        return await nothing(`the lists show it as order ${other}`);
      }
      if (halt.aborted) return;
      if (finding.kind === 'unknown') return await nothing(lookupText(finding.lookup));
      this.#left = 0; // it is reported; the next run looks it up again
      const because = lookupText(finding.lookup);
      await this.#learn({ orders: 'unlisted', order, because }, context);
    } catch (error) {
      if (halt.aborted) return;
      if (!isUnreadable(error)) throw error;
      await nothing(readFailed('the exchange’s time', wordsOfRead(error)));
    }
  }

  async #learn(
    learned: Pick<Visibility, 'orders' | 'order' | 'because'>,
    { exchange, record, halt }: EffectContext,
  ): Promise<void> {
    if (weight(learned) > weight({ orders: this.#orders })) this.#orders = learned.orders;
    const { account, line, profile } = this.#whose;
    const time = await exchange.serverTime(halt);
    await record({ kind: 'visibility', account, line, profile, time, ...learned });
  }
}
