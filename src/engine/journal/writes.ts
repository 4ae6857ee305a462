/** The writes of a journal, each with the last record about it. */
import type { Millis } from '../../base/clock.ts';
import type { Json } from '../../base/json.ts';
import { orderNameIn, placesOrders } from '../../exchange/api/meant-order.ts';
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';
import type { Address, Entry, Outcome } from './entry.ts';
import { provenAt, replay } from './replay.ts';

export interface RecordedWrite {
  readonly run: string;
  readonly address: Address;
  /** The profile of the write's account; absent for the run's own. */
  readonly account?: string;
  readonly operation: OperationName;
  readonly input: Json;
  /** The time when the write was last signed. */
  readonly signedAt: Millis;
  /** The outcome of the write; absent while it is unknown. */
  readonly outcome?: Outcome;
}

/**
 * The writes of a journal: one for each address that was sent at least once, in the order of first
 * sending.
 */
export function writesIn(run: string, entries: readonly Entry[]): readonly RecordedWrite[] {
  const known = replay(entries);
  const writes = new Map<Address, RecordedWrite>();
  for (const entry of entries) {
    if (entry.kind !== 'intended' || operationOf(entry.operation).effect === 'read') continue;
    const { address, account, operation, input, signedAt } = entry;
    const { outcome } = provenAt(known, address);
    const own = account === undefined ? {} : { account };
    const outcomeOf = outcome && { outcome };
    writes.set(address, { run, address, ...own, operation, input, signedAt, ...outcomeOf });
  }
  return [...writes.values()];
}

/** The clientOids of orders that were sent, are about to be, or were found to exist already. */
export function namesIn(entries: readonly Entry[]): readonly string[] {
  return entries.flatMap((entry) => {
    return orderNameIn(orderIn(entry)) ?? [];
  });
}

/** An order that was found has no intent in a run that did not send it. */
function orderIn(entry: Entry): Json | undefined {
  if (entry.kind === 'intended') return placesOrders(entry.operation) ? entry.input : undefined;
  if (entry.kind !== 'settled' || entry.outcome.kind !== 'done') return undefined;
  const { evidence, output } = entry.outcome;
  return evidence === 'answered' ? undefined : output; // its intent has the name
}
