/** The names of a state folder's runs, newest first, listed again when its folders changed. */
import { nameSet } from '../../engine/journal/run-list.ts';
import { foldersStamp, listedNames, noteListed, type ListedNames } from './listed-names.ts';

const roundsMin = 10; // in which every run is looked at, and the folders are listed
const lookedEach = 1_000; // runs at most in a round, of those that nothing indicates

interface LaterNames {
  readonly others: readonly string[];
  readonly count: number;
  readonly listed: () => readonly string[];
}

export class RunNames {
  readonly #stateDir: string;
  #names: readonly string[] = [];
  /** The names before all were needed. */
  #later: LaterNames | undefined;
  #folders = '';
  #round = 0;
  /** The stamps of the folders when their names were noted for the next server. */
  #noted = '';
  /** The names that were found at the start, of which the table's are not certain yet. */
  #found: ReadonlySet<string> | undefined;

  constructor(stateDir: string) {
    this.#stateDir = stateDir;
  }

  /** All runs, new ones last. */
  get all(): readonly string[] {
    const later = this.#later;
    if (later === undefined) return this.#names;
    this.#later = undefined;
    const others = new Set(later.others);
    return (this.#names = [...others, ...later.listed().filter((run) => !others.has(run))]);
  }

  /** The number of all runs. */
  get count(): number {
    return this.#later?.count ?? this.#names.length;
  }

  /** The names that the last server noted; undefined if all must be listed. */
  begin(): ListedNames | undefined {
    const stamp = foldersStamp(this.#stateDir);
    const noted = listedNames(this.#stateDir, stamp);
    if (noted === undefined) return undefined;
    this.#folders = stamp;
    this.#noted = stamp;
    this.#round = 1; // the folders are listed again after some rounds
    return noted;
  }

  /** The names that the folders have now, which the next call of `list` compares again. */
  async find(): Promise<ReadonlySet<string>> {
    this.#folders = foldersStamp(this.#stateDir);
    this.#round = 1;
    return (this.#found = await nameSet(this.#stateDir));
  }

  /** Takes names. @param listed the runs of the catalogue, newest first: asked for when all names are needed */
  take(others: readonly string[], count: number, listed: () => readonly string[]): void {
    this.#later = { others, count: others.length + count, listed };
  }

  /** Lists all runs in the next round. */
  forget(): void {
    this.#folders = '';
  }

  /** Notes the names for the next server, once for each change. @param isListed whether the catalogue has a run */
  note(isListed: (run: string) => boolean, gone: readonly string[]): void {
    if (this.#folders === this.#noted || this.#folders !== foldersStamp(this.#stateDir)) return;
    this.#noted = this.#folders;
    const others = this.all.filter((run) => !isListed(run));
    noteListed(this.#stateDir, this.#folders, { others, gone, count: this.all.length });
  }

  /**
   * Lists the runs again.
   * @param newestFirst orders runs that are not known yet
   * @returns all that are there; undefined if nothing changed
   */
  async list(
    newestFirst: (runs: ReadonlySet<string>) => Promise<readonly string[]>,
  ): Promise<ReadonlySet<string> | undefined> {
    const now = foldersStamp(this.#stateDir);
    const isSame = now === this.#folders;
    const found = isSame ? this.#found : undefined;
    this.#found = undefined;
    if (isSame && this.#round !== 0 && found === undefined) return undefined;
    this.#folders = now;
    const present = found ?? (await nameSet(this.#stateDir));
    const kept = this.all.filter((run) => present.has(run));
    if (kept.length === present.size) {
      this.#names = kept;
      return present;
    }
    const added = new Set(present);
    for (const run of kept) added.delete(run);
    this.#names = [...kept, ...(await newestFirst(added))];
    return present;
  }

  /** Runs to look at in the next round: a share of all in turn, and those that are due. */
  next(isDue?: (run: string) => boolean): readonly string[] {
    const names = this.all;
    const rounds = Math.max(roundsMin, Math.ceil(names.length / lookedEach));
    this.#round = (this.#round + 1) % rounds;
    const round = this.#round;
    if (isDue !== undefined) return names.filter((run, at) => at % rounds === round || isDue(run));
    const some: string[] = [];
    for (let at = round; at < names.length; at += rounds) some.push(names[at] ?? '');
    return some;
  }
}
