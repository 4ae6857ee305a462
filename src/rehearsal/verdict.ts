/** What must never be, by the exchange's own books: doubles, losses, and orders nobody tells of. */
import { isRecord } from '../base/json.ts';
import type { Entry, Outcome } from '../journal/entry.ts';
import type { OrderRecord } from './orders.ts';

export interface Verdict {
  /** Orders there are more than one of. */
  readonly twice: readonly string[];
  /** Told as placed, and not there. */
  readonly lost: readonly string[];
  /** There, and told as refused, as failed, or not at all. */
  readonly untold: readonly string[];
}

/** @param orders every order of the run's accounts, open and closed */
export function judge(entries: readonly Entry[], orders: readonly OrderRecord[]): Verdict {
  const sent = new Map<string, string>();
  const outcomes = new Map<string, Outcome>();
  for (const entry of entries) {
    if (entry.kind === 'settled') outcomes.set(entry.address, entry.outcome);
    if (entry.kind !== 'intended' || entry.operation !== 'futures/place-order') continue;
    const clientOid = isRecord(entry.input) ? entry.input['clientOid'] : undefined;
    if (typeof clientOid === 'string') sent.set(clientOid, entry.address);
  }
  const verdict = { twice: [] as string[], lost: [] as string[], untold: [] as string[] };
  for (const [clientOid, address] of sent) {
    const there = orders.filter((order) => order['clientOid'] === clientOid);
    const outcome = outcomes.get(address);
    if (there.length > 1) verdict.twice.push(`${address} was placed ${there.length} times`);
    if (outcome?.kind === 'done') {
      const orderId = isRecord(outcome.output) ? outcome.output['orderId'] : undefined;
      if (!there.some((order) => order['orderId'] === orderId)) {
        verdict.lost.push(`${address} is told as placed, and is not there`);
      }
    } else if (there.length > 0 && outcome?.kind !== 'doubt') {
      verdict.untold.push(`${address} is there, and is told as ${outcome?.kind ?? 'nothing'}`);
    }
  }
  return verdict;
}
