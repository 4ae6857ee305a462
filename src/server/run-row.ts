/** A run as a row of a list, and the text by which it is found. */
import { choice, integer, list, optional, record, text, type Infer } from '../api/schema.ts';
import type { Millis } from '../base/clock.ts';
import { plainText } from '../base/text.ts';
import type { Destination, Entry } from '../journal/entry.ts';
import type { JournalError } from '../journal/error.ts';
import type { RunHeader } from '../journal/header.ts';
import { recordedDoubts } from '../report/answers.ts';
import { runStatuses } from '../report/run-status.ts';
import { storyOf } from '../report/story.ts';
import { summaryOfStory, type Summary } from '../report/summary.ts';
import { moment } from './shapes.ts';

export const rowStates = ['running', ...runStatuses] as const;

export const runRow = record({
  desk: text(),
  run: text(),
  playbook: text(),
  profile: text(),
  target: optional(choice(['sandbox', 'live'])),
  state: choice(rowStates),
  what: text({ description: 'What it did, or why its record cannot be read' }),
  doubts: integer({ minimum: 0, description: 'Number of writes in doubt' }),
  people: list(text(), { description: 'Who approved its plan or recorded an outcome' }),
  startedAt: moment('When it started, by the machine’s clock'),
  tookMs: moment('Without the pauses between its attempts'),
  seq: integer({ minimum: 0, description: 'The last entry of its journal' }),
});

export type RunRow = Infer<typeof runRow>;

/** What is known from the files of a run; whether its process is alive is not among it. */
export interface ReadRun {
  readonly row: RunRow;
  /** Lower-case text by which it is found. */
  readonly search: string;
  /** Doubts that were recorded: while it runs, other writes only wait for a response. */
  readonly recordedDoubts: number;
  /** Whether a process may still be writing to its journal. */
  readonly isOpen: boolean;
}

/** @param entries a whole journal; none if the run ended before the first */
export function readRowOf(desk: string, header: RunHeader, entries: readonly Entry[]): ReadRun {
  if (entries.length === 0) {
    return unreadable(desk, header, 'not begun', 'it ended before its first entry was written');
  }
  const story = storyOf(entries);
  const summary = summaryOfStory(story);
  const people = peopleOf(entries, summary);
  const row: RunRow = {
    ...rowStart(desk, header.run, header.playbook, header.destination, header.createdAt),
    state: summary.status,
    what: whatOf(summary),
    doubts: summary.tally.inDoubt,
    people,
    startedAt: summary.startedAt,
    tookMs: summary.tookMs,
    seq: entries.at(-1)?.seq ?? 0,
  };
  return {
    row,
    search: searchText(row, summary),
    recordedDoubts: recordedDoubts(story).size,
    isOpen: summary.exit === undefined,
  };
}

/** A run whose journal is damaged. */
export function damagedRow(desk: string, header: RunHeader, error: JournalError): ReadRun {
  return unreadable(desk, header, 'damaged', error.message);
}

/** A folder of a run that does not name its playbook. */
export function unnamedRow(desk: string, run: string, because: string): ReadRun {
  return withSearch({
    ...rowStart(desk, run, '', undefined, 0),
    state: 'damaged',
    what: plainText(because, 300),
  });
}

function unreadable(
  desk: string,
  { run, playbook, destination, createdAt }: RunHeader,
  state: 'damaged' | 'not begun',
  because: string,
): ReadRun {
  const start = rowStart(desk, run, playbook, destination, createdAt);
  return withSearch({ ...start, state, what: plainText(because, 300) });
}

function withSearch(row: RunRow): ReadRun {
  return { row, search: searchText(row), recordedDoubts: 0, isOpen: false };
}

function rowStart(
  desk: string,
  run: string,
  playbook: string,
  destination: Destination | undefined,
  startedAt: Millis,
): Omit<RunRow, 'state' | 'what'> {
  return {
    desk,
    run: plainText(run, 64),
    playbook: plainText(playbook, 80),
    profile: plainText(destination?.profile ?? '', 60),
    ...(destination && { target: destination.target }),
    doubts: 0,
    people: [],
    startedAt,
    tookMs: 0,
    seq: 0,
  };
}

/** `5 orders placed, 1 refused`; doubts are shown beside it. */
function whatOf({ done, tally, files }: Summary): string {
  const words = [
    ...done.map(({ text: each }) => each),
    ...(tally.refused > 0 ? [`${tally.refused} refused`] : []),
    ...(files.length > 0 && done.length === 0 ? [`${files.length} files`] : []),
  ];
  return words.length === 0 ? 'nothing was sent' : plainText(words.join(', '), 200);
}

function peopleOf(entries: readonly Entry[], { approvedBy = [] }: Summary): readonly string[] {
  const settled = entries.flatMap((entry) => {
    if (entry.kind !== 'settled' || !('person' in entry.outcome)) return [];
    return entry.outcome.person === undefined ? [] : [plainText(entry.outcome.person.who, 100)];
  });
  return [...new Set([...approvedBy, ...settled])];
}

/** By its names, its people, and the ids and symbols of its orders. */
function searchText(row: RunRow, summary?: Summary): string {
  const orders = (summary?.orders ?? []).flatMap(({ clientOid, orderId }) => [clientOid, orderId]);
  const symbols = new Set((summary?.orders ?? []).map(({ symbol }) => symbol));
  const names = [row.run, row.playbook, row.profile, row.target ?? '', row.what, ...row.people];
  return [...names, ...symbols, ...orders].join('\n').toLowerCase();
}
