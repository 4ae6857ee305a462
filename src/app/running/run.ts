/** Runs a playbook or a reviewed plan to its end: it is checked, approved and executed. */
import { isRecord, plainJson, type Json } from '../../base/json.ts';
import { itemsMaxOf, type Config } from '../config/load.ts';
import type { Profile } from '../config/profile.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import type { Playbook } from '../../language/playbook.ts';
import { slotOf, slotRunId, SlotTakenError, type Slot } from '../schedule/slot.ts';
import type { StateStore } from '../../stores/store.ts';
import { consentTo, type Asking } from '../approval/consent.ts';
import { refuseUnanswerable } from '../answering/ready.ts';
import { keepApprovals } from '../approval/kept.ts';
import { syncFor, syncToPlan } from './beside.ts';
import { refuseOtherTexts } from '../machine/checkout.ts';
import { chosenAsIn } from '../planning/chosen.ts';
import { profileOf } from '../config/opened.ts';
import { folderOf, type AppContext } from '../app-context.ts';
import type { RunningJob } from './running.ts';
import { refuseBroken } from '../planning/guarded.ts';
import { includedFrom, proved } from '../planning/playbooks.ts';
import { prepare, type Prepared } from '../planning/make-plan.ts';
import { reusing, type ReuseChoice, type Reusing } from '../planning/reuse.ts';
import { preparedAgain } from '../planning/reviewed.ts';
import { plannedRunId } from './run-id.ts';
import { slotRunOf } from './slots.ts';
import { stoppableWork, type Work } from '../accounts/work.ts';
import { refuseDoubtsOfOthers, refuseUnfinishedHere } from './unfinished.ts';
import { runBeside, type Beside } from './set-aside.ts';
import { destinationsOf } from '../../engine/journal/account.ts';

/** The playbook to run, its inputs, and the account to run it on. */
export interface RunJob {
  /** The playbook, reduced to the selected steps. */
  readonly playbook: Playbook;
  readonly args: ReadonlyMap<string, Json>;
  readonly profile: Profile;
  /** The scheduled time of the run. */
  readonly slot?: Slot;
  /** The earlier run whose results are taken over, and from which step on everything is executed. */
  readonly reuse?: ReuseChoice;
  /** The plan that was reviewed before. */
  readonly reviewed?: Plan;
  /** The id of the plan or run, given in advance as an approval. */
  readonly approved?: string;
  /**
   * The person who runs it beside unfinished runs of the playbook, and the reason. Absent: such runs block
   * it.
   */
  readonly beside?: Beside;
}

/** The functions that a run needs from the program that starts it. */
export interface RunPorts<T> extends Asking {
  /** Executes the checked and approved run, and reports it while its exchange is open. */
  readonly execute: (job: Omit<RunningJob, 'observe'>) => Promise<T>;
}

/**
 * The job that runs a reviewed plan. The plan contains its playbook, inputs and account; the playbook must be
 * the one of this checkout.
 * @throws StalePlanError; InvalidError
 */
export function jobOfPlan(
  reviewed: Plan,
  config: Config,
  context: AppContext,
): Omit<RunJob, 'approved' | 'beside'> {
  const inputs = isRecord(reviewed.inputs) ? Object.entries(reviewed.inputs) : [];
  refuseOtherTexts(reviewed, context);
  const profile = profileOf(context, config, reviewed.destination.profile);
  const itemsMax = itemsMaxOf(config, profile.name);
  const include = includedFrom(folderOf(context));
  const whole = proved(reviewed.playbook, context, { itemsMax, include });
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

/**
 * Plans, gets consent, and executes; or executes exactly a reviewed plan. This is the only way from
 * a plan to a run.
 * @throws DeskhandError: nothing was sent, unless the error of the execution says otherwise
 */
export async function runJob<T>(
  begun: RunJob,
  ports: RunPorts<T>,
  config: Config,
  context: AppContext,
): Promise<T> {
  const { profile } = begun;
  const opening = { needsKey: true };
  return stoppableWork(context, config, profile, opening, async (session, interruption) => {
    const { drain: signal } = interruption;
    const store = await synced(begun, session, context);
    const job = await withReused(begun, session, context);
    const planned = await preparedFor(job, session, signal, context);
    const { plan } = planned;
    refuseBroken(plan);
    refuseDoubtsOfOthers(plan);
    if (!job.beside) await refuseUnfinishedHere(plan, config);
    await refuseUnanswerable(planned, config, context);
    const asked = await consentTo(plan, { ...job, session, signal }, ports, config, context);
    if (job.beside) await runBeside(plan, job.beside, context);
    // What was presented is sent, if it is still valid.
    const shown = { ...job, reviewed: job.reviewed ?? plan };
    const prepared = asked.isTyped ? await preparedFor(shown, session, signal, context) : planned;
    const { approvals } = asked;
    if (approvals !== undefined && job.reviewed !== undefined) {
      const { id } = job.reviewed;
      await keepApprovals(id, destinationsOf(job.reviewed), config, context, job.reviewed);
    }
    const planId = job.reviewed && { planId: job.reviewed.id };
    const running = { prepared, session, store, interruption, ...planId };
    return ports.execute({ ...running, ...(approvals && { approvals }) });
  });
}

/**
 * Whether a reviewed plan could run now, with everything that its run checks before a person is asked.
 * @throws DeskhandError with the reason that its run would be refused with
 */
export async function refuseUnrunnable(
  reviewed: Plan,
  config: Config,
  context: AppContext,
): Promise<void> {
  const job = jobOfPlan(reviewed, config, context);
  const opening = { needsKey: true };
  await stoppableWork(context, config, job.profile, opening, async (session, { drain: signal }) => {
    await synced(job, session, context);
    const { plan } = await preparedFor(job, session, signal, context);
    refuseBroken(plan);
    await refuseUnfinishedHere(plan, config);
  });
}

/** The job with the results that it takes over, and the inputs of the run that has them. */
async function withReused(job: RunJob, session: Work, context: AppContext): Promise<ReusingJob> {
  const { reuse, playbook, args } = job;
  if (reuse === undefined) return job;
  return {
    ...job,
    ...(await reusing(reuse, { playbook, args, session, isOffline: false }, context)),
  };
}

type ReusingJob = RunJob & Partial<Pick<Reusing, 'reused'>>;

/** Fetches the runs that a reviewed plan depends on, by its accounts, which are known. */
function synced(
  { reviewed, playbook: own, slot }: Omit<RunJob, 'approved' | 'beside'>,
  session: Work,
  context: AppContext,
): Promise<StateStore> {
  if (reviewed === undefined) {
    const run = slot && slotRunId(session.destination, own.name, slot);
    return syncToPlan(own, session, context, run);
  }
  const accounts = destinationsOf(reviewed);
  const beginning = { run: plannedRunId(reviewed), playbook: reviewed.playbook.name, accounts };
  return syncFor(beginning, session, context);
}

/** Makes a new plan. For a reviewed plan, makes an equal plan or refuses. */
async function preparedFor(
  { playbook, args, slot, reviewed, reused }: Omit<ReusingJob, 'approved' | 'beside'>,
  session: Work,
  signal: AbortSignal,
  context: AppContext,
): Promise<Prepared> {
  const found = slot && (await slotRunOf(session, playbook.name, slot));
  if (slot && found?.taken !== undefined) throw new SlotTakenError(slot.scheduledFor, found.taken);
  const own = slot && found && { ...slot, runId: found.runId };
  const job = { playbook, args, session, isOffline: false, signal, ...own };
  if (reviewed !== undefined) return preparedAgain(reviewed, job, context);
  return prepare({ ...job, ...(reused && { reused }) }, context);
}
