/** Which runs of a desk are looked at in a round, and of which nothing is known yet. Those in progress are in every
 * round, a share of the others in turn, and when a lock was taken or released all of them; beside more than
 * 20,000, the newest ones and those that this program continued. A server begins with the runs that this program
 * continued, before it shows a page, because their lines in the catalogue may be old.
 */
import { continuedIn } from '../../engine/journal/continued.ts';
import { locksIn } from '../../engine/journal/lock.ts';
import { lookedMax } from '../../engine/journal/proved-runs.ts';
import type { Overviews } from '../../report/overview/overviews.ts';
import { hasEndedHere } from '../../stores/locks.ts';
import type { Claim } from '../../stores/store.ts';
import type { RunIndex } from './run-index.ts';
import type { RunNames } from './run-names.ts';

export class RunLooks {
  readonly #stateDir: string;
  readonly #names: RunNames;
  readonly #index: RunIndex;
  readonly #overviews: Overviews;
  /** The places of the table whose files were looked at. */
  #looked: Uint8Array;
  #isComplete = false;
  /** Runs that this program continued, as far as they were looked at since. */
  #continued: ReadonlySet<string> = new Set();

  constructor(stateDir: string, names: RunNames, index: RunIndex, overviews: Overviews) {
    this.#stateDir = stateDir;
    this.#names = names;
    this.#index = index;
    this.#overviews = overviews;
    this.#looked = new Uint8Array(index.table.size);
  }

  /** Whether the files of all runs were looked at. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Removes from the table the runs that this program continued, and that are other than it has them. @returns these */
  begin(): readonly string[] {
    const { table } = this.#index;
    const changed: string[] = [];
    const continued = continuedIn(this.#stateDir);
    this.#continued = continued ?? new Set();
    for (const run of continued ?? table.runs()) {
      const place = table.find(run);
      if (place === undefined || this.isAsListed(run, place)) continue;
      table.remove(run);
      changed.push(run);
    }
    return changed;
  }

  /** Begins again with another table. */
  forget(): void {
    this.#looked = new Uint8Array(this.#index.table.size);
    this.#isComplete = false;
  }

  endRound(): void {
    this.#isComplete ||= !this.#names.all.some((run) => this.#isUnknown(run));
  }

  /** The runs to look at in this round. @param isEvery whether a lock was taken or released */
  due(isEvery: boolean, open: readonly string[]): readonly string[] {
    const { all } = this.#names;
    const { live, table } = this.#index;
    const isKnown = live.size + table.count >= all.length;
    if (isEvery && all.length <= lookedMax) return this.#names.next(() => true);
    const continued = isEvery ? this.#newlyContinued() : [];
    const newest = isEvery ? all.slice(0, lookedMax / 2) : [];
    const isAllKnown = isKnown && this.#isComplete;
    const inTurn = this.#names.next(isAllKnown ? undefined : (run) => this.#isUnknown(run));
    return [...new Set([...continued, ...newest, ...open, ...inTurn])];
  }

  /** Whether nothing is known of a run, or its files were not looked at. */
  #isUnknown(run: string): boolean {
    const { live, table } = this.#index;
    if (live.has(run)) return false;
    const place = table.find(run);
    return place === undefined || this.#looked[place] === 0;
  }

  /** Runs that this program continued since it was last asked; all if that is not known. */
  #newlyContinued(): readonly string[] {
    const now = continuedIn(this.#stateDir);
    if (now === undefined) return this.#names.all;
    const before = this.#continued;
    this.#continued = now;
    const { live, table } = this.#index;
    const isHere = (run: string): boolean => live.has(run) || table.find(run) !== undefined;
    return [...now].filter((run) => !before.has(run) && isHere(run));
  }

  /** Whether a run is as the table has it. */
  isAsListed(run: string, place: number): boolean {
    const isSame = this.#overviews.isUnchanged(run, place, this.#index.table);
    if (isSame) this.#looked[place] = 1;
    return isSame;
  }
}

/** Runs whose lock a living process holds, or whose claim is valid. */
export async function runsAlive(
  stateDir: string,
  claims: readonly Claim[],
): Promise<ReadonlySet<string>> {
  const locks = await locksIn(stateDir);
  const held = locks.filter(({ life }) => life.state === 'alive');
  const claimed = claims.filter((claim) => !hasEndedHere(claim, locks));
  return new Set([
    ...held.flatMap(({ record }) => (record === undefined ? [] : [record.holder])),
    ...claimed.map(({ run }) => run),
  ]);
}
