/** How far the lists of an account can be trusted: learned by looking up the first answered order. */
import type { Millis } from '../base/clock.ts';
import { InternalError, messageOf } from '../base/error.ts';
import type { Input } from '../contract/operations/index.ts';
import { visibility } from '../contract/promises.ts';
import type { Destination, Visibility } from '../journal/entry.ts';
import { accountOf } from '../journal/account.ts';
import { mustShow, weight, type Visibilities } from '../journal/visibility.ts';
import type { Order } from '../plan/orders.ts';
import { InterruptedError } from '../run/durable.ts';
import type { Bench } from './bench.ts';
import { isUnreadable, reconcile } from './reconcile.ts';

/**
 * One account's lists, as far as they are known. That an order is not in them says something only
 * where they show what is placed at all.
 */
export interface Sight {
  /** Waits for a look that is under way. */
  known(): Promise<Visibility['orders']>;
  /** An order was answered: it is looked up, beside the run, when that teaches anything. */
  answered(order: Answered, bench: Bench): void;
  /** A list has shown an order. @throws DiskError */
  shown(order: Order, address: string, bench: Bench): Promise<void>;
}

export interface Answered {
  readonly address: string;
  readonly placed: Input<'futures/place-order'>;
  /** As it was answered; none when an order that closes had nothing left to close. */
  readonly orderId: string;
  /** When each attempt was signed, oldest first; never empty. */
  readonly signedAt: readonly Millis[];
}

/** The lists of every account of a run. */
export interface Sights {
  readonly of: (destination: Destination) => Sight;
  /** Resolves when nothing is looked up any more. @throws DiskError */
  readonly ended: () => Promise<void>;
  /** The run ended otherwise: looks under way end without a word. */
  readonly stop: () => void;
}

export function sightsOf(
  runId: string,
  accounts: readonly Destination[],
  known: Visibilities,
): Sights {
  const stopping = new AbortController();
  const all = new Map(
    accounts.map((destination) => {
      const account = accountOf(destination);
      const orders = mustShow(destination) ? (known.get(account)?.orders ?? 'unknown') : 'listed';
      const { profile } = destination;
      return [account, new AccountSight({ account, profile, runId }, orders, stopping.signal)];
    }),
  );
  return {
    of: (destination) => {
      const sight = all.get(accountOf(destination));
      if (sight === undefined) throw new InternalError(`nobody opened ${destination.profile}`);
      return sight;
    },
    ended: async () => {
      for (const sight of all.values()) await sight.ended();
    },
    stop: () => stopping.abort(new InterruptedError()),
  };
}

interface Whose {
  readonly account: string;
  readonly profile: string;
  readonly runId: string;
}

const looksMax = 3; // of one life, when they tell nothing: each order would ask in vain

class AccountSight implements Sight {
  readonly #whose: Whose;
  readonly #stop: AbortSignal;
  #orders: Visibility['orders'];
  #left = looksMax;
  #isLooking = false;
  /** The last look; an error of it is told when the run ends. */
  #look: Promise<void> = Promise.resolve();

  constructor(whose: Whose, orders: Visibility['orders'], stop: AbortSignal) {
    this.#whose = whose;
    this.#orders = orders;
    this.#stop = stop;
  }

  async known(): Promise<Visibility['orders']> {
    await this.#look.catch(() => undefined);
    return this.#orders;
  }

  answered(order: Answered, bench: Bench): void {
    if (this.#orders === 'listed' || this.#isLooking || this.#left === 0) return;
    this.#left -= 1;
    this.#isLooking = true;
    this.#look = this.#lookUp(order, bench).finally(() => {
      this.#isLooking = false;
    });
    this.#look.catch(() => undefined);
  }

  async shown({ clientOid, orderId }: Order, address: string, bench: Bench): Promise<void> {
    if (this.#orders === 'listed') return;
    const { runId: run } = this.#whose;
    await this.#learn({ orders: 'listed', order: { run, address, clientOid, orderId } }, bench);
  }

  ended(): Promise<void> {
    return this.#look;
  }

  /** Orders go on meanwhile, and nothing is learned of one that was not looked for to the end. */
  async #lookUp({ address, placed, orderId, signedAt }: Answered, around: Bench): Promise<void> {
    const halt = AbortSignal.any([around.halt, around.drain, this.#stop]);
    const bench = { ...around, halt };
    const { runId: run } = this.#whose;
    const order = { run, address, clientOid: placed.clientOid ?? '', ...(orderId && { orderId }) };
    const nothing = (because: string): Promise<void> =>
      this.#learn({ orders: 'unknown', order, because }, bench);
    try {
      const until = (await bench.exchange.serverTime(halt)) + visibility;
      const finding = await reconcile(placed, signedAt, address, bench, until);
      if (finding.kind === 'found') {
        const { orderId: other } = finding.order;
        const isOurs = orderId === '' || other === orderId;
        if (isOurs) return await this.shown(finding.order, address, bench);
        return await nothing(`the lists show it as order ${other}`);
      }
      if (halt.aborted) return;
      if (finding.kind === 'unknown') return await nothing(finding.because);
      this.#left = 0; // it is told; the next run looks again
      const because = `not in ${finding.evidence}`;
      await this.#learn({ orders: 'unlisted', order, because }, bench);
    } catch (error) {
      if (halt.aborted) return;
      if (!isUnreadable(error)) throw error;
      await nothing(messageOf(error));
    }
  }

  async #learn(
    learned: Pick<Visibility, 'orders' | 'order' | 'because'>,
    { exchange, record, halt }: Bench,
  ): Promise<void> {
    if (weight(learned) > weight({ orders: this.#orders })) this.#orders = learned.orders;
    const { account, profile } = this.#whose;
    const time = await exchange.serverTime(halt);
    await record({ kind: 'visibility', account, profile, time, ...learned });
  }
}
