/** `run`: plans, confirms and executes; or runs exactly a reviewed plan. */
import { UsageError, type ExitCode } from '../../base/error.ts';
import { isRecord, plainJson, type Json } from '../../base/json.ts';
import { itemsMaxOf, type Config } from '../../config/load.ts';
import type { Profile } from '../../config/profile.ts';
import type { Approval } from '../../journal/entry.ts';
import { holdsPlan, planIn, savePlan } from '../../plan/file.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Playbook } from '../../playbook/playbook.ts';
import { slotOf, SlotTakenError, type Slot } from '../../schedule/slot.ts';
import type { StateStore } from '../../state-store/store.ts';
import { approve, type ToApprove } from '../approval/ask.ts';
import { approvalsOf, askedFor } from '../approval/signed.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import { chosenAsIn, chosenSteps } from '../args/chosen.ts';
import { refuseOtherTexts } from '../args/checkout.ts';
import { readArgument } from '../args/files.ts';
import { isQueued } from '../args/queued.ts';
import { givenInputs, includedHere, loadBytes, proved } from '../args/playbooks.ts';
import { refuseBroken } from '../session/guarded.ts';
import { notifyingOfApproval } from '../session/run-notices.ts';
import { executeAndReport } from '../session/outcome.ts';
import { stoppable } from '../session/execute.ts';
import { runFormats } from '../session/screen.ts';
import { prepare, type Prepared } from '../session/planning.ts';
import { isPlanId, planNamed } from '../session/plan-named.ts';
import { plannedRunId } from '../session/run-id.ts';
import { preparedAgain, refuseOther, refuseOutlived } from '../session/reviewed.ts';
import { slotRunOf } from '../session/slots.ts';
import { syncFor } from '../session/beside.ts';
import { syncState } from '../session/state.ts';
import { configOf, profileOf } from '../session/config.ts';
import { openWork, type Work } from '../session/work.ts';
import { noteLines, planText, totalLines } from '../screens/plan.ts';

export async function run(context: Context, args: Args): Promise<ExitCode> {
  outputOf(context, runFormats);
  if (isQueued(args)) return (await import('../worker/enqueue.ts')).queuePlan(context, args);
  const config = await configOf(context);
  const job = await jobOf(args, config, context);
  const session = await openWork(context, config, job.profile, { needsKey: true });
  const { stateDir } = config;
  return stoppable(context, async (interruption) => {
    const { drain: signal } = interruption;
    try {
      const store = await synced(job, session, context);
      const planned = await preparedFor(job, session, stateDir, signal, context);
      refuseBroken(planned.plan);
      const asked = await ask(planned.plan, { ...job, session, signal }, config, context);
      // What was shown at the prompt is sent, if it is still valid.
      const prepared = asked.isTyped
        ? await preparedFor(
            { ...job, reviewed: job.reviewed ?? planned.plan },
            session,
            stateDir,
            signal,
            context,
          )
        : planned;
      const { approvals } = asked;
      const planId = job.reviewed && { planId: job.reviewed.id };
      const running = { prepared, session, stateDir, store, interruption, ...planId };
      return await executeAndReport({ ...running, ...(approvals && { approvals }) }, args, context);
    } finally {
      await session.close();
    }
  });
}

/** The accounts of a reviewed plan are known, and with them the runs that it depends on. */
function synced({ reviewed }: Job, session: Work, context: Context): Promise<StateStore> {
  if (reviewed === undefined) return syncState(session.config, context, session.destination);
  const { playbook, destination, accounts = [] } = reviewed;
  const all = [destination, ...accounts];
  const beginning = { run: plannedRunId(reviewed), playbook: playbook.name, accounts: all };
  return syncFor(beginning, session, context);
}

interface Job {
  /** Reduced to the selected steps. */
  readonly playbook: Playbook;
  readonly args: ReadonlyMap<string, Json>;
  readonly profile: Profile;
  /** The scheduled time of the run. */
  readonly slot?: Slot;
  /** The plan that was reviewed before. */
  readonly reviewed?: Plan;
  readonly approved?: string;
}

async function jobOf(args: Args, config: Config, context: Context): Promise<Job> {
  const path = args.positionals[0] ?? '';
  const name = path === '-' ? 'stdin' : path;
  const approved = args.text('approve');
  const approval = approved === undefined ? {} : { approved };
  if (isPlanId(path)) {
    return {
      ...plannedJob(await planNamed(path, config, context), args, config, context),
      ...approval,
    };
  }
  const bytes = await readArgument(path, context.terminal);
  if (holdsPlan(bytes)) {
    return { ...plannedJob(planIn(bytes, name), args, config, context), ...approval };
  }
  if (approved !== undefined) {
    const reviewed = await planNamed(approved, config, context);
    refuseOther(reviewed, bytes, name);
    return { ...plannedJob(reviewed, args, config, context), approved };
  }
  const asked = chosenSteps(loadBytes(bytes, path, config, context), args);
  const values = await givenInputs(asked.playbook, args, context);
  return { ...asked, args: values, profile: profileOf(context, config, asked.playbook.account) };
}

/** A plan contains its playbook, inputs and account: none of them can be given again. */
function plannedJob(
  reviewed: Plan,
  args: Args,
  config: Config,
  context: Context,
): Omit<Job, 'approved'> {
  const flags = ['var', 'var-file', 'only', 'scheduled-for'];
  const extra = flags.find((flag) => args.texts(flag).length > 0 || args.text(flag));
  if (extra !== undefined) {
    throw new UsageError(`--${extra} cannot change a plan`, 'make a new plan with it');
  }
  const inputs = isRecord(reviewed.inputs) ? Object.entries(reviewed.inputs) : [];
  refuseOtherTexts(reviewed);
  const profile = profileOf(context, config, reviewed.destination.profile);
  const itemsMax = itemsMaxOf(config, profile.name);
  const whole = proved(reviewed.playbook, context, { itemsMax, include: includedHere });
  const playbook = chosenAsIn(reviewed, whole);
  const { scheduledFor } = reviewed;
  return {
    playbook,
    ...(scheduledFor !== undefined && { slot: slotOf(scheduledFor, playbook, whole) }),
    args: new Map(inputs.map(([name, value]) => [name, plainJson(value)])),
    profile,
    reviewed,
  };
}

/** A new plan; for a reviewed one, an equal plan or a refusal. */
async function preparedFor(
  { playbook, args, slot, reviewed }: Job,
  session: Work,
  stateDir: string,
  signal: AbortSignal,
  context: Context,
): Promise<Prepared> {
  const found = slot && (await slotRunOf(session, playbook.name, slot));
  if (slot && found?.taken !== undefined) throw new SlotTakenError(slot.scheduledFor, found.taken);
  const own = slot && found && { ...slot, runId: found.runId };
  const job = { playbook, args, session, stateDir, isOffline: false, signal, ...own };
  return reviewed === undefined ? prepare(job, context) : preparedAgain(reviewed, job, context);
}

/** A person's consent: signed by others, given in advance, or typed now. */
interface Asked {
  readonly approvals?: readonly Approval[];
  /** Someone reviewed the plan for any length of time, and typed a word. */
  readonly isTyped: boolean;
}

/**
 * A plan for a live account is saved first for review, and shown at the prompt; for any other
 * account its totals are shown.
 */
async function ask(
  plan: Plan,
  { approved, reviewed, session, signal }: Asking,
  config: Config,
  context: Context,
): Promise<Asked> {
  const { err, canAsk } = context.terminal;
  const isSigned = askedFor(plan, config).length > 0;
  const isLive = plan.destination.target === 'live';
  const isAsked = isSigned ? reviewed === undefined : isLive && approved === undefined;
  if (isAsked) await savePlan(config.stateDir, reviewed ?? plan);
  const lines = isAsked
    ? planText(plan, { isFull: false }, err.theme)
    : [...noteLines(plan, err.theme), ...totalLines(plan, err.theme)];
  if (!context.globals.isQuiet || (isAsked && canAsk)) err.line(`${lines.join('\n')}\n`);
  const { id, destination, totals } = plan;
  const of = { playbook: plan.playbook, profile: session.profile };
  const approvals = await notifyingOfApproval({ ...of, plan: id }, context, async () => {
    const signed = await approvalsOf(plan, config, context);
    // With signed approvals of others no word is typed here.
    const word = approved ?? (signed && id);
    await approve({ kind: 'plan', id, destination, totals, signal }, word, context);
    return signed;
  });
  const word = approved ?? (approvals && id);
  const isTyped = isLive && word === undefined;
  if (isTyped) await refuseOutlived(plan, session.exchange, signal, session.profile.plans.lasts);
  return { isTyped, ...(approvals && { approvals }) };
}

interface Asking extends Pick<Job, 'approved' | 'reviewed'>, Pick<ToApprove, 'signal'> {
  readonly session: Work;
}
