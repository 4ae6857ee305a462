/** What happened at a time in the history of a playbook or of a schedule: a run, or an occurrence without one. */
import { integer, optional, record, text, type Infer } from '../../../exchange/api/schema.ts';
import { stateWord } from '../../../report/states.ts';
import type { Desk } from '../desk.ts';
import type { Selected } from '../run-filter.ts';
import type { RunRow } from '../run-row.ts';
import type { Past } from '../schedules/view.ts';
import { moment } from '../shapes.ts';

export const historyItem = record({
  at: moment('When the run started, or the occurrence of the schedule'),
  until: optional(moment('The last of several occurrences')),
  state: text({ description: 'Of the run, or `missed`, `left` or `paused`' }),
  text: text({ description: 'What the run did, or why there is none' }),
  run: optional(text()),
  tookMs: optional(moment('Without the pauses between its attempts')),
  orders: optional(integer({ minimum: 0, description: 'Number of orders that it placed' })),
  rows: optional(integer({ minimum: 0, description: 'Number of rows that it exported' })),
});

export type HistoryItem = Infer<typeof historyItem>;

/** An event without its details: of many thousand runs only this part is made. */
export interface Happened extends Pick<HistoryItem, 'at' | 'until' | 'state'> {
  readonly item: () => HistoryItem;
}

/** A run in the history of its playbook. */
export function runHappened(runs: Selected, place: number, desk: Pick<Desk, 'runs'>): Happened {
  const state = stateOf({ doubts: runs.doubts(place), state: runs.state(place) });
  return { at: runs.startedAt(place), state, item: () => itemOfRun(runs.row(place), desk) };
}

/** An occurrence in the history of its schedule, with the present state of its run. */
export function occurrenceHappened(past: Past, desk: Pick<Desk, 'runs'>): Happened {
  const item = itemOfOccurrence(past, desk);
  return { ...item, item: () => item };
}

function stateOf({ doubts, state }: Pick<RunRow, 'doubts' | 'state'>): string {
  return doubts > 0 && state !== 'running' ? 'doubt' : state;
}

function itemOfRun(row: RunRow, { runs }: Pick<Desk, 'runs'>): HistoryItem {
  const { startedAt, run, what, tookMs } = row;
  const { orders = 0, rows = 0 } = runs.extent(run) ?? {};
  return { at: startedAt, state: stateOf(row), text: what, run, tookMs, orders, rows };
}

function itemOfOccurrence(past: Past, desk: Pick<Desk, 'runs'>): HistoryItem {
  const { kind, from, to, text: words, run } = past;
  const row = run === undefined ? undefined : desk.runs.row(run);
  if (row !== undefined) return { ...itemOfRun(row, desk), at: from };
  return {
    at: from,
    ...(to !== from && { until: to }),
    state: kind,
    text: words === stateWord(kind) ? '' : words,
    ...(run !== undefined && { run }),
  };
}
