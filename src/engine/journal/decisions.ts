/** The openings and closings of a run's steps as its journal records them, by attempt. */
import { isUnapproved } from './unapproved.ts';
import type { Address, Entry, FailedItem, StepFailure, StepStatus } from './entry.ts';
import { mayHaveHappened, provenAt, replay, type Replay } from './replay.ts';

/** A number from 1: each resume of a run is another attempt. */
export type RunAttempt = number;

export interface Opening {
  readonly attempt: RunAttempt;
  /** The position of the opening in the journal. */
  readonly seq: number;
  /** The failure that an on-failure step received. */
  readonly failure?: StepFailure;
}

export interface Closing {
  readonly attempt: RunAttempt;
  readonly seq: number;
  readonly status: Exclude<StepStatus, 'interrupted'>;
  readonly because?: string;
  /** The items without a result, of a step that continued with the others. */
  readonly failed?: readonly FailedItem[];
}

export interface StepRecord {
  /** The openings of the step, oldest first. */
  readonly opened: readonly Opening[];
  /** The closings of the step, oldest first; without interrupted ones. */
  readonly closed: readonly Closing[];
}

/** The actions and decisions of earlier attempts of a run. */
export interface Decisions {
  readonly known: Replay;
  step(path: string): StepRecord;
  /**
   * The attempt in which a step failed and another of its list was started after it: later steps
   * depend on that failure. Or the attempt in which people did not approve what follows a step.
   * @param list gives the paths of its sibling steps; it is called only for a step that failed
   */
  wentOnFrom(path: string, list: () => readonly string[]): RunAttempt | undefined;
  /**
   * The attempt in which a step, or a nested playbook, first sent a write that may have been
   * executed.
   */
  actedIn(path: string): RunAttempt | undefined;
}

const untouched: StepRecord = { opened: [], closed: [] };

export function decisionsIn(entries: readonly Entry[]): Decisions {
  const known = replay(entries);
  const steps = recordsIn(entries);
  const acted = [...sendsIn(entries)]
    .filter(([address]) => mayHaveHappened(provenAt(known, address)))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    known,
    step: (path) => steps.get(path) ?? untouched,
    wentOnFrom: (path, list) => {
      const failures = steps.get(path)?.closed.filter(isFailure) ?? [];
      if (failures.length === 0) return undefined;
      if (isUnapproved(provenAt(known, path).outcome)) return failures.at(-1)?.attempt;
      const others = list().filter((other) => other !== path);
      const opened = others.flatMap((other) => steps.get(other)?.opened ?? []);
      return failures.find((failure) =>
        opened.some(({ attempt, seq }) => attempt === failure.attempt && seq > failure.seq),
      )?.attempt;
    },
    actedIn: (path) => {
      const own = within(acted, path).filter(([address]) => address === path);
      const all = [own, within(acted, `${path}[`), within(acted, `${path}/`)].flat();
      return all.reduce<RunAttempt | undefined>(
        (first, [, attempt]) => Math.min(first ?? attempt, attempt),
        undefined,
      );
    },
  };
}

export function isFailure({ status }: { readonly status: StepStatus }): boolean {
  return status === 'refused' || status === 'failed';
}

interface Draft {
  readonly opened: Opening[];
  readonly closed: Closing[];
}

function recordsIn(entries: readonly Entry[]): ReadonlyMap<string, StepRecord> {
  const steps = new Map<string, Draft>();
  const at = (path: string): Draft => {
    const found = steps.get(path) ?? { opened: [], closed: [] };
    steps.set(path, found);
    return found;
  };
  for (const [entry, attempt] of byAttempt(entries)) {
    const { seq } = entry;
    if (entry.kind === 'opened') {
      const { failure } = entry;
      at(entry.step).opened.push({ attempt, seq, ...(failure && { failure }) });
    }
    if (entry.kind === 'closed' && entry.status !== 'interrupted') {
      const { status, because, failed } = entry;
      const said = { ...(because && { because }), ...(failed && { failed }) };
      at(entry.step).closed.push({ attempt, seq, status, ...said });
    }
  }
  return steps;
}

/** The attempt that first sent each address, without sends that were refused since. */
function sendsIn(entries: readonly Entry[]): ReadonlyMap<Address, RunAttempt> {
  const sends = new Map<Address, RunAttempt>();
  for (const [entry, attempt] of byAttempt(entries)) {
    if (entry.kind === 'intended' && !sends.has(entry.address)) sends.set(entry.address, attempt);
    if (entry.kind !== 'settled') continue;
    const { kind } = entry.outcome;
    if (kind === 'refused' || kind === 'failed') sends.delete(entry.address);
  }
  return sends;
}

function* byAttempt(entries: readonly Entry[]): Generator<readonly [Entry, RunAttempt]> {
  let attempt: RunAttempt = 1;
  for (const entry of entries) {
    if (entry.kind === 'resumed') attempt += 1;
    yield [entry, attempt];
  }
}

/** The entries of a sorted list whose addresses have this prefix. */
function within(
  sorted: readonly (readonly [Address, RunAttempt])[],
  prefix: string,
): readonly (readonly [Address, RunAttempt])[] {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle]?.[0] ?? '') < prefix) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (sorted[end]?.[0].startsWith(prefix)) end += 1;
  return sorted.slice(low, end);
}
