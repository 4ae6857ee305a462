/** The names of a state folder's runs, newest first, listed again when its folders changed. */
import { join } from 'node:path';
import type { Millis } from '../../base/clock.ts';
import { everyName } from '../../engine/journal/run-list.ts';
import { folderStamp } from './folder-stamp.ts';

const roundsMin = 10; // in which every run is looked at, and the folders are listed
const lookedEach = 1_000; // runs at most in a round, of those that nothing indicates

export class RunNames {
  readonly #stateDir: string;
  #names: readonly string[] = [];
  #folders = '';
  #round = 0;

  constructor(stateDir: string) {
    this.#stateDir = stateDir;
  }

  /** All runs, new ones last. */
  get all(): readonly string[] {
    return this.#names;
  }

  /**
   * Lists the runs again.
   * @param createdAt when runs were created that are not known yet
   * @returns all that are there; undefined if nothing changed
   */
  async list(
    createdAt: (runs: readonly string[]) => Promise<ReadonlyMap<string, Millis>>,
  ): Promise<ReadonlySet<string> | undefined> {
    const folders = ['runs', 'high-water'].map((name) => folderStamp(join(this.#stateDir, name)));
    const now = folders.join('');
    if (now === this.#folders && this.#round !== 0) return undefined;
    this.#folders = now;
    const present = new Set(await everyName(this.#stateDir));
    const before = new Set(this.#names);
    const added = [...present].filter((run) => !before.has(run));
    const kept = this.#names.filter((run) => present.has(run));
    if (added.length > 0 || kept.length < this.#names.length) {
      this.#names = [...kept, ...newestFirst(added, await createdAt(added))];
    }
    return present;
  }

  /** Runs to look at in the next round: a share of all in turn, and those that are due. */
  next(isDue?: (run: string) => boolean): readonly string[] {
    const rounds = Math.max(roundsMin, Math.ceil(this.#names.length / lookedEach));
    this.#round = (this.#round + 1) % rounds;
    const round = this.#round;
    if (isDue !== undefined)
      return this.#names.filter((run, at) => at % rounds === round || isDue(run));
    const some: string[] = [];
    for (let at = round; at < this.#names.length; at += rounds) some.push(this.#names[at] ?? '');
    return some;
  }
}

function newestFirst(runs: readonly string[], at: ReadonlyMap<string, Millis>): readonly string[] {
  return runs.toSorted((a, b) => (at.get(b) ?? -Infinity) - (at.get(a) ?? -Infinity));
}
