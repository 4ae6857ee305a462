/** A person's statement that a write does not exist, compared with the exchange. */
import { second, type Millis } from '../../base/clock.ts';
import { exits } from '../../base/error.ts';
import { spoken } from '../../base/text.ts';
import { meantOrder, placesOrders } from '../../exchange/api/meant-order.ts';
import type { Exchange, TimeWatch } from '../../exchange/api/exchange.ts';
import { visibility } from '../../exchange/api/promises.ts';
import type { Outcome, PersonsWord } from '../journal/entry.ts';
import type { Intent } from './doubts.ts';
import { readable } from '../plan/order-row.ts';
import { isAlike } from '../plan/found-orders.ts';
import {
  EvidenceError,
  look,
  type Looked,
  type Opened,
  type ShownOrder,
  type Witness,
} from './evidence.ts';
import { Fence, type Signed } from './fence.ts';

/**
 * Checks a person's statement that an order is absent. It is accepted only when no delayed copy of the
 * order can still be accepted, and two later searches, further apart than an order may be missing from
 * the lists, do not show it: see `reconcile`.
 */
export async function absent(
  intent: Intent,
  signed: readonly Signed[],
  witness: Witness,
): Promise<{ readonly outcome: Outcome; readonly note?: string }> {
  const notes: string[] = [];
  for (const account of witness.accounts) {
    const { exchange } = account;
    const watch = exchange.watchTime();
    try {
      await refuseUnlessAbsent(intent, signed, { ...witness, account, watch });
      if (watch.dispute() > 0) notes.push(disputed(watch.dispute()));
    } finally {
      watch.end();
    }
  }
  const outcome = saidAbsent(witness.person);
  const [note] = notes;
  return { outcome, ...(note !== undefined && { note }) };
}

/** The outcome of a write that a person stated to be absent: it is looked up again before it is sent. */
export function saidAbsent(person: PersonsWord): Outcome {
  return {
    kind: 'failed',
    code: 'absent',
    message: 'a person recorded that it does not exist',
    hint: 'resume the run: it is looked up again, then sent again',
    exit: exits.stopped,
    person,
  };
}

interface Asked extends Witness {
  readonly account: Opened;
  readonly watch: TimeWatch;
}

/**
 * Checks that an order is absent.
 * @throws EvidenceError when it may still be accepted, exists, or cannot be searched
 */
async function refuseUnlessAbsent(
  { operation, input, address }: Intent,
  signed: readonly Signed[],
  { account, watch, clock, target, signal }: Asked,
): Promise<void> {
  const fence = new Fence(signed, { clock, watch, target });
  const { exchange, destination } = account;
  const meant = placesOrders(operation)
    ? meantOrder(operation, input, destination.family)
    : undefined;
  let pastSince = Infinity; // the first search past the fence
  for (;;) {
    const now = await exchange.serverTime(signal);
    const began = clock.monotonic();
    const looked = meant
      ? await look({ operation, input }, signed, { accounts: [account], signal })
      : await askTime(exchange, signal);
    // The responses of the lookup count, too: one from the future would otherwise end the wait.
    const left = Math.max(fence.at - now, fence.left(began));
    if (left >= 0) {
      const isHere = now > fence.at && fence.at < (watch.earliest(began) ?? 0);
      if (!isHere || !fence.isWallBehind) throw tooEarly(left, watch);
      await clock.sleep(fence.leftHere(clock.monotonic()) + 1, signal);
      continue;
    }
    const ours = looked.orders.find(mayBe)?.order;
    if (ours !== undefined) {
      const hint = `use --placed ${ours.orderId} instead`;
      const what = readable(ours, 'clientOid') === undefined ? 'may be' : 'is there, as';
      throw new EvidenceError(`${address} ${what} order ${ours.orderId}`, hint);
    }
    if (looked.unreadable === undefined) {
      pastSince = Math.min(pastSince, began);
      const again = visibility - (began - pastSince);
      if (meant === undefined || again < 0) return; // for the others only the time was read
      await clock.sleep(again + 1, signal);
      continue;
    }
    const hint = 'check in another way; --placed and --abandon need no list';
    throw new EvidenceError(looked.unreadable, hint);
  }
}

/**
 * Whether an order may be the meant one: it has the same name, or it is alike and its name cannot be
 * read.
 */
function mayBe({ order, meant }: ShownOrder): boolean {
  const name = readable(order, 'clientOid');
  return name === undefined ? isAlike(order, meant) : name === meant.name;
}

function tooEarly(left: Millis, watch: TimeWatch): EvidenceError {
  const apart = watch.dispute();
  const why = apart > 0 ? `; ${disputed(apart)}` : '';
  return new EvidenceError(
    `the exchange may accept it for another ${spoken(left + second)}${why}`,
    'wait, check again, then record it',
  );
}

function disputed(ms: Millis): string {
  return `the times of two responses differ by ${spoken(ms)}`;
}

/** Asks the exchange's time; for a write that no list shows, nothing else is read. */
async function askTime(exchange: Exchange, signal: AbortSignal): Promise<Looked> {
  await exchange.call('market/list-discount-rates', {}, { signal });
  return { orders: [] };
}
