/** The names of a state folder's runs, newest first, listed again when its folders changed. */
import { join } from 'node:path';
import { nameSet } from '../../engine/journal/run-list.ts';
import { folderStamp } from './folder-stamp.ts';
import { listedNames, noteListed } from './listed-names.ts';

const roundsMin = 10; // in which every run is looked at, and the folders are listed
const lookedEach = 1_000; // runs at most in a round, of those that nothing indicates

export class RunNames {
  readonly #stateDir: string;
  #names: readonly string[] = [];
  #folders = '';
  #round = 0;
  /** The stamps of the folders when their names were noted for the next server. */
  #noted = '';

  constructor(stateDir: string) {
    this.#stateDir = stateDir;
  }

  /** All runs, new ones last. */
  get all(): readonly string[] {
    return this.#names;
  }

  /**
   * Takes the names that the last server noted, if they still count.
   * @param listed the runs of the catalogue, newest first
   * @returns the runs of the catalogue that are gone; undefined if all must be listed
   */
  begin(listed: readonly string[]): readonly string[] | undefined {
    const stamp = this.#stamp();
    const noted = listedNames(this.#stateDir, stamp);
    if (noted === undefined) return undefined;
    this.#folders = stamp;
    this.#noted = stamp;
    const known = new Set([...noted.gone, ...noted.others]);
    const others = noted.others.filter((run) => !noted.gone.includes(run));
    this.#names = [...others, ...listed.filter((run) => !known.has(run))];
    this.#round = 1; // the folders are listed again after some rounds
    return noted.gone;
  }

  /** Notes the names for the next server, once for each change. @param isListed whether the catalogue has a run */
  note(isListed: (run: string) => boolean, gone: readonly string[]): void {
    if (this.#folders === this.#noted || this.#folders !== this.#stamp()) return;
    this.#noted = this.#folders;
    const others = this.#names.filter((run) => !isListed(run));
    noteListed(this.#stateDir, this.#paths(), this.#folders, { others, gone });
  }

  /**
   * Lists the runs again.
   * @param newestFirst orders runs that are not known yet
   * @returns all that are there; undefined if nothing changed
   */
  async list(
    newestFirst: (runs: ReadonlySet<string>) => Promise<readonly string[]>,
  ): Promise<ReadonlySet<string> | undefined> {
    const now = this.#stamp();
    if (now === this.#folders && this.#round !== 0) return undefined;
    this.#folders = now;
    const present = await nameSet(this.#stateDir);
    const kept = this.#names.filter((run) => present.has(run));
    if (kept.length === present.size) {
      this.#names = kept;
      return present;
    }
    const added = new Set(present);
    for (const run of kept) added.delete(run);
    this.#names = [...kept, ...(await newestFirst(added))];
    return present;
  }

  #paths(): readonly string[] {
    return ['runs', 'high-water'].map((name) => join(this.#stateDir, name));
  }

  #stamp(): string {
    return this.#paths().map(folderStamp).join('');
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
