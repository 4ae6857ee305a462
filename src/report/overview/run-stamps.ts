/** Whether the files of a run may have changed, without reading them: header, journal and mark. */
import { markPath } from '../../engine/journal/high-water.ts';
import { headerPath, journalPath } from '../../engine/journal/runs.ts';
import { isLasting, stampOf, type Stamp } from '../../engine/journal/stamp.ts';

/** Texts are equal for unchanged files, and '' for what is not a file. */
export interface RunStamps {
  readonly headerFile: string;
  /** Of the journal and its mark. */
  readonly files: string;
  /** The last change of the three in ns; undefined unless all are files. */
  readonly changedAt?: bigint;
}

export function runStampsOf(stateDir: string, run: string): RunStamps {
  const header = fileStamp(headerPath(stateDir, run));
  const journal = fileStamp(journalPath(stateDir, run));
  const mark = fileStamp(markPath(stateDir, run));
  const changed = [header, journal, mark].flatMap((stamp) => stamp?.changedAt ?? []);
  const [first = 0n, ...others] = changed;
  const changedAt = others.reduce((last, each) => (each > last ? each : last), first);
  return {
    headerFile: header?.text ?? '',
    files: `${journal?.text ?? ''}, ${mark?.text ?? ''}`,
    ...(changed.length === 3 && { changedAt }),
  };
}

/** The same text as `headerFile`. */
export function headerStampOf(stateDir: string, run: string): string {
  return fileStamp(headerPath(stateDir, run))?.text ?? '';
}

/** @param now in ns, by the clock of the file system */
export function areLasting({ changedAt }: RunStamps, now: bigint): boolean {
  return changedAt !== undefined && isLasting({ text: '', changedAt }, now);
}

function fileStamp(path: string): Stamp | undefined {
  try {
    return stampOf(path);
  } catch {
    return undefined; // reading it reports the problem
  }
}
