/** The names of a state folder's runs, newest first, listed again when its folders changed. */
import { join } from 'node:path';
import { everyName } from '../../engine/journal/run-list.ts';
import type { Overviews } from '../../report/overview/overviews.ts';
import { folderStamp } from './folder-stamp.ts';

const turns = 10; // rounds in which every run is looked at, and the folders are listed

export class RunNames {
  readonly #stateDir: string;
  readonly #overviews: Overviews;
  #names: readonly string[] = [];
  #folders = '';
  #turn = 0;

  constructor(stateDir: string, overviews: Overviews) {
    this.#stateDir = stateDir;
    this.#overviews = overviews;
  }

  /** All runs, new ones last. */
  get all(): readonly string[] {
    return this.#names;
  }

  /** Lists the runs again. @returns all that are there; undefined if nothing changed */
  async list(): Promise<ReadonlySet<string> | undefined> {
    const folders = ['runs', 'high-water'].map((name) => folderStamp(join(this.#stateDir, name)));
    const now = folders.join('');
    if (now === this.#folders && this.#turn !== 0) return undefined;
    this.#folders = now;
    const present = new Set(await everyName(this.#stateDir));
    const before = new Set(this.#names);
    const added = [...present].filter((run) => !before.has(run));
    const kept = this.#names.filter((run) => present.has(run));
    if (added.length > 0 || kept.length < this.#names.length) {
      this.#names = [...kept, ...(await newestFirst(added, this.#overviews))];
    }
    return present;
  }

  /** Runs to look at in the next round: a share of all in turn, and those that are due in each. */
  next(isDue: (run: string) => boolean): readonly string[] {
    this.#turn = (this.#turn + 1) % turns;
    return this.#names.filter((run, at) => isDue(run) || at % turns === this.#turn);
  }
}

/** Runs newest first, for a server that has just been started. */
async function newestFirst(
  runs: readonly string[],
  overviews: Overviews,
): Promise<readonly string[]> {
  const headers = await Promise.all(runs.map((run) => overviews.header(run)));
  return runs
    .map((run, at) => ({ run, createdAt: headers[at]?.createdAt ?? -Infinity }))
    .toSorted((a, b) => b.createdAt - a.createdAt)
    .map(({ run }) => run);
}
