/** The orders that writes of a record ended themselves: their end is not a difference. */
import { orderNameIn } from '../../exchange/api/meant-order.ts';
import { endedBy } from '../../exchange/api/operations/index.ts';
import type { RecordedWrite } from '../journal/writes.ts';

/** Orders that later writes ended, by their names, each with the address of the write. */
export type EndedOrders = ReadonlyMap<string, string>;

export function endedIn(writes: readonly RecordedWrite[]): EndedOrders {
  const ended = writes.flatMap(({ operation, address, outcome }): [string, string][] => {
    if (endedBy(operation) === undefined || outcome?.kind !== 'done') return [];
    const name = orderNameIn(outcome.output);
    return name === undefined ? [] : [[name, address]];
  });
  return new Map(ended);
}

/** Whether a write ended an order for certain: the line of the order says so. */
export function isEndOf({ operation, outcome }: RecordedWrite): boolean {
  return endedBy(operation) !== undefined && outcome?.kind === 'done';
}
