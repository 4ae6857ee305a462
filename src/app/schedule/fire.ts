/** One scheduled run, from the file to its end; no error stops the scheduler. */
import { shellWord } from '../../base/text.ts';
import { second, type Millis } from '../../base/clock.ts';
import { DeskhandError } from '../../base/error.ts';
import { redactor } from '../../base/secret.ts';
import { profileNamed, type Config } from '../config/load.ts';
import { LockedError } from '../../engine/journal/lock.ts';
import { hasBegun } from '../../engine/journal/runs.ts';
import { mayWrite } from '../../engine/plan/effect.ts';
import { savePlan } from '../../engine/plan/file.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { onlySteps } from '../../language/only.ts';
import type { Ended } from './decisions.ts';
import type { Schedule } from './schedule.ts';
import { slotOf, slotRunId } from './slot.ts';
import { HeldError, StoreError } from '../../stores/store.ts';
import { isApproved, notApprovedYet, type ToApprove } from '../approval/consent.ts';
import { MissingApprovalError } from '../../engine/approval/approval-error.ts';
import { askedFor } from '../approval/asked.ts';
import { approvalsOf } from '../approval/signed.ts';
import { describeError } from '../running/describe.ts';
import { refuseBroken } from '../planning/guarded.ts';
import type { Interruption } from '../machine/interrupt.ts';
import { executeRun } from '../running/execute.ts';
import type { ExecutedRun } from '../running/running.ts';
import { prepare } from '../planning/make-plan.ts';
import { endOf, standingOf } from '../running/occurrence.ts';
import { slotRunOf } from '../running/slots.ts';
import { syncToPlan } from '../running/beside.ts';
import { configOf } from '../config/opened.ts';
import { openWork } from '../accounts/work.ts';
import { folderOf, type AppContext } from '../app-context.ts';
import { readNamed } from '../machine/read-named.ts';
import { inputsOfEnvironment, loadBytes } from '../planning/playbooks.ts';
import type { RunObserver } from '../running/observer.ts';

const between = 5 * second; // checks of an account that another run is writing to

/** Shows scheduled runs; no person can answer questions. */
export interface ScheduleScreen {
  readonly note: AppContext['note'];
  readonly observe: (drain: AbortSignal) => Promise<RunObserver>;
  /** Called when a run was executed to its end. */
  readonly ended: (run: ExecutedRun) => Promise<void>;
  /** Called when the execution of a begun run failed: its record has the outcome. */
  readonly failed: (error: unknown) => void;
}

interface Firing {
  readonly interruption: Interruption;
  readonly screen: ScheduleScreen;
}

/**
 * Runs a schedule for one of its occurrences. While another run uses the account, or the state store gives no
 * answer, the run waits, as long as it may be late.
 */
export async function fire(
  schedule: Schedule,
  occurrence: Millis,
  firing: Firing,
  context: AppContext,
): Promise<Ended> {
  const { interruption, screen } = firing;
  const quiet: AppContext = { ...context, note: screen.note, canAsk: () => false };
  const until = context.clock.monotonic() + schedule.lateMs;
  for (;;) {
    try {
      return await attempt(schedule, occurrence, firing, quiet);
    } catch (error) {
      const isWorthWaiting = isPassing(error) && context.clock.monotonic() < until;
      if (!isWorthWaiting || interruption.drain.aborted) return notBegun(error, quiet);
      await context.clock.sleep(between);
    }
  }
}

/**
 * Whether an error passes: nothing has begun, and another run has the account and may release it, or the
 * store is unreachable.
 */
function isPassing(error: unknown): boolean {
  if (error instanceof LockedError) return !error.needsPerson;
  return error instanceof HeldError || error instanceof StoreError;
}

async function attempt(
  schedule: Schedule,
  occurrence: Millis,
  { interruption, screen }: Firing,
  context: AppContext,
): Promise<Ended> {
  const config = await configOf(context);
  const bytes = await readNamed(schedule.file, folderOf(context));
  const whole = loadBytes(bytes, schedule.file, config, context);
  const playbook = onlySteps(whole, schedule.only);
  const args = inputsOfEnvironment(playbook, context.env);
  const profile = profileNamed(config, schedule.profile);
  const session = await openWork(context, config, profile, { needsKey: true });
  try {
    const slot = slotOf(occurrence, playbook, whole);
    const { stateDir } = config;
    const own = slotRunId(session.destination, playbook.name, slot);
    const store = await syncToPlan(playbook, session, context, own);
    const { runId, taken } = await slotRunOf(session, playbook.name, slot);
    if (taken !== undefined) return await standingOf(taken, { stateDir, store }, context);
    const { drain: signal } = interruption;
    const job = { playbook, args, session, isOffline: false, signal, runId };
    const prepared = await prepare({ ...job, scheduledFor: occurrence }, context);
    refuseBroken(prepared.plan);
    await askFor(prepared.plan, config, { ...schedule, signal }, context);
    const { observe } = screen;
    const running = { prepared, session, store, interruption, observe };
    const ended = await executeRun(running, context).catch(async (error: unknown) => {
      if (!(await hasBegun(stateDir, runId))) throw error;
      screen.failed(error);
      return undefined;
    });
    if (ended === undefined) return await standingOf(runId, { stateDir, store }, context);
    await screen.ended(ended);
    const { status, exit } = ended.result;
    return { ...endOf(ended.summary), status, exit };
  } finally {
    await session.close();
  }
}

/**
 * Asks for the approval of a scheduled plan: one that only reads needs none, one that writes to a live
 * account does.
 */
async function askFor(
  plan: Plan,
  config: Config,
  { file, signal }: Schedule & Pick<ToApprove, 'signal'>,
  context: AppContext,
): Promise<void> {
  const { id, destination, totals } = plan;
  if (!mayWrite(plan)) return;
  const isSigned = askedFor(plan, config).length > 0;
  if (destination.target === 'sandbox' && !isSigned) return;
  await savePlan(config.stateDir, plan);
  const name = shellWord(id);
  await approvalsOf(plan, config, context).catch((error: unknown) => {
    if (!(error instanceof MissingApprovalError)) throw error;
    throw hinting(
      error,
      `get it signed with \`deskhand approve ${name}\`, then \`deskhand run ${name}\``,
    );
  });
  try {
    const what: ToApprove = {
      kind: 'plan',
      id,
      destination,
      accounts: plan.accounts,
      totals,
      signal,
    };
    if (!isApproved(what, undefined)) throw notApprovedYet(what);
  } catch (error) {
    if (!(error instanceof DeskhandError)) throw error;
    throw hinting(error, `review it, then \`deskhand run ${shellWord(file)} --approve ${name}\``);
  }
}

/** The error of a scheduled run with another hint: its plan is saved, and a person runs it. */
function hinting(error: DeskhandError, hint: string): DeskhandError {
  const { message, code, actor, exit } = error;
  return new DeskhandError(message, { code, actor, exit, hint, cause: error });
}

function notBegun(error: unknown, { secrets }: AppContext): Ended {
  const redact = redactor(secrets);
  const { message, hint, exit } = describeError(error);
  const help = hint === undefined ? {} : { hint: redact(hint) };
  const awaits = isUnapproved(error) ? ({ awaits: 'approval' } as const) : {};
  return { status: 'not-begun', exit, message: redact(message), ...help, ...awaits };
}

function isUnapproved(error: unknown): boolean {
  if (error instanceof MissingApprovalError) return true;
  return error instanceof DeskhandError && error.cause instanceof MissingApprovalError;
}
