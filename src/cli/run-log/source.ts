/** The source of a run's entries for its log: a journal here, or a database. */
import { messageOf } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import type { Config } from '../../app/config/load.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { differenceIn } from '../../engine/journal/header.ts';
import { readMark } from '../../engine/journal/high-water.ts';
import { JournalError } from '../../engine/journal/error.ts';
import { locksIn } from '../../engine/journal/lock.ts';
import { journalPath, readHeader } from '../../engine/journal/runs.ts';
import { journalTail } from '../../engine/journal/tail.ts';
import { StoreError } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { openJobs } from '../../app/store/jobs.ts';
import type { Jobs } from '../../stores/job-store.ts';
import type { Patient } from '../../app/queue/patience.ts';
import { storedTail } from '../../app/queue/stored-tail.ts';
import type { EndedJob } from '../worker/follow.ts';
import { noteOf, queueView } from '../../app/queue/waiting.ts';
import { isDatabase } from '../../stores/settings.ts';

export interface LogSource {
  /**
   * The state of the run's process. Asked before `added`, so that an ended run has all its lines.
   */
  life(): Promise<RunLife>;
  /** Entries that were not returned before. */
  added(): AsyncIterable<Entry>;
  /**
   * The part of the run that cannot be read, after everything else was; undefined if nothing is
   * missing.
   */
  missing(): string | undefined;
  close(): Promise<void>;
}

export type RunLife =
  /**
   * A process executes the run, or will. `note`: the reason why a queued run waits, or the process
   * that has it.
   */
  | { readonly kind: 'alive'; readonly note?: string }
  /** Whether a process executes the run cannot be seen from here. */
  | { readonly kind: 'unknown' }
  /** No process executes the run. */
  | { readonly kind: 'idle' }
  /** The run's job has ended. */
  | { readonly kind: 'ended'; readonly job: EndedJob };

/**
 * The source of a run's entries. A run that was queued, or has lines in the database, is read
 * there; any other one from its journal in the state folder.
 * @param ask of a log that is followed; default: what this machine has is enough when the store
 * gives no answer
 * @throws UsageError when the run does not exist; JournalError; StoreError with `ask`
 */
export async function logSource(
  run: string,
  config: Config,
  context: Context,
  ask?: Patient,
): Promise<LogSource> {
  if (isDatabase(config.state)) {
    try {
      const stored = await storedSource(run, config, context, ask ?? atOnce);
      if (stored !== undefined) return stored;
    } catch (error) {
      if (!(error instanceof StoreError) || ask !== undefined) throw error;
      const { err } = context.terminal;
      const because = plainText(messageOf(error));
      err.line(`${err.theme.sign('warn')} only what this machine has is shown: ${because}`);
    }
  }
  return localSource(run, config.stateDir);
}

const atOnce: Patient = (ask) => ask();

async function storedSource(
  run: string,
  config: Config,
  context: Context,
  ask: Patient,
): Promise<LogSource | undefined> {
  const jobs = await openJobs(config, context);
  try {
    const tail = storedTail(run, jobs.runs);
    const first = await ask(() => tail.added());
    if (first.length === 0 && (await ask(() => jobs.queue.find(run))) === undefined) {
      await jobs.close();
      return undefined;
    }
    let isFirst = true;
    return {
      life: () => ask(() => storedLife(run, jobs)),
      added: async function* () {
        if (isFirst) yield* first;
        isFirst = false;
        yield* await ask(() => tail.added());
      },
      missing: () => undefined,
      close: () => jobs.close(),
    };
  } catch (error) {
    await jobs.close();
    throw error;
  }
}

async function storedLife(run: string, jobs: Jobs): Promise<RunLife> {
  const { queue, runs } = jobs;
  const job = await queue.find(run);
  if (job?.state === 'ended') return { kind: 'ended', job };
  if (job !== undefined) return { kind: 'alive', note: noteOf(job, await queueView(jobs)) };
  const [claim] = await runs.claims(run);
  if (claim === undefined) return { kind: 'idle' };
  return claim.left > 0 ? { kind: 'alive' } : { kind: 'idle' };
}

async function localSource(run: string, stateDir: string): Promise<LogSource> {
  const header = await readHeader(stateDir, run);
  const mark = await readMark(stateDir, run);
  const path = journalPath(stateDir, run);
  const tail = journalTail(path);
  return {
    life: async () => {
      const lock = (await locksIn(stateDir)).find(({ name }) => name === `run-${run}`);
      if (lock === undefined || lock.life.state === 'dead') return { kind: 'idle' };
      return { kind: lock.life.state };
    },
    added: async function* () {
      for await (const entry of tail.added()) {
        const because = entry.seq === 1 ? differenceIn(header, entry) : undefined;
        if (because !== undefined) throw new JournalError(`${path}:1 ${because}`);
        yield entry;
      }
    },
    missing: () => {
      const { seq, isTorn } = tail.end;
      if (seq < (mark?.seq ?? 0)) {
        throw new JournalError(
          `${path}:${seq + 1} is damaged: entries up to ${mark?.seq ?? 0} were on the disk and are missing`,
        );
      }
      return isTorn ? `line ${seq + 1} is not complete` : undefined;
    },
    close: async () => undefined,
  };
}
