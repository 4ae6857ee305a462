/** The figures of all runs of a state folder.
 *
 * Those of each run are stored beside its journal, with
 * what the file system said about the journal: while it says the same, the journal is not read.
 * They are derived: deleting them changes nothing, and no promise depends on them.
 */
import { lstatSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isCode } from '../base/error.ts';
import { isRecord } from '../base/json.ts';
import { readFoundSync } from '../base/read-file.ts';
import { JournalError } from '../journal/error.ts';
import { replaceDerived } from '../journal/file.ts';
import { isRunId } from '../journal/identity.ts';
import { journalPath, readRun, runFolder } from '../journal/runs.ts';
import { frame, unframe } from '../journal/record.ts';
import { isLasting, stampOf, type Stamp } from '../journal/stamp.ts';
import { figuresOf, figuresVersion, isFigures, type RunFigures } from './figures.ts';

export interface AllFigures {
  readonly runs: readonly RunFigures[];
  /** Runs whose journal cannot be read. */
  readonly damaged: number;
}

/** Reads the figures of all runs; keep it between calls, which read only what has changed. */
export interface FiguresReader {
  read(): Promise<AllFigures>;
}

interface Known {
  readonly stamp: string;
  /** Undefined for a damaged journal. */
  readonly figures: RunFigures | undefined;
}

const runsPerTurn = 200; // runs between two turns of the event loop

export function figuresReader(stateDir: string): FiguresReader {
  let known = new Map<string, Known>();
  let reading: Promise<AllFigures> | undefined;
  const readAll = async (): Promise<AllFigures> => {
    const now = new Map<string, Known>();
    for (const [at, run] of (await namesIn(stateDir)).entries()) {
      if (at % runsPerTurn === runsPerTurn - 1) await setImmediate();
      const found = await knownOf(stateDir, run, known.get(run));
      if (found) now.set(run, found);
    }
    known = now;
    const all = [...now.values()];
    const runs = all.flatMap(({ figures }) => (figures ? [figures] : []));
    return { runs, damaged: all.length - runs.length };
  };
  return {
    // Callers at the same time share one pass.
    read: () => (reading ??= readAll().finally(() => (reading = undefined))),
  };
}

async function namesIn(stateDir: string): Promise<readonly string[]> {
  try {
    return (await readdir(join(stateDir, 'runs'))).filter(isRunId);
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return [];
    throw error;
  }
}

/** Undefined for a run that never started. */
async function knownOf(
  stateDir: string,
  run: string,
  before: Known | undefined,
): Promise<Known | undefined> {
  const stamp = stampIn(stateDir, run);
  if (stamp === undefined) return undefined;
  if (before?.stamp === stamp.text) return before;
  const stored = storedOf(stateDir, run, stamp);
  if (stored) return { stamp: stamp.text, figures: stored };
  try {
    const entries = await readRun(stateDir, run);
    if (entries.length === 0) return undefined;
    const figures = figuresOf(entries);
    if (entries.at(-1)?.kind === 'finished') store(stateDir, run, stamp, figures);
    return { stamp: stamp.text, figures };
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return { stamp: stamp.text, figures: undefined };
  }
}

function stampIn(stateDir: string, run: string): Stamp | undefined {
  try {
    return stampOf(journalPath(stateDir, run));
  } catch (error) {
    if (isCode(error, 'ENOTDIR')) return undefined; // a file where a folder is expected
    throw error;
  }
}

function storedOf(stateDir: string, run: string, { text }: Stamp): RunFigures | undefined {
  try {
    const path = figuresPath(stateDir, run);
    const value: unknown = JSON.parse(
      unframe(readFoundSync(path, lstatSync(path), Infinity).trimEnd()),
    );
    if (!isRecord(value) || value['version'] !== figuresVersion) return undefined;
    const { journal, figures } = value;
    return journal === text && isFigures(figures) ? figures : undefined;
  } catch {
    return undefined; // it is absent or damaged: the journal is read
  }
}

/** A journal that has just been changed may change again under the same stamp: it is stored later. */
function store(stateDir: string, run: string, stamp: Stamp, figures: RunFigures): void {
  replaceDerived(figuresPath(stateDir, run), (now) =>
    frame(
      JSON.stringify({
        version: figuresVersion,
        journal: isLasting(stamp, now) ? stamp.text : null,
        figures,
      }),
    ),
  );
}

function figuresPath(stateDir: string, run: string): string {
  return join(runFolder(stateDir, run), 'figures');
}
