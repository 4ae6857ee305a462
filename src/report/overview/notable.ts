/** Which listed runs may need a person: all but those that are over without a doubt. */
import type { ListedSummary } from './listed-summary.ts';
import type { ListedTable } from './listed-table.ts';

/** Whether a run of the table may need a person. */
export function isNotable(table: ListedTable, place: number): boolean {
  return !isOver(table.statusAt(place)) || table.doubtsAt(place) > 0 || table.asksAt(place);
}

/** Whether a block may have such a run. */
export function mayBeNotable({ statuses, mayAsk }: ListedSummary): boolean {
  return mayAsk || statuses?.every(isOver) !== true;
}

function isOver(status: string): boolean {
  return status === 'done' || status === 'stopped';
}
