/** The values of a run's object. All of them come with each invocation, so that they are small. */
import type { Millis } from '../../../base/clock.ts';
import { digestOf } from '../../../base/json.ts';
import type { Batch, Holder, LineRow, TakeRequest } from '../../shared/shared-runs.ts';
import type { KnownRun } from '../../shared/known-run.ts';
import { runOf } from './names.ts';
import type { Invocation } from './object.ts';

/** Set when the run is taken: `claim`. */
export type RunClaim = Pick<TakeRequest, 'playbook' | 'accounts' | 'host' | 'owner' | 'nonce'> & {
  readonly plan: string | null;
  readonly since: Millis;
  readonly takenIn: string;
};

/** Changes with each batch: `state`. */
export interface RunState {
  readonly epoch: number;
  /** Of the holder; '' if it may store nothing more. */
  readonly incarnation: string;
  /** By the clock of the handlers. */
  readonly leaseUntil: Millis;
  readonly isEnded: boolean;
  readonly isReported: boolean;
  readonly lines: number;
  readonly link: string;
  /** The incarnation of the database in which the last line was stored. */
  readonly storedIn: string | null;
  /** The last batch: number of lines before it, and digest of its rows. */
  readonly last: { readonly after: number; readonly digest: string } | null;
  /** Number of the first line that is here: values `row N`, each a LineRow. */
  readonly tailFrom: number;
  readonly tailSize: number;
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
  tailSize: 0,
};

export interface Looked extends KnownRun {
  readonly link: string;
}

export function stateOf(invocation: Invocation): Promise<RunState | undefined> {
  return invocation.get<RunState>('state');
}

/** Undefined if it was never taken. */
export async function lookedAt(invocation: Invocation, now: Millis): Promise<Looked | undefined> {
  const [claim, state] = [await invocation.get<RunClaim>('claim'), await stateOf(invocation)];
  if (claim === undefined || state === undefined) return undefined;
  const { leaseUntil, isEnded, isReported, lines, link, storedIn } = state;
  return {
    run: runOf(invocation.key),
    ...claim,
    left: leaseUntil - now,
    isEnded,
    isReported,
    lines,
    link,
    incarnation: storedIn,
  };
}

export function change(invocation: Invocation, state: RunState, changed: Partial<RunState>): void {
  invocation.set('state', { ...state, ...changed });
}

/** Whether the holder took the run last, and nobody ended that. */
export function isHeldBy(state: RunState, { epoch, incarnation }: Holder): boolean {
  return incarnation !== '' && state.incarnation === incarnation && state.epoch === epoch;
}

export function digestOfRows(rows: Batch['rows']): string {
  return digestOf(rows.map(({ first, last, text }) => [first, last, text])).slice(0, 32);
}

/** The rows that are here, in order. */
export async function tailOf(
  invocation: Invocation,
  { tailFrom, lines }: RunState,
): Promise<readonly LineRow[]> {
  const rows: LineRow[] = [];
  for (let first = tailFrom; first <= lines;) {
    const row = await invocation.get<LineRow>(rowName(first));
    if (row === undefined) throw new TypeError(`line ${first} of ${invocation.key} is missing`);
    rows.push(row);
    first = row.last + 1;
  }
  return rows;
}

export const rowName = (first: number): string => `row ${first}`;
