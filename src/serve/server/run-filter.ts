/** A filter of a list of runs, and the runs that it selects. */
import type { Millis } from '../../base/clock.ts';
import { accountsOf, type RunRow } from './run-row.ts';

/** A filter of runs; an absent field selects all. */
export interface RunFilter {
  readonly state?: RunRow['state'];
  readonly playbook?: string;
  /** Any account of the run. */
  readonly account?: string;
  /** The run's own account. */
  readonly profile?: string;
  /** A person who approved the plan or recorded an outcome. */
  readonly person?: string;
  /** The first moment at which a run started; `until` is the moment before which it did. */
  readonly since?: Millis;
  readonly until?: Millis;
  /** The beginning of the run's name. */
  readonly prefix?: string;
}

/** Runs of a list, the newest first: the row of one is made when it is asked for. */
export interface Selected {
  readonly length: number;
  readonly row: (at: number) => RunRow;
  /** The rows of the selected runs that are in progress, newest first. */
  readonly running: readonly RunRow[];
  readonly startedAt: (at: number) => Millis;
  readonly state: (at: number) => RunRow['state'];
  readonly doubts: (at: number) => number;
  /** The time of the last event of a run; undefined if its record cannot be read. */
  readonly lastAt: (at: number) => Millis | undefined;
}

/** A list has fewer runs than it had: a block of the catalogue that it needed is damaged, or the file was replaced. */
export class ShorterListError extends Error {
  override readonly name = 'ShorterListError';
}

/** Makes something from lists of some desks, again for each list that was shorter than it seemed. */
export async function fromLists<T>(desks: number, make: () => Promise<T> | T): Promise<T> {
  for (let left = desks; left > 0; left--) {
    try {
      return await make();
    } catch (error) {
      if (!(error instanceof ShorterListError)) throw error; // all blocks of its desk are read now
    }
  }
  return make();
}

/** Whether a run is wanted. */
export function isWanted(row: RunRow, wanted: RunFilter): boolean {
  const { state, playbook, account, profile, person, since, until, prefix } = wanted;
  const isSame = (value: string | undefined, own: string): boolean =>
    value === undefined || value === own;
  if (!isSame(state, row.state) || !isSame(playbook, row.playbook)) return false;
  if (!isSame(profile, row.profile)) return false;
  if (account !== undefined && !accountsOf(row).includes(account)) return false;
  if (person !== undefined && !row.people.includes(person)) return false;
  if (since !== undefined && row.startedAt < since) return false;
  if (until !== undefined && row.startedAt >= until) return false;
  return prefix === undefined || row.run.startsWith(prefix);
}

/** Some rows of a selection. */
export function rowsIn(
  selected: Selected,
  from = 0,
  to: number = selected.length,
): readonly RunRow[] {
  const first = Math.max(0, from);
  const length = Math.max(0, Math.min(to, selected.length) - first);
  return Array.from({ length }, (_none, at) => selected.row(first + at));
}

/** The runs of several selections together, the newest first; of two that started at one time that of the first. */
export function together(all: readonly Selected[]): Selected {
  const [only, ...others] = all;
  if (only !== undefined && others.length === 0) return only;
  const heads = all.map((from) => ({ from, at: 0 }));
  const startOf = ({ from, at }: (typeof heads)[number]): Millis => from.startedAt(at);
  const places: { readonly from: Selected; readonly at: number }[] = [];
  const addNext = (): boolean => {
    const [first, ...more] = heads.filter(({ from, at }) => at < from.length);
    if (first === undefined) return false;
    const newest = more.reduce(
      (best, each) => (startOf(each) > startOf(best) ? each : best),
      first,
    );
    places.push({ ...newest });
    newest.at += 1;
    return true;
  };
  const placeAt = (at: number): { readonly from: Selected; readonly at: number } => {
    while (places.length <= at && addNext());
    const place = places[at];
    if (place === undefined) throw new ShorterListError(`no run ${at} in the lists`);
    return place;
  };
  const of =
    <T>(ask: (from: Selected, at: number) => T) =>
    (at: number): T => {
      const place = placeAt(at);
      return ask(place.from, place.at);
    };
  return {
    length: all.reduce((sum, { length }) => sum + length, 0),
    running: all.flatMap(({ running }) => running).toSorted((a, b) => b.startedAt - a.startedAt),
    row: of((from, at) => from.row(at)),
    startedAt: of((from, at) => from.startedAt(at)),
    state: of((from, at) => from.state(at)),
    doubts: of((from, at) => from.doubts(at)),
    lastAt: of((from, at) => from.lastAt(at)),
  };
}

/** The first run that started at this time or before it. */
export function firstAtOrBefore(selected: Selected, time: Millis): number {
  let [low, high] = [0, selected.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (selected.startedAt(middle) > time) low = middle + 1;
    else high = middle;
  }
  return low;
}
