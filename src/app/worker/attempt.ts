/** Does one job, from its plan to the end of its run, as `run` and `resume` do, without a person to ask. */
import { second } from '../../base/clock.ts';
import { exits, InternalError, type ExitCode } from '../../base/error.ts';
import { signedIn, type SignedFile } from '../../engine/approval/record.ts';
import { endIn, isDone } from '../../engine/journal/end.ts';
import { NewerFormatError } from '../../engine/journal/error.ts';
import { isRunId } from '../../engine/journal/identity.ts';
import { dropJournal } from '../../engine/journal/kept-journal.ts';
import { hasBegun, readRun } from '../../engine/journal/runs.ts';
import { planIn } from '../../engine/plan/file.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { StalePlanError } from '../../engine/plan/stale.ts';
import type { SharedPlans } from '../../stores/shared-plans.ts';
import type { Job } from '../../stores/queue.ts';
import { notApprovedYet } from '../approval/consent.ts';
import type { Config } from '../config/load.ts';
import { configOf } from '../config/opened.ts';
import type { AppContext } from '../app-context.ts';
import { refuseOtherTexts } from '../machine/checkout.ts';
import { runBodyOf, type RunBody } from '../queue/job.ts';
import { errorOfContinued, ofResumedRun } from '../running/begun.ts';
import { newestOf } from '../running/lost.ts';
import { begunRun, resumeRun } from '../running/resume.ts';
import { jobOfPlan, runJob, type RunPorts } from '../running/run.ts';
import { startOf } from '../running/started.ts';
import { syncState } from '../store/synchronized.ts';
import { endingOf, isOfMachine, isPassing, waitOf } from './job-failure.ts';
import type { Attempted } from './work-options.ts';
import type { JobScreen, WorkerScreen } from './shown-jobs.ts';
import { refuseUnserved } from './served.ts';
import { destinationsOf } from '../../engine/journal/account.ts';

const busy = 5 * second; // before a job that has to wait is tried again

export interface Attempt {
  readonly config: Config;
  /** Profiles that this worker serves. */
  readonly served: readonly string[];
  /** Where a plan is stored. */
  readonly plans: SharedPlans;
  readonly screen: WorkerScreen;
  /** The signal that stops the run in order. */
  readonly stop: AbortSignal;
}

/**
 * Does a job. Everything that `deskhand run` and `deskhand resume` check on one machine is checked again
 * here, with this worker's configuration, checkout and keys: the queue proves nothing.
 */
export async function attempt(job: Job, options: Attempt, context: AppContext): Promise<Attempted> {
  const { config, stop } = options;
  const secrets = [...context.secrets]; // of this job alone, so that they do not accumulate
  const screen = options.screen.job(job, secrets);
  const body = runBodyOf(job.body);
  const own: AppContext = {
    ...context,
    note: screen.note,
    canAsk: () => false,
    secrets,
    stop,
    ...(body && { kept: recordsOf(job, body) }),
    startsFull: true,
    isWorker: true,
  };
  try {
    if (!isRunId(job.id)) throw new StalePlanError('the job does not have the id of a run');
    await syncState(config, own, undefined, { run: job.id });
    const exit = await executed(job, body, options, { screen, own });
    return await attempted(job, exit, options);
  } catch (error) {
    if (error instanceof NewerFormatError) screen.failed(error);
    if (isPassing(error)) {
      return { kind: 'given-back', delay: busy, wait: waitOf(error, secrets) };
    }
    const ending = endingOf(await standing(error, job, options, own), secrets);
    if (stop.aborted) return { kind: 'given-back', delay: 0, ending };
    return { kind: isOfMachine(error) ? 'unable' : 'ended', ending };
  } finally {
    dropJournal();
  }
}

/** The signed records that came with a job. */
function recordsOf({ id }: Job, { records }: RunBody): readonly SignedFile[] {
  return records.map((text, at) => signedIn(Buffer.from(text), `record ${at + 1} of job ${id}`));
}

/** The error that prevents a begun run from continuing, with what was sent and what is in doubt. */
async function standing(
  error: unknown,
  { id: run }: Job,
  { config: { stateDir } }: Attempt,
  context: AppContext,
): Promise<unknown> {
  if (!(await hasBegun(stateDir, run).catch(() => true))) return error;
  const entries = await readRun(stateDir, run).catch(() => undefined);
  const { store } = context;
  const newest = entries && store && (await newestOf(entries, { run, stateDir, store }, context));
  return errorOfContinued(error, newest ?? entries, true);
}

/** The context and the screen of one job: each job has its own. */
interface Working {
  readonly screen: JobScreen;
  readonly own: AppContext;
}

/**
 * Runs the plan of a job. It is refused unless it is unchanged since its review, and its approvals suffice.
 */
async function executed(
  job: Job,
  body: RunBody | undefined,
  options: Attempt,
  working: Working,
): Promise<ExitCode> {
  const { stateDir } = options.config;
  const isBegun = await hasBegun(stateDir, job.id);
  if (job.kind === 'run') {
    if (body === undefined) throw new StalePlanError(`the job ${job.id} cannot be read`);
    const planOfJob = (): Plan => planIn(Buffer.from(body.plan), `of job ${job.id}`);
    // A plan may be large: it is read if the journal is to be compared with it.
    if (isBegun) return resumed(job, planOfJob, options, working);
    const plan = planOfJob();
    if (plan.run !== job.id) throw new StalePlanError(`the job ${job.id} has another run’s plan`);
    refuseUnserved(destinationsOf(plan), options);
    const { own } = working;
    const config = await configOf(own);
    const toRun = { ...jobOfPlan(plan, config, own), approved: plan.id };
    return runJob(toRun, portsOf(working), config, own);
  }
  if (job.kind !== 'resume') throw new StalePlanError(`the job ${job.id} cannot be read`);
  if (!isBegun) throw new InternalError(`run ${job.id} has no lines`);
  return resumed(job, undefined, options, working);
}

/** The ports of a run for which no person is asked: the approvals must suffice. */
function portsOf({ screen, own }: Working): RunPorts<ExitCode> {
  return {
    present: () => undefined,
    ask: (what) => Promise.reject(notApprovedYet(what)),
    execute: (running) => screen.execute(running, own),
  };
}

/**
 * Continues a run. Its journal comes from the database, so its playbook must be the one of this checkout,
 * too.
 */
async function resumed(
  { id }: Job,
  planOfJob: (() => Plan) | undefined,
  options: Attempt,
  working: Working,
): Promise<ExitCode> {
  const { own, screen } = working;
  const entries = await readRun(options.config.stateDir, id);
  const started = startOf(entries, id);
  if (!isDone(entries)) {
    refuseUnserved(destinationsOf(started), options);
    refuseOtherTexts({ id: started.plan ?? id, playbook: started.playbook }, own);
  }
  const plan = started.plan === undefined ? undefined : planOfJob;
  return ofResumedRun(async (note) => {
    const config = await configOf(own);
    const begun = await begunRun(id, note, config, own);
    const ended = await resumeRun(begun, { approved: id, plan }, portsOf(working), config, own);
    return screen.resumed(id, ended, own);
  }, own);
}

/**
 * The result of an attempt. A run that was stopped in order, or whose store gave no answer, continues later;
 * its doubts are looked up then.
 */
async function attempted(
  { id }: Job,
  exit: ExitCode,
  { stop, config: { stateDir } }: Attempt,
): Promise<Attempted> {
  const status = endIn(await readRun(stateDir, id))?.status ?? 'interrupted';
  // The run is done, but its accounts may not be released: the next attempt releases them.
  const isHeld = status === 'done' && exit !== exits.done;
  const ending = { exit: isHeld ? exits.done : exit, message: status, result: { status } };
  const isOpen = isHeld || status === 'interrupted' || (status === 'doubt' && stop.aborted);
  return isOpen
    ? { kind: 'given-back', delay: stop.aborted ? 0 : second, ending }
    : { kind: 'ended', ending };
}
