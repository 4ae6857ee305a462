/** Compares a journal with the orders of the exchange: duplicates, losses, and unreported orders. */
import { keyIn, orderIdFrom, placesOrders } from '../../exchange/api/meant-order.ts';
import type { Entry, Outcome } from '../../engine/journal/entry.ts';
import type { BookRecord } from '../tests/world-books.ts';

export interface RehearsalVerdict {
  /** Orders that were placed more than once. */
  readonly twice: readonly string[];
  /** Orders that are reported as placed, but are not on the exchange. */
  readonly lost: readonly string[];
  /** Orders that are on the exchange, but reported as refused, failed, or not at all. */
  readonly unreported: readonly string[];
}

/**
 * Compares the end of a run with the exchange.
 * @param orders every order of the run's accounts, open and closed
 */
export function compareWithExchange(
  entries: readonly Entry[],
  orders: readonly BookRecord[],
): RehearsalVerdict {
  const sent = new Map<string, string>();
  const outcomes = new Map<string, Outcome>();
  for (const entry of entries) {
    if (entry.kind === 'settled') outcomes.set(entry.address, entry.outcome);
    if (entry.kind !== 'intended' || !placesOrders(entry.operation)) continue;
    const clientOid = keyIn(entry.operation, entry.input);
    if (clientOid !== undefined) sent.set(clientOid, entry.address);
  }
  const verdict = { twice: [] as string[], lost: [] as string[], unreported: [] as string[] };
  for (const [clientOid, address] of sent) {
    const there = orders.filter((order) => order['clientOid'] === clientOid);
    const outcome = outcomes.get(address);
    if (there.length > 1) verdict.twice.push(`${address} was placed ${there.length} times`);
    if (outcome?.kind === 'done') {
      const orderId = orderIdFrom(outcome.output);
      if (!there.some((order) => order['orderId'] === orderId)) {
        verdict.lost.push(`${address} is reported as placed, but is not on the exchange`);
      }
    } else if (there.length > 0 && outcome?.kind !== 'doubt') {
      verdict.unreported.push(
        `${address} is on the exchange, but is reported as ${outcome?.kind ?? 'nothing'}`,
      );
    }
  }
  return verdict;
}
