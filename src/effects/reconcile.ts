/** Finds out what became of an order whose answer was lost, without ever sending it again. */
import { second, type Millis } from '../base/clock.ts';
import { messageOf } from '../base/error.ts';
import { count } from '../base/text.ts';
import type { Input } from '../contract/operations/index.ts';
import { AnswerError, RefusedError, UnavailableError } from '../contract/exchange.ts';
import { validity, visibility } from '../contract/promises.ts';
import { NoProgressError } from '../contract/progress.ts';
import { keptSince } from '../contract/windows.ts';
import type { Bench } from './bench.ts';
import { differenceTo, findOrder, type Order } from '../plan/orders.ts';

/** What looking found. `absent` is strong evidence, not proof. */
export type Finding =
  | { readonly kind: 'found'; readonly order: Order }
  | { readonly kind: 'absent'; readonly evidence: string }
  | { readonly kind: 'unknown'; readonly because: string };

const between = 3 * second; // pause between two looks
const skew = 60 * second; // how far before the first signature history is read

/** The last moment at which a copy under way could still be accepted, and not yet show. */
export function fenceOf(signedAt: readonly Millis[]): Millis {
  return Math.max(...signedAt) + validity + visibility;
}

/** From when on the order may stand in the history. */
export function searchFrom(signedAt: readonly Millis[]): Millis {
  return Math.min(...signedAt) - skew;
}

/**
 * Looks for the order until it shows or until the exchange's own clock has passed the last moment
 * at which a copy under way could still have been accepted. Lists may lag, so one look that finds
 * nothing is never believed, however late it comes: an order that is filled at that moment may have
 * left the one list and not reached the other.
 * @param signedAt when each attempt was signed, oldest first; never empty
 * @param until where given, looks are made until the exchange's clock is past this, and at least one
 */
export async function reconcile(
  placed: Input<'futures/place-order'>,
  signedAt: readonly Millis[],
  address: string,
  bench: Bench,
  until?: Millis,
): Promise<Finding> {
  const clientOid = placed.clientOid ?? '';
  const since = searchFrom(signedAt);
  const search = { category: placed.productType, since, signal: bench.halt };
  let last = until;
  for (let looks = 1; ; looks++) {
    try {
      // Asked before the look: what the look does not show was not there at this moment.
      const now = await bench.exchange.serverTime(bench.halt);
      last ??= Math.max(fenceOf(signedAt), now + visibility);
      const order = await findOrder(bench.exchange, clientOid, search);
      if (order !== undefined) return judge(order, placed);
      if (since < keptSince('order/list-history', now)) {
        return { kind: 'unknown', because: 'the history does not reach back to when it was sent' };
      }
      if (now > last) {
        const evidence = `${count(looks, 'look')} at open and history orders until ${new Date(now).toISOString()}`;
        return { kind: 'absent', evidence };
      }
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      return { kind: 'unknown', because: `the lists cannot be read: ${messageOf(error)}` };
    }
    if (bench.drain.aborted) {
      return { kind: 'unknown', because: 'interrupted before the lists could prove anything' };
    }
    await bench.record({
      kind: 'waited',
      address,
      operation: 'order/list-open',
      why: 'look-up',
      ms: between,
      because: `clientOid ${clientOid} is not there yet`,
    });
    await bench.clock.sleep(between, bench.halt);
  }
}

function judge(order: Order, placed: Input<'futures/place-order'>): Finding {
  const difference = differenceTo(order, placed);
  if (difference === undefined) return { kind: 'found', order };
  return {
    kind: 'unknown',
    because: `clientOid ${order.clientOid} belongs to another order (${order.orderId}): ${difference}`,
  };
}

/** The exchange said nothing of what was asked: neither that it is there nor that it is not. */
export function isUnreadable(error: unknown): boolean {
  return (
    error instanceof RefusedError ||
    error instanceof UnavailableError ||
    error instanceof AnswerError ||
    error instanceof NoProgressError
  );
}
