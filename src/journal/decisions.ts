/** What a journal says of steps: when each was opened and how it was closed, sitting by sitting. */
import type { Address, Entry, StepFailure, StepStatus } from './entry.ts';
import { mayHaveHappened, provenAt, replay, type Replay } from './replay.ts';

/** A number from 1: a run has one sitting, and one more each time it is resumed. */
export type Sitting = number;

export interface Opening {
  readonly sitting: Sitting;
  /** Position in the journal. */
  readonly seq: number;
  /** The failure that an on-failure step received. */
  readonly failure?: StepFailure;
}

export interface Closing {
  readonly sitting: Sitting;
  readonly seq: number;
  readonly status: Exclude<StepStatus, 'interrupted'>;
  readonly because?: string;
}

export interface StepRecord {
  /** Oldest first. */
  readonly opened: readonly Opening[];
  /** Oldest first; what was interrupted said nothing. */
  readonly closed: readonly Closing[];
}

/** What earlier sittings of a run did and decided. */
export interface Decisions {
  readonly known: Replay;
  step(path: string): StepRecord;
  /**
   * In which sitting a step ended as refused or failed and another of its list was begun after it:
   * whatever came later depends on that end.
   * @param list paths of its sibling steps
   */
  wentOnFrom(path: string, list: readonly string[]): Sitting | undefined;
  /** In which sitting a step, or a playbook it uses, first sent what may have happened. */
  actedIn(path: string): Sitting | undefined;
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
      const others = list.filter((other) => other !== path);
      const opened = others.flatMap((other) => steps.get(other)?.opened ?? []);
      return failures.find((failure) =>
        opened.some(({ sitting, seq }) => sitting === failure.sitting && seq > failure.seq),
      )?.sitting;
    },
    actedIn: (path) => {
      const sittings = [
        ...within(acted, path).filter(([address]) => address === path),
        ...within(acted, `${path}[`),
        ...within(acted, `${path}/`),
      ].map(([, sitting]) => sitting);
      return sittings.length === 0 ? undefined : Math.min(...sittings);
    },
  };
}

export function isFailure({ status }: Pick<Closing, 'status'>): boolean {
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
  for (const [entry, sitting] of bySitting(entries)) {
    const { seq } = entry;
    if (entry.kind === 'opened') {
      const { failure } = entry;
      at(entry.step).opened.push({ sitting, seq, ...(failure && { failure }) });
    }
    if (entry.kind === 'closed' && entry.status !== 'interrupted') {
      const { status, because } = entry;
      at(entry.step).closed.push({ sitting, seq, status, ...(because && { because }) });
    }
  }
  return steps;
}

/** When each address was first sent, not counting sends that were refused since. */
function sendsIn(entries: readonly Entry[]): ReadonlyMap<Address, Sitting> {
  const sends = new Map<Address, Sitting>();
  for (const [entry, sitting] of bySitting(entries)) {
    if (entry.kind === 'intended' && !sends.has(entry.address)) sends.set(entry.address, sitting);
    if (entry.kind !== 'settled') continue;
    const { kind } = entry.outcome;
    if (kind === 'refused' || kind === 'failed') sends.delete(entry.address);
  }
  return sends;
}

function* bySitting(entries: readonly Entry[]): Generator<readonly [Entry, Sitting]> {
  let sitting: Sitting = 1;
  for (const entry of entries) {
    if (entry.kind === 'resumed') sitting += 1;
    yield [entry, sitting];
  }
}

/** Those of some sorted addresses that begin so. */
function within(
  sorted: readonly (readonly [Address, Sitting])[],
  prefix: string,
): readonly (readonly [Address, Sitting])[] {
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
