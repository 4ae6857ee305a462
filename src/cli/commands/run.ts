/** `run`: plan, ask, send; or exactly the plan that was reviewed. */
import { UsageError, type ExitCode } from '../../base/error.ts';
import { isRecord, plainJson, type Json } from '../../base/json.ts';
import type { Config } from '../../config/load.ts';
import type { Profile } from '../../config/profile.ts';
import type { Approval } from '../../journal/entry.ts';
import { hasBegun } from '../../journal/runs.ts';
import { readPlan, savePlan } from '../../plan/file.ts';
import type { Plan } from '../../plan/plan.ts';
import { stepsAsIn } from '../../playbook/only.ts';
import type { Playbook } from '../../playbook/playbook.ts';
import { slotOf, slotRunId, SlotTakenError, type Slot } from '../../schedule/slot.ts';
import { approve, type ToApprove } from '../approval/ask.ts';
import { approvalsOf, askedFor } from '../approval/signed.ts';
import { outputOf, type Context, type Given } from '../context.ts';
import { chosenSteps } from '../given/chosen.ts';
import { givenInputs, loadGiven, proved } from '../given/playbooks.ts';
import { refuseBroken } from '../running/guarded.ts';
import { performAndTell } from '../running/outcome.ts';
import { runFormats, stoppable } from '../running/perform.ts';
import { prepare, type Prepared } from '../running/planning.ts';
import {
  isPlan,
  planNamed,
  preparedAgain,
  refuseChanged,
  refuseOutlived,
} from '../running/reviewed.ts';
import { syncState } from '../running/state.ts';
import { configOf, openWork, profileOf, type Work } from '../running/work.ts';
import { planText, totalLines } from '../screens/plan.ts';

export async function run(context: Context, given: Given): Promise<ExitCode> {
  outputOf(context, runFormats);
  const config = await configOf(context);
  const job = await jobOf(given, config, context);
  const session = await openWork(context, config, job.profile, { needsKey: true });
  const { stateDir } = config;
  return stoppable(context, async (interruption) => {
    try {
      const store = await syncState(config, context, session.destination);
      const prepared = await preparedFor(job, session, stateDir, interruption.drain, context);
      refuseBroken(prepared.plan);
      const approvals = await ask(
        job.reviewed ?? prepared.plan,
        { ...job, session, signal: interruption.drain },
        config,
        context,
      );
      return await performAndTell(
        {
          prepared,
          session,
          stateDir,
          store,
          interruption,
          ...(job.reviewed && { planId: job.reviewed.id }),
          ...(approvals && { approvals }),
        },
        given,
        context,
      );
    } finally {
      await session.close();
    }
  });
}

interface Job {
  /** With the steps that were asked for. */
  readonly playbook: Playbook;
  readonly given: ReadonlyMap<string, Json>;
  readonly profile: Profile;
  /** The time of its schedule it is for. */
  readonly slot?: Slot;
  /** The plan that was looked at before. */
  readonly reviewed?: Plan;
  readonly approved?: string;
}

async function jobOf(given: Given, config: Config, context: Context): Promise<Job> {
  const path = given.words[0] ?? '';
  const approved = given.text('approve');
  const approval = approved === undefined ? {} : { approved };
  if (await isPlan(path)) {
    return { ...plannedJob(await readPlan(path), given, config, context), ...approval };
  }
  if (approved !== undefined) {
    const reviewed = await planNamed(approved, config);
    await refuseChanged(reviewed, path);
    return { ...plannedJob(reviewed, given, config, context), approved };
  }
  const asked = chosenSteps(await loadGiven(path, context), given);
  const values = await givenInputs(asked.playbook, given, context);
  return { ...asked, given: values, profile: profileOf(context, config, asked.playbook.account) };
}

/** A plan holds its playbook, inputs and account: nothing of them can be given anew. */
function plannedJob(
  reviewed: Plan,
  given: Given,
  config: Config,
  context: Context,
): Omit<Job, 'approved'> {
  const flags = ['var', 'var-file', 'only', 'scheduled-for'];
  const extra = flags.find((flag) => given.texts(flag).length > 0 || given.text(flag));
  if (extra !== undefined) {
    throw new UsageError(`--${extra} cannot change a plan`, 'make a new plan with it');
  }
  const inputs = isRecord(reviewed.inputs) ? Object.entries(reviewed.inputs) : [];
  const whole = proved(reviewed.playbook, context);
  const playbook = stepsAsIn(whole, reviewed);
  const { scheduledFor } = reviewed;
  return {
    playbook,
    ...(scheduledFor !== undefined && { slot: slotOf(scheduledFor, playbook, whole) }),
    given: new Map(inputs.map(([name, value]) => [name, plainJson(value)])),
    profile: profileOf(context, config, reviewed.destination.profile),
    reviewed,
  };
}

/** A plan made now; when one was reviewed, the very same one or a refusal. */
async function preparedFor(
  { playbook, given, slot, reviewed }: Job,
  session: Work,
  stateDir: string,
  signal: AbortSignal,
  context: Context,
): Promise<Prepared> {
  const { destination } = session;
  const own = slot && { ...slot, runId: slotRunId(destination, playbook.name, slot) };
  if (own !== undefined && hasBegun(stateDir, own.runId)) {
    throw new SlotTakenError(own.scheduledFor, own.runId);
  }
  const job = { playbook, given, session, stateDir, isOffline: false, signal, ...own };
  return reviewed === undefined ? prepare(job, context) : preparedAgain(reviewed, job, context);
}

/**
 * What goes to a live account is saved first, so that it can be reviewed, and shown where it is
 * asked; of any other what it adds up to is told.
 */
async function ask(
  plan: Plan,
  { approved, reviewed, session, signal }: Asking,
  config: Config,
  context: Context,
): Promise<readonly Approval[] | undefined> {
  const { err, canAsk } = context.terminal;
  const isSigned = askedFor(plan, config).length > 0;
  const isLive = plan.destination.target === 'live';
  const isAsked = isSigned ? reviewed === undefined : isLive && approved === undefined;
  if (isAsked) await savePlan(config.stateDir, plan);
  const lines = isAsked ? planText(plan, { isFull: false }, err.look) : totalLines(plan, err.look);
  if (!context.globals.isQuiet || (isAsked && canAsk)) err.line(`${lines.join('\n')}\n`);
  const { id, destination, totals } = plan;
  const approvals = await approvalsOf(plan, config, context);
  // Who asks for the signed word of others needs nobody's word typed here.
  const word = approved ?? (approvals && id);
  await approve({ kind: 'plan', id, destination, totals, signal }, word, context);
  if (isLive && word === undefined) {
    await refuseOutlived(plan, session.exchange, signal, session.profile.plans.lasts);
  }
  return approvals;
}

interface Asking extends Pick<Job, 'approved' | 'reviewed'>, Pick<ToApprove, 'signal'> {
  readonly session: Work;
}
