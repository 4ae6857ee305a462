/** A run that this process has taken: its lines are stored under its epoch until it is released. */
import type { Clock, Millis } from '../../base/clock.ts';
import { shellWord } from '../../base/text.ts';
import type { AppendFile } from '../../journal/file.ts';
import { listingOnce } from '../../journal/listed-writes.ts';
import { runHere } from '../run-files.ts';
import { withHandover } from '../handover.ts';
import { HeldError, StoreError, type Hold, type Opened, type TakenOver } from '../store.ts';
import { afterLines, batchesOf, lastLink, linesIn } from './lines.ts';
import type { HeldOutputs } from '../outputs.ts';
import type { SharedOutputs } from './outputs.ts';
import type { Holder, SharedRuns, Taken } from './shared-runs.ts';

export interface Holding {
  readonly runs: SharedRuns;
  readonly taken: Taken;
  /** Copies of files; absent if this database keeps none. */
  readonly outputs?: SharedOutputs;
  /** Number of lines in the database when it was taken. */
  readonly stored: number;
  readonly stateDir: string;
  readonly clock: Clock;
  /** What others may have done in this run, if any. */
  readonly unreported?: TakenOver;
  /** Calls a function at intervals, and returns what ends it. */
  readonly every: (ms: Millis, work: () => void) => () => void;
  /** Releases the local locks. */
  readonly letGo: () => Promise<void>;
}

const pause: Millis = 200; // between two attempts to reach the database

export function sharedHold(holding: Holding): Hold {
  const { runs, taken, stateDir, clock, unreported, every, letGo, outputs } = holding;
  const { holder } = taken;
  const { run, lease } = holder;
  const lost = new AbortController();
  let { stored } = holding;
  let header = '';
  let leasedUntil = clock.monotonic() + lease;
  let isReleased = false;

  /**
   * Asks until there is an answer, while the lease surely lasts. The lease counts from the question:
   * the database may have renewed it any time after that.
   * @throws StoreError when it is over; HeldError when another has taken the run
   */
  const asked = async (ask: () => Promise<boolean>): Promise<void> => {
    for (;;) {
      const at = clock.monotonic();
      try {
        if (!(await ask())) throw lostRun(run);
        leasedUntil = at + lease;
        return;
      } catch (error) {
        const isOver = clock.monotonic() + pause >= leasedUntil;
        if (!(error instanceof StoreError) || isOver) {
          lost.abort(error);
          throw error;
        }
      }
      await clock.sleep(pause);
    }
  };

  const keep = async (text: string): Promise<void> => {
    for (const rows of batchesOf(text, stored)) {
      const link = lastLink(rows.at(-1)?.text ?? '');
      await asked(() => runs.keep(holder, { header, after: stored, rows, link }));
      stored = rows.at(-1)?.last ?? stored;
    }
  };

  const endRenewal = every(lease / 3, () => {
    if (!isReleased && !lost.signal.aborted) {
      asked(() => runs.renew(holder)).catch(() => undefined); // `lost` has it
    }
  });

  return {
    ...(outputs && { outputs: heldOutputs(outputs, holder, clock) }),
    lost: lost.signal,
    over: (file) => sharedFile(file, keep),
    open: async (opened) => {
      const here = await runHere(stateDir, run);
      header = here?.header ?? '';
      // Lines from before the project used this store, or that the database forgot.
      await keep(afterLines(here?.journal ?? '', stored));
      const journal = listingOnce(opened.journal, opened.entries);
      const noted = await withHandover(stateDir, run, { ...opened, journal });
      return unreported === undefined ? noted : withUnreported(noted, unreported);
    },
    release: async () => {
      isReleased = true;
      endRenewal();
      try {
        await asked(() => runs.release(holder));
      } finally {
        await letGo();
      }
    },
  };
}

const attempts = 3; // to store a part: the lease is renewed apart from it

/** A failure is about the file alone, unless the run is lost. */
function heldOutputs(outputs: SharedOutputs, holder: Holder, clock: Clock): HeldOutputs {
  const { run } = holder;
  const asked = async (ask: () => Promise<boolean>): Promise<void> => {
    for (let left = attempts; ; left -= 1) {
      try {
        if (!(await ask())) throw lostRun(run);
        return;
      } catch (error) {
        if (!(error instanceof StoreError) || left === 1) throw error;
      }
      await clock.sleep(pause);
    }
  };
  return {
    total: async () => (await outputs.list(run)).reduce((sum, { bytes }) => sum + bytes, 0),
    keep: (part) => asked(() => outputs.keep(holder, part)),
    keepOnly: (output) => asked(() => outputs.keepOnly(holder, output)),
  };
}

/** A run without entries records it after its start. */
async function withUnreported(opened: Opened, unreported: TakenOver): Promise<Opened> {
  const { journal, entries } = opened;
  if (entries.length === 0) return { ...opened, unreported };
  return { journal, entries: [...entries, await journal.append(unreported)] };
}

/**
 * The file of a journal whose lines count when the database has them: they are written here only
 * after that, so the file never has a line that the database lacks.
 */
function sharedFile(file: AppendFile, keep: (text: string) => Promise<void>): AppendFile {
  let waiting = '';
  return {
    ...file,
    write: async (text) => {
      waiting += text;
    },
    sync: async () => {
      const text = waiting;
      waiting = '';
      if (linesIn(text) > 0) {
        await keep(text);
        await file.write(text);
      }
      await file.sync();
    },
  };
}

function lostRun(run: string): HeldError {
  return new HeldError(
    `run ${run} no longer belongs to this process: another has taken it over, or the database was replaced`,
    `see what continues it: deskhand runs show ${shellWord(run)}`,
    true,
  );
}
