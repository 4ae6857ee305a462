/** The values of a run's object. All of them come with each invocation, so that they are small. */
import type { Millis } from '../../../base/clock.ts';
import { digestOf } from '../../../base/json.ts';
import type { Batch, Holder, LineRow, TakeRequest } from '../../shared/shared-runs.ts';
import type { KnownRun } from '../../shared/known-run.ts';
import { runOf } from './names.ts';
import type { Invocation } from './object.ts';

/** The value `claim`, which is set when the run is taken. */
export type RunClaim = Pick<TakeRequest, 'playbook' | 'accounts' | 'host' | 'owner' | 'nonce'> & {
  readonly plan: string | null;
  readonly since: Millis;
  readonly takenIn: string;
};

/** The value `state`, which changes with each batch. */
export interface RunState {
  readonly epoch: number;
  /** The incarnation of the holder; '' if it may store nothing more. */
  readonly incarnation: string;
  /** The end of the lease by the clock of the handlers. */
  readonly leaseUntil: Millis;
  readonly isEnded: boolean;
  readonly isReported: boolean;
  /** Whether the run was removed: nobody takes it again, and nobody reads its lines. */
  readonly isPruned?: boolean;
  readonly lines: number;
  readonly link: string;
  /** The incarnation of the database in which the last line was stored. */
  readonly storedIn: string | null;
  /** The last batch: number of lines before it, and digest of its rows. */
  readonly last: { readonly after: number; readonly digest: string } | null;
  /** Number of the first line in this object, and the number and characters of the rows from that line on. */
  readonly tailFrom: number;
  readonly tailRows: number;
  readonly tailCharacters: number;
  /** Whether a call that follows the process has not ended; if none is open, it was killed or cancelled. */
  readonly isFollowed?: boolean;
  /**
   * Whether an unended call was found: until the run is released, lines that were reported as stored may be
   * missing.
   */
  readonly isIncomplete?: boolean;
  /**
   * Present while the rows are those of version 1 of the service: each is named by its first line, and none
   * is counted.
   */
  readonly tailSize?: number;
}

/** One of the newest rows, which are the values `tail 0`, `tail 1` and so on. */
export interface StoredRow extends LineRow {
  /** The epoch of the holder that stored the row. */
  readonly epoch: number;
  /** The link of the row's last line; absent if its batch has more rows. */
  readonly link?: string;
}

export const newRun: RunState = {
  epoch: 0,
  incarnation: '',
  leaseUntil: 0,
  isEnded: false,
  isReported: false,
  lines: 0,
  link: '',
  storedIn: null,
  last: null,
  tailFrom: 1,
  tailRows: 0,
  tailCharacters: 0,
};

export interface Looked extends KnownRun {
  readonly link: string;
}

/**
 * The state with all rows. An invocation that follows a process sets `state` only when it ends, and one that
 * is cancelled never does.
 */
export async function stateOf(invocation: Invocation): Promise<RunState | undefined> {
  const state = await invocation.get<RunState>('state');
  return state && withRows(state, await rowsSince(invocation, state));
}

/** The run as others see it; undefined if it was never taken. */
export async function lookedAt(invocation: Invocation, now: Millis): Promise<Looked | undefined> {
  const [claim, state] = [await invocation.get<RunClaim>('claim'), await stateOf(invocation)];
  if (claim === undefined || state === undefined) return undefined;
  const { leaseUntil, isEnded, isReported, isPruned, lines, link, storedIn } = state;
  return {
    run: runOf(invocation.key),
    ...claim,
    left: leaseUntil - now,
    isEnded,
    isReported,
    ...(isPruned && { isPruned }),
    lines,
    link,
    incarnation: storedIn,
  };
}

export function change(invocation: Invocation, state: RunState, changed: Partial<RunState>): void {
  invocation.set('state', { ...state, ...changed });
}

/** Whether a holder took the run last, and nobody ended that. */
export function isHeldBy(state: RunState, { epoch, incarnation }: Holder): boolean {
  return incarnation !== '' && state.incarnation === incarnation && state.epoch === epoch;
}

export function digestOfRows(rows: Batch['rows']): string {
  return digestOf(rows.map(({ first, last, text }) => [first, last, text])).slice(0, 32);
}

/** The number of values for rows. They are used again once the lines object has their lines. */
export const rowsMax = 64;

/** The rows in this object, in order. */
export async function tailOf(
  invocation: Invocation,
  { tailFrom, lines, tailSize }: RunState,
): Promise<readonly StoredRow[]> {
  const rows: StoredRow[] = [];
  for (let first = tailFrom; first <= lines;) {
    const name = tailSize === undefined ? rowName(rows.length) : earlierRowName(first);
    const row = await invocation.get<StoredRow>(name);
    if (row?.first !== first) throw new TypeError(`line ${first} of ${invocation.key} is missing`);
    rows.push(row);
    first = row.last + 1;
  }
  return rows;
}

/** The rows after those that `state` names, if they are of complete batches. */
async function rowsSince(
  invocation: Invocation,
  { lines, tailRows, tailSize, epoch }: RunState,
): Promise<readonly StoredRow[]> {
  if (tailSize !== undefined) return [];
  const rows: StoredRow[] = [];
  let first = lines + 1;
  for (let number = tailRows; number < rowsMax; number++) {
    const row = await invocation.get<StoredRow>(rowName(number));
    if (row?.first !== first || row.epoch !== epoch) break; // of an earlier use
    rows.push(row);
    first = row.last + 1;
  }
  return rows.slice(0, rows.findLastIndex(({ link }) => link !== undefined) + 1);
}

function withRows(state: RunState, newer: readonly StoredRow[]): RunState {
  const row = newer.at(-1);
  if (row?.link === undefined) return state;
  const before = newer.findLastIndex((each) => each !== row && each.link !== undefined);
  const batch = newer.slice(before + 1);
  return {
    ...state,
    lines: row.last,
    link: row.link,
    storedIn: incarnationOf(state),
    last: { after: (batch[0]?.first ?? 1) - 1, digest: digestOfRows(batch) },
    tailRows: state.tailRows + newer.length,
    tailCharacters: newer.reduce((sum, { text }) => sum + text.length, state.tailCharacters),
  };
}

/** The incarnation of the database in which a holder stores lines. */
export const incarnationOf = ({ incarnation }: Pick<Holder, 'incarnation'>): string =>
  incarnation.split('.')[0] ?? '';

export const rowName = (number: number): string => `tail ${number}`;
const earlierRowName = (first: number): string => `row ${first}`;
