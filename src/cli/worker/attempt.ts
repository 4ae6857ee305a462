/** One job, from its plan to the end of its run: what a person would type, without a terminal. */
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { second } from '../../base/clock.ts';
import { exits, InternalError, type ExitCode } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import type { Config } from '../../app/config/load.ts';
import { replaceFile } from '../../engine/journal/file.ts';
import { endIn, isDone } from '../../engine/journal/end.ts';
import { NewerFormatError } from '../../engine/journal/error.ts';
import { dropJournal } from '../../engine/journal/kept-journal.ts';
import { isRunId } from '../../engine/journal/identity.ts';
import { machineId } from '../../engine/journal/machine.ts';
import { hasBegun, readRun } from '../../engine/journal/runs.ts';
import { thisKernel } from '../../base/lock/kernel.ts';
import { planIn } from '../../engine/plan/file.ts';
import { StalePlanError } from '../../engine/plan/stale.ts';
import type { SharedPlans } from '../../stores/plans.ts';
import type { Job } from '../../stores/queue.ts';
import { refuseOtherTexts } from '../../app/machine/checkout.ts';
import { argsOf } from '../args/made.ts';
import { onTerminal, type Context } from '../context.ts';
import { run as resumeRun } from '../commands/resume.ts';
import { errorOfContinued } from '../../app/running/begun.ts';
import { newestOf } from '../../app/running/lost.ts';
import { startOf } from '../../app/running/started.ts';
import { run as runPlan } from '../commands/run.ts';
import { printError } from '../exits.ts';
import { idForm } from '../../app/planning/plan-named.ts';
import { syncState } from '../../app/store/state.ts';
import { endingOf, isOfMachine, isPassing, waitOf } from './failure.ts';
import { jobFolder } from './job-folder.ts';
import { runBodyOf, type RunBody } from './job.ts';
import type { Attempted } from './loop.ts';
import { isLog } from '../screens/log-channel.ts';
import { quietly } from './quiet.ts';
import { refuseUnserved } from './served.ts';

const busy = 5 * second; // before a job that has to wait is tried again

export interface Attempt {
  readonly config: Config;
  /** Profiles that this worker serves. */
  readonly served: readonly string[];
  /** Where a plan is stored. */
  readonly plans: SharedPlans;
  /** Aborted when the run should stop in order. */
  readonly stop: AbortSignal;
}

/**
 * Everything that `deskhand run` and `deskhand resume` check on one machine is checked again here,
 * with this worker's configuration, checkout and keys: the queue proves nothing.
 */
export async function attempt(job: Job, options: Attempt, context: Context): Promise<Attempted> {
  const { config, stop } = options;
  const machine = await machineId(config.stateDir);
  const records = await jobFolder(tmpdir(), machine, thisKernel());
  const secrets = [...context.secrets]; // of this job alone, so that they do not accumulate
  const print = (line: string): void => {
    if (line.trim() !== '') context.terminal.err.line(`${plainText(job.id, 64)}  ${line}`);
  };
  const quiet = logging(quietly(context, print), { job, secrets, context });
  const own: Context = { ...quiet, secrets, stop, records, startsFull: true, isWorker: true };
  try {
    if (!isRunId(job.id)) throw new StalePlanError('the job does not have the id of a run');
    await syncState(config, own, undefined, { run: job.id });
    const exit = await executed(job, records, options, own);
    return await attempted(job, exit, options);
  } catch (error) {
    if (error instanceof NewerFormatError) printError(error, own);
    if (isPassing(error)) {
      return { kind: 'given-back', delay: busy, wait: waitOf(error, secrets) };
    }
    const ending = endingOf(await standing(error, job, options, own), secrets);
    if (stop.aborted) return { kind: 'given-back', delay: 0, ending };
    return { kind: isOfMachine(error) ? 'unable' : 'ended', ending };
  } finally {
    dropJournal();
    await rm(records, { recursive: true, force: true }).catch(() => undefined); // temporary anyway
  }
}

/** What prevents a begun run from continuing says what was sent and what is in doubt. */
async function standing(
  error: unknown,
  { id: run }: Job,
  { config: { stateDir } }: Attempt,
  context: Context,
): Promise<unknown> {
  if (!(await hasBegun(stateDir, run).catch(() => true))) return error;
  const entries = await readRun(stateDir, run).catch(() => undefined);
  const { store } = context;
  const newest = entries && store && (await newestOf(entries, { run, stateDir, store }, context));
  return errorOfContinued(error, newest ?? entries, true);
}

/** With a log, a job has records in place of lines: its run is a field of each. */
function logging(
  quiet: Context,
  {
    job,
    secrets,
    context,
  }: { readonly job: Job; readonly secrets: Context['secrets']; readonly context: Context },
): Context {
  const { err } = context.terminal;
  if (!isLog(err)) return quiet;
  const own = err.with({ run: plainText(job.id, 64) }, secrets);
  return onTerminal(quiet, { ...quiet.terminal, err: own });
}

/** A plan is refused unless it is still what was reviewed, and its approvals suffice. */
async function executed(
  job: Job,
  records: string,
  options: Attempt,
  context: Context,
): Promise<ExitCode> {
  const { stateDir } = options.config;
  const isBegun = await hasBegun(stateDir, job.id);
  if (job.kind === 'run') {
    const body = runBodyOf(job.body);
    if (body === undefined) throw new StalePlanError(`the job ${job.id} cannot be read`);
    // A plan may be large: `resume` reads its file if it needs it, and compares it with the journal.
    if (isBegun) return resumed(job, (id) => saved(body, id, records), options, context);
    const plan = planIn(Buffer.from(body.plan), `of job ${job.id}`);
    if (plan.run !== job.id) throw new StalePlanError(`the job ${job.id} has another run’s plan`);
    refuseUnserved([plan.destination, ...(plan.accounts ?? [])], options);
    const file = await saved(body, plan.id, records);
    return runPlan(context, argsOf({ positionals: [file], texts: { approve: plan.id } }));
  }
  if (job.kind !== 'resume') throw new StalePlanError(`the job ${job.id} cannot be read`);
  if (!isBegun) throw new InternalError(`run ${job.id} has no lines`);
  return resumed(job, undefined, options, context);
}

/** Writes a plan and the records about it. @returns the path of the plan */
async function saved(body: RunBody, id: string, folder: string): Promise<string> {
  const file = join(folder, 'plan.json');
  await replaceFile(file, body.plan);
  for (const [at, text] of body.records.entries()) {
    await replaceFile(join(folder, `${id}-${at}.approval`), text);
  }
  return file;
}

/** The journal comes from the database: its playbook must be the one of this checkout, too. */
async function resumed(
  { id }: Job,
  planOf: ((id: string) => Promise<string>) | undefined,
  options: Attempt,
  context: Context,
): Promise<ExitCode> {
  const entries = await readRun(options.config.stateDir, id);
  const started = startOf(entries, id);
  if (!isDone(entries)) {
    refuseUnserved([started.destination, ...(started.accounts ?? [])], options);
    refuseOtherTexts({ id: started.plan ?? id, playbook: started.playbook }, context);
  }
  const { plan: planId = '' } = started;
  const plan = planOf && idForm.test(planId) ? await planOf(planId) : undefined;
  return resumeRun(context, argsOf({ positionals: [id], texts: { approve: id, plan } }));
}

/**
 * A run that was stopped in order, or whose store gave no answer, continues later; its doubts are
 * looked up then.
 */
async function attempted(
  { id }: Job,
  exit: ExitCode,
  { stop, config: { stateDir } }: Attempt,
): Promise<Attempted> {
  const status = endIn(await readRun(stateDir, id))?.status ?? 'interrupted';
  // Done, but its accounts may not be released: the next attempt does that.
  const isHeld = status === 'done' && exit !== exits.done;
  const ending = { exit: isHeld ? exits.done : exit, message: status, result: { status } };
  const isOpen = isHeld || status === 'interrupted' || (status === 'doubt' && stop.aborted);
  return isOpen
    ? { kind: 'given-back', delay: stop.aborted ? 0 : second, ending }
    : { kind: 'ended', ending };
}
