/** Queues a run for a worker; needs no key. */
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { plainText, shellWord } from '../../base/text.ts';
import type { Config } from '../../app/config/load.ts';
import { holdsPlan, planIn, sealedText } from '../../engine/plan/file.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { mayWrite } from '../../engine/plan/effect.ts';
import type { Job } from '../../stores/queue.ts';
import { ApprovalError } from '../../engine/approval/approval-error.ts';
import { userName } from '../../app/machine/person.ts';
import { keepApprovals, recordTexts } from '../../app/approval/kept.ts';
import { approvalsOf } from '../../app/approval/signed.ts';
import { readArgument } from '../args/named-file.ts';
import { refuseOtherTexts } from '../../app/machine/checkout.ts';
import { waitIn } from '../args/queued.ts';
import { outputOf, type Args, type Context } from '../context.ts';
import { refuseBroken } from '../../app/planning/guarded.ts';
import { stoppable } from '../../app/machine/interrupt.ts';
import { refuseBlocked } from '../../app/running/queued.ts';
import { openJobs } from '../../app/store/jobs.ts';
import type { Jobs } from '../../stores/job-store.ts';
import { isPlanId, planNamed } from '../../app/planning/plan-named.ts';
import { refuseUsed } from '../../app/planning/reviewed.ts';
import { untilAnswered } from '../../app/store/patience.ts';
import { syncRun } from '../../app/store/synchronized.ts';
import { configOf } from '../../app/config/opened.ts';
import { reportUnserved } from './report-unserved.ts';
import { awaitTaken, hasLines } from '../../app/queue/available.ts';
import { follow } from './follow.ts';
import { resumeJob, runJob, type ToResume } from '../../app/queue/job.ts';
import { refuseUnsigned } from '../../app/worker/served.ts';
import { queuedOnce, queueing } from '../../app/queue/unanswered.ts';
import { destinationsOf } from '../../engine/journal/account.ts';

/** Queues a reviewed plan. */
export function queuePlan(context: Context, args: Args): Promise<ExitCode> {
  const path = args.positionals[0] ?? '';
  const command = `deskhand run ${shellWord(path)} --queue`;
  return queueing(command, context, (own) => queueReviewed(path, own, args));
}

/**
 * Queues a reviewed plan. Everything that needs no key is checked here, and all of it again by the
 * worker.
 */
async function queueReviewed(path: string, context: Context, args: Args): Promise<ExitCode> {
  refuseLost(
    args,
    ['new', 'var', 'var-file', 'only', 'from', 'of', 'scheduled-for', 'report'],
    context,
  );
  const config = await configOf(context);
  const plan = isPlanId(path)
    ? await planNamed(path, config, context)
    : await planAt(path, context);
  refuseOtherTexts(plan, context);
  refuseBroken(plan);
  const { id } = plan;
  const approved = args.text('approve') ?? id;
  if (approved !== id) {
    throw new ApprovalError(
      `--approve names ${approved}, but this plan is ${id}`,
      'review it first',
    );
  }
  if (!mayWrite(plan)) {
    throw new UsageError('this plan sends nothing', `run it here: deskhand run ${shellWord(path)}`);
  }
  const accounts = destinationsOf(plan);
  refuseUnsigned(accounts, config);
  await approvalsOf(plan, config, context);
  const records = await recordTexts(id, accounts, config, context);
  await refuseBlocked(plan, config, context);
  const body = {
    plan: sealedText(plan),
    records,
  };
  return queueJob(runJob(plan, body, userName()), config, args, context);
}

async function planAt(path: string, { terminal }: Context): Promise<Plan> {
  const bytes = await readArgument(path, terminal);
  if (holdsPlan(bytes)) return planIn(bytes, path);
  throw new UsageError(
    '--queue takes a reviewed plan, not a playbook',
    `make one: deskhand plan ${shellWord(path)} --queue --out plan.json`,
  );
}

/**
 * Refuses flags that only have a meaning without a worker, and formats that have nothing to show:
 * they would be ignored.
 * @throws UsageError
 */
function refuseLost(args: Args, flags: readonly string[], context: Context): void {
  const extra = flags.find((flag) => args.texts(flag).length > 0 || args.text(flag));
  if (extra !== undefined) {
    throw new UsageError(`--${extra} cannot be queued`, 'without --queue it runs here');
  }
  if (args.isOn('follow')) return;
  if (context.globals.jsonInto !== undefined) {
    throw new UsageError('--json-into has nothing to write without --follow', 'add --follow');
  }
  outputOf(context, ['text']);
}

/** Queues the rest of a run. */
export async function queueRest(
  run: ToResume,
  config: Config,
  args: Args,
  context: Context,
): Promise<ExitCode> {
  refuseLost(args, ['approve', 'plan', 'report'], context);
  refuseUnsigned(run.accounts, config);
  const { plan, accounts } = run;
  if (plan !== undefined) {
    await untilAnswered(() => keepApprovals(plan, accounts, config, context), context);
  }
  return queueJob(resumeJob(run, userName()), config, args, context);
}

/** The error for a run whose job has ended before it began; undefined without such a job. */
export async function neverBegun(
  run: string,
  config: Config,
  context: Context,
): Promise<UsageError | undefined> {
  const jobs = await openJobs(config, context);
  try {
    const known = await untilAnswered(() => jobs.queue.find(run), context);
    if (known === undefined) return undefined;
    if (await untilAnswered(() => hasLines(run, jobs.runs), context)) return undefined;
    const how = known.state === 'ended' ? 'never began' : 'has not begun yet';
    const words = known.ending === undefined ? '' : `: ${plainText(known.ending.message, 300)}`;
    return new UsageError(
      `run ${plainText(run, 60)} ${how}${words}`,
      known.state === 'ended'
        ? 'queue its plan again: deskhand run PLAN --queue'
        : 'see the queue: deskhand workers',
    );
  } finally {
    await jobs.close();
  }
}

/**
 * Refuses a run that began without the queue, or whose job has ended: it is not queued a second
 * time. Its end is shown to those who follow it.
 * @throws StalePlanError
 */
async function refuseBegun(
  { id }: Job,
  { queue }: Jobs,
  config: Config,
  args: Args,
  context: Context,
): Promise<void> {
  const known = await untilAnswered(() => queue.find(id), context);
  const isShown = known !== undefined && args.isOn('follow');
  if (isShown || (known !== undefined && known.state !== 'ended')) return;
  await syncRun(id, config, context, { run: id });
  await refuseUsed(config.stateDir, id);
}

async function queueJob(job: Job, config: Config, args: Args, context: Context): Promise<ExitCode> {
  const wait = waitIn(args);
  const jobs = await openJobs(config, context);
  const { err, out } = context.terminal;
  try {
    const isQueued = await queuedOnce(job, jobs, context);
    if (!isQueued) await refuseBegun(job, jobs, config, args, context);
    await reportUnserved(job, jobs, context);
    if (wait !== undefined) {
      const cancel = `deskhand runs cancel ${shellWord(job.id)}`;
      await stoppable(context, async ({ drain }) => {
        try {
          const say = (line: string): void => err.line(line);
          const asking = { clock: context.clock, say };
          await awaitTaken({ job, isOurs: isQueued, wait }, jobs, drain, asking);
        } catch (error) {
          if (drain.aborted) err.line(`${job.id} stays queued; stop it with: ${cancel}`);
          throw error;
        }
      });
    }
    if (args.isOn('follow')) return await follow(job.id, jobs, context);
    out.line(job.id);
    err.line(`${job.id} ${isQueued ? 'is' : 'was already'} queued: ${plainText(job.playbook, 80)}`);
    return exits.done;
  } finally {
    await jobs.close();
  }
}
