/** The source of a file's rows, for its manifest. */
import { digestOf } from '../../../base/json.ts';
import { operationOf, type OperationName } from '../../../exchange/api/operations/index.ts';
import type { Clamp, Origin, TimeWindow } from '../../export/manifest.ts';
import type { Row } from '../../../exchange/api/listing.ts';
import { asDeclared } from '../../../exchange/api/schema.ts';
import type { Entry } from '../../journal/entry.ts';
import type { ExportTotals } from './totals.ts';

/** @param began the journal entry with which the export started */
export function originOf(
  { operation, input }: { readonly operation: OperationName; readonly input: Row },
  began: Pick<Extract<Entry, { readonly kind: 'reading' }>, 'asked' | 'time'>,
  tally: ExportTotals,
): Origin {
  const { time } = began;
  const { window } = operationOf(operation);
  const covered = tally.covered
    .map(({ from, to }) => ({ from, to: Math.min(to, time) }))
    .filter(({ from, to }) => from <= to);
  const asked = began.asked && sinceKept(began.asked, covered, window && input[window.start]);
  const fields = Object.entries(input).filter(
    ([name]) => name !== window?.start && name !== window?.end,
  );
  return {
    operation,
    input: Object.fromEntries(fields),
    ...(asked && { asked }),
    covered,
    clamps: asked ? clampsOf(asked, covered) : [],
    pages: tally.pages,
    duplicatesDropped: tally.duplicates,
    exchangeTime: time,
    contract: digestOf(asDeclared(operationOf(operation).output.json)),
  };
}

/**
 * The window that the manifest states: without a start, all data kept at the time of sending is
 * requested, a moment after the windows were computed.
 */
function sinceKept(asked: TimeWindow, [first]: readonly TimeWindow[], start: unknown): TimeWindow {
  return start === undefined && first ? { ...asked, from: first.from } : asked;
}

function clampsOf(asked: TimeWindow, covered: readonly TimeWindow[]): Clamp[] {
  const [first, last] = [covered[0], covered.at(-1)];
  const clamps: Clamp[] = [];
  if (first && first.from > asked.from) {
    clamps.push({ bound: 'from', asked: asked.from, used: first.from, because: 'not kept' });
  }
  if (last && last.to < asked.to) {
    clamps.push({ bound: 'to', asked: asked.to, used: last.to, because: 'not over' });
  }
  return clamps;
}
