/** Holds a run that this process has taken: its lines are stored under its epoch until it is released. */
import { second, type Clock, type Millis } from '../../base/clock.ts';
import { endIn } from '../../engine/journal/end.ts';
import type { OverviewFact } from '../../engine/journal/run-summary.ts';
import type { AppendFile } from '../../engine/journal/file.ts';
import { listingOnce } from '../../engine/journal/listed-writes.ts';
import { runHere } from '../run-files.ts';
import { withHandover } from '../handover.ts';
import { StoreError, type Hold, type Opened, type TakenOver } from '../store.ts';
import { Lease, lostRun, pause } from './lease.ts';
import { afterLines, batchesOf, isEnd, lastLink, linesIn } from './lines.ts';
import type { HeldOutputs } from '../outputs.ts';
import type { SharedOutputs } from './output-copies.ts';
import type { Batch, Holder, SharedRuns, Taken } from './shared-runs.ts';
import { summaryHere } from './summaries.ts';

export interface Holding {
  readonly runs: SharedRuns;
  readonly taken: Taken;
  /** Stores copies of files; absent if this database keeps none. */
  readonly outputs?: SharedOutputs;
  /** The fact of each run that lists show. Default: no summary is stored. */
  readonly overview?: OverviewFact;
  /** Number of lines in the database when the run was taken. */
  readonly stored: number;
  readonly stateDir: string;
  readonly clock: Clock;
  /** What others may have done in this run without recording it, if anything. */
  readonly unreported?: TakenOver;
  /** Calls a function at intervals, and returns the function that ends it. */
  readonly every: (ms: Millis, work: () => void) => () => void;
  /** Releases the local locks. */
  readonly letGo: () => Promise<void>;
}

/**
 * How long after the lease the end of a run is still reported, and its accounts released: nothing is sent any
 * more, and the epoch decides whether the run still belongs to this process.
 */
const endPatience: Millis = 30 * second;

export function sharedHold(holding: Holding): Hold {
  const { runs, taken, stateDir, clock, unreported, every, letGo, outputs, overview } = holding;
  const { holder } = taken;
  const { run } = holder;
  const lease = new Lease(holder, clock);
  let { stored } = holding;
  let last = ''; // of the lines that this process stored
  let header = '';
  let isReleased = false;

  const keep = async (text: string): Promise<void> => {
    for (const rows of batchesOf(text, stored)) {
      last = rows.at(-1)?.text ?? '';
      const batch = { header, after: stored, rows, link: lastLink(last) };
      const keepsEnd = isEnd(last);
      const kept = async (): Promise<boolean> =>
        (await runs.keep(holder, batch)) || (keepsEnd && (await hasRows(runs, run, batch)));
      if (!(await lease.ask(kept, keepsEnd ? endPatience : 0))) throw lostRun(run);
      stored = rows.at(-1)?.last ?? stored;
    }
  };

  const endRenewal = every(holder.lease / 3, () => {
    if (!isReleased && !lease.lost.aborted) {
      lease.ask(() => runs.renew(holder)).catch(() => undefined); // its signal `lost` has it
    }
  });

  return {
    ...(outputs && { outputs: heldOutputs(outputs, holder, clock) }),
    lost: lease.lost,
    over: (file) => sharedFile(file, keep),
    open: async (opened) => {
      const here = await runHere(stateDir, run);
      header = here?.header ?? '';
      // Lines from before the project used this store, or that the database forgot.
      await keep(afterLines(here?.journal ?? '', stored));
      const journal = listingOnce(opened.journal, opened.entries);
      const noted = await withHandover(stateDir, run, { ...opened, journal });
      // After its recorded end a process sends nothing, even if it died before it released the run.
      const isKnown = endIn(opened.entries) !== undefined && unreported?.forgets !== true;
      return unreported === undefined || isKnown ? noted : withUnreported(noted, unreported);
    },
    release: async () => {
      isReleased = true;
      endRenewal();
      const hasEnded = isEnd(last);
      try {
        const end = { lines: stored, link: hasEnded ? lastLink(last) : '' };
        const summary =
          hasEnded && overview !== undefined
            ? await summaryHere(stateDir, header, run, end, overview)
            : undefined;
        const release = (): Promise<boolean> => runs.release(holder, summary);
        const isOurs = await lease.ask(release, hasEnded ? endPatience : 0);
        // Another machine has taken the run since, knows its end, and releases it.
        if (!isOurs && !hasEnded) throw lostRun(run);
      } finally {
        await letGo();
      }
    },
  };
}

/**
 * Whether the lines of a batch were stored, and only the answer was lost, before another process took the
 * run.
 */
async function hasRows(runs: SharedRuns, run: string, { after, rows }: Batch): Promise<boolean> {
  const known = await runs.lines(run, after);
  return known?.text.startsWith(rows.map(({ text }) => text).join('')) === true;
}

const attempts = 3; // to store a part: the lease is renewed apart from it

/** Stores files of the run. A failure is about the file alone, unless the run is lost. */
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

/** Adds what others may have done to the journal. A run without entries records it after its start. */
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
