/** A run as a row of a list, and the text by which it is found. */
import { targets } from '../../engine/journal/shared-schema.ts';
import {
  choice,
  integer,
  list,
  optional,
  record,
  text,
  type Infer,
} from '../../exchange/api/schema.ts';
import type { Millis } from '../../base/clock.ts';
import { plainText } from '../../base/text.ts';
import type { Destination } from '../../engine/journal/entry.ts';
import type { RunHeader } from '../../engine/journal/header.ts';
import { listedOf, type ListedRun } from '../../report/overview/listed.ts';
import type { Overview } from '../../report/overview/overview.ts';
import type { KnownRun } from '../../report/overview/overviews.ts';
import { runStatuses } from '../../report/run-status.ts';
import { moment } from './shapes.ts';

export const rowStates = ['running', ...runStatuses] as const;

export const runRow = record({
  desk: text(),
  run: text(),
  playbook: text(),
  profile: text(),
  otherAccounts: optional(list(text(), { description: 'Other accounts that steps name' })),
  target: optional(choice(targets)),
  state: choice(rowStates),
  what: text({ description: 'What it did, or why its record cannot be read' }),
  setAside: optional(text({ description: 'Who set it aside, when and why' })),
  doubts: integer({ minimum: 0, description: 'Number of writes in doubt' }),
  people: list(text(), { description: 'Who approved its plan or a step, or recorded an outcome' }),
  asks: optional(
    list(
      record({
        step: text(),
        text: text(),
        at: moment('When it asked'),
        until: moment('End of its time'),
      }),
      { description: 'Steps that wait for an approval' },
    ),
  ),
  startedAt: moment('When it started, by the machine’s clock'),
  tookMs: moment('Without the pauses between its attempts'),
  lastAt: optional(moment('Its last event, while it is in progress')),
  seq: integer({ minimum: 0, description: 'The last entry of its journal' }),
});

export type RunRow = Infer<typeof runRow>;

/** The data from the files of a run, which do not show whether its process is alive. */
export interface ReadRun {
  readonly row: RunRow;
  /** Ids and symbols of the run's orders, in lower case, one per line. */
  readonly ids: string;
  /**
   * The number of recorded doubts: while the run is in progress, other writes only wait for a
   * response.
   */
  readonly recordedDoubts: number;
  /** Whether a process may still be writing to its journal. */
  readonly isOpen: boolean;
  readonly extent: RunExtent;
}

/** How much a run did, and until when. */
export interface RunExtent {
  /** Number of orders that the run placed. */
  readonly orders: number;
  /** Number of rows that the run exported. */
  readonly rows: number;
  /** The time of the run's last event; absent if its record cannot be read. */
  readonly lastAt?: Millis;
}

/**
 * The row of a run.
 * @param desk its name, which the row has
 */
export function rowOf(desk: string, run: string, found: KnownRun): ReadRun {
  switch (found.kind) {
    case 'read':
      return readRowOf(desk, found.header, found.overview);
    case 'not-begun':
      return unreadable(
        desk,
        found.header,
        'not-begun',
        'it ended before its first entry was written',
      );
    case 'damaged':
      return unreadable(desk, found.header, 'damaged', found.error.message);
    case 'unnamed':
      return unread({
        ...rowStart(desk, run, '', undefined, 0),
        state: 'damaged',
        what: plainText(found.because, 300),
      });
  }
}

function readRowOf(desk: string, header: RunHeader, overview: Overview): ReadRun {
  const { recordedDoubts, isOpen, ids } = overview;
  const line = listedOf(header, overview);
  const row = rowOfLine(desk, header.run, line);
  return { row, ids, recordedDoubts, isOpen, extent: extentOf(line) };
}

/** The row of a run that was read, or that the catalogue lists. */
export function rowOfLine(desk: string, run: string, line: ListedRun): RunRow {
  const { asks, status, what, setAside, doubts, people, startedAt, tookMs, seq } = line;
  return {
    ...rowStart(desk, run, line.playbook, line.destination, line.createdAt),
    ...othersIn(line),
    state: status,
    what,
    ...(setAside !== undefined && { setAside }),
    doubts,
    people,
    ...(asks && { asks }),
    startedAt,
    tookMs,
    seq,
  };
}

export function extentOf({ orders, rows, lastAt }: ListedRun): RunExtent {
  return { orders, rows, lastAt };
}

/** The run's other accounts. A header also has the run's own account under other keys. */
function othersIn({
  destination,
  accounts = [],
}: Pick<RunHeader, 'destination' | 'accounts'>): Pick<RunRow, 'otherAccounts'> {
  const names = new Set(accounts.map(({ profile }) => plainText(profile, 60)));
  names.delete(plainText(destination.profile, 60));
  return names.size === 0 ? {} : { otherAccounts: [...names] };
}

function unreadable(
  desk: string,
  { run, playbook, destination, createdAt }: RunHeader,
  state: 'damaged' | 'not-begun',
  because: string,
): ReadRun {
  const start = rowStart(desk, run, playbook, destination, createdAt);
  return unread({ ...start, state, what: plainText(because, 300) });
}

function unread(row: RunRow): ReadRun {
  return { row, ids: '', recordedDoubts: 0, isOpen: false, extent: { orders: 0, rows: 0 } };
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

/** The accounts of a run: its own is first. */
export function accountsOf({ profile, otherAccounts = [] }: RunRow): readonly string[] {
  return [profile, ...otherAccounts];
}

/** The texts besides ids by which a run is found, in lower case. */
export function namesOf(row: RunRow): string {
  const names = [
    row.run,
    row.playbook,
    ...accountsOf(row),
    row.target ?? '',
    row.what,
    ...row.people,
  ];
  return names.join('\n').toLowerCase();
}
