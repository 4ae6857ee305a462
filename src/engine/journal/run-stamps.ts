/** The stamps of the files of runs, from the file system, without reading the files. */
import { basename, dirname, sep } from 'node:path';
import { markPath } from './high-water.ts';
import { headerPath, journalPath, runFolder } from './runs.ts';
import { stampOf, type Stamp } from './stamp.ts';

/** The stamps of all runs of a state folder. Paths are put together once: there may be thousands. */
export class RunStamps {
  readonly #runs: string;
  readonly #marks: string;
  readonly #header: string;
  readonly #journal: string;
  readonly #mark: string;

  constructor(stateDir: string) {
    this.#runs = `${runFolder(stateDir, '')}${sep}`;
    this.#header = `${sep}${basename(headerPath(stateDir, ''))}`;
    this.#journal = `${sep}${basename(journalPath(stateDir, ''))}`;
    this.#marks = `${dirname(markPath(stateDir, ''))}${sep}`;
    this.#mark = basename(markPath(stateDir, ''));
  }

  /** The stamp of a run's header; undefined unless it is a file. */
  header(run: string): Stamp | undefined {
    return fileStamp(`${this.#runs}${run}${this.#header}`);
  }

  /** The stamps of a run's journal and its mark; undefined unless both are files. */
  journal(run: string): readonly [journal: Stamp, mark: Stamp] | undefined {
    const journal = fileStamp(`${this.#runs}${run}${this.#journal}`);
    const mark = journal && fileStamp(`${this.#marks}${run}${this.#mark}`);
    return journal && mark && [journal, mark];
  }

  /** The stamps of a run's header, journal and mark; undefined for each that is not a file. */
  all(run: string): readonly (Stamp | undefined)[] {
    const header = this.header(run);
    const journal = fileStamp(`${this.#runs}${run}${this.#journal}`);
    return [header, journal, fileStamp(`${this.#marks}${run}${this.#mark}`)];
  }
}

function fileStamp(path: string): Stamp | undefined {
  try {
    return stampOf(path);
  } catch {
    return undefined; // reading it reports the problem
  }
}
