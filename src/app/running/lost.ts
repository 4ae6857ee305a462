/** A run whose record this process lost: another took it over, or a write has no recorded outcome. */
import { second, type Millis } from '../../base/clock.ts';
import { endIn } from '../../engine/journal/end.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { hasOpenWrite } from '../../engine/journal/replay.ts';
import { readRun } from '../../engine/journal/runs.ts';
import { summaryOf } from '../../report/summary.ts';
import { LostRecordError } from '../../engine/runtime/lost-record.ts';
import { LostRunError, type StateStore } from '../../stores/store.ts';
import type { AppContext } from '../app-context.ts';
import { takenOverError } from './begun.ts';
import { notifyOfLost } from './notices.ts';
import type { ExecutedRun, RunningJob } from './running.ts';

/** The places of a run's record: here, and in the store for all machines. */
interface RunPlace {
  readonly run: string;
  readonly stateDir: string;
  readonly store: StateStore;
}

/**
 * Ends a run whose record was lost: after a suspension, or a time without the store, another process may have
 * taken it over.
 * @returns the end that the other process recorded
 * @throws NotContinuedError with what is sent and in doubt, while another process continues it; otherwise the
 * error, also in a worker, which gives its job back
 */
export async function endElsewhere(
  error: unknown,
  job: Pick<RunningJob, 'prepared' | 'session' | 'store'>,
  context: AppContext,
): Promise<ExecutedRun> {
  const { runId } = job.prepared;
  const entries = isTakenOver(error) ? await recordOf(placeOf(job)) : undefined;
  const end = entries && endIn(entries);
  if (entries !== undefined && end !== undefined) {
    const message = `another process took ${runId} over and ended it: this is its whole record`;
    context.note({ kind: 'remark', message });
    return { result: end, summary: summaryOf(entries), entries, exit: end.exit };
  }
  const isSettled = entries !== undefined && !hasOpenWrite(entries); // by the other process
  if (error instanceof LostRecordError && !isSettled) {
    const { profile } = job.session;
    await notifyOfLost(error, { ...job.prepared, profile }, context);
  }
  if (entries === undefined || context.isWorker === true) throw error;
  throw takenOverError(error, runId, entries);
}

/** The places of the record of a run that is executed here. */
export function placeOf({
  prepared,
  session,
  store,
}: Pick<RunningJob, 'prepared' | 'session' | 'store'>): RunPlace {
  return { run: prepared.runId, stateDir: session.config.stateDir, store };
}

/**
 * The newest record of a run that ended here: after a suspension, another process may have continued it.
 * @param entries the record at the end here
 */
export async function newestOf(
  entries: readonly Entry[],
  place: RunPlace,
  { clock }: Pick<AppContext, 'clock'>,
): Promise<readonly Entry[]> {
  if (place.store.coordination === undefined) return entries;
  let newest = entries;
  for (let left = attempts; left > 0; left--) {
    const asked = clock.now();
    newest = (await recordOf(place)) ?? newest;
    if (clock.now() - asked < oldest) break; // otherwise this process may have been suspended meanwhile
  }
  return newest;
}

const attempts = 3;
const oldest: Millis = 3 * second; // an answer on which a notification relies

function isTakenOver(error: unknown): boolean {
  if (error instanceof LostRecordError) return isTakenOver(error.cause);
  return error instanceof LostRunError;
}

async function recordOf({ run, store, stateDir }: RunPlace): Promise<readonly Entry[] | undefined> {
  try {
    await store.sync({ run });
    return await readRun(stateDir, run);
  } catch {
    return undefined; // the first error has what is known here
  }
}
