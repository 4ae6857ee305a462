/** Continues a started run from its journal: its doubts are settled first. */
import { profileNamed, type Config } from '../config/load.ts';
import type { Profile } from '../config/profile.ts';
import { isDone } from '../../engine/journal/end.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { replay } from '../../engine/journal/replay.ts';
import { withLost } from '../../engine/journal/lost.ts';
import { readToContinue } from '../../engine/journal/runs.ts';
import { itemsMaxIn } from '../../engine/plan/items.ts';
import { mayStillWrite } from '../../engine/plan/left.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { stepsAsIn } from '../../language/only.ts';
import { refuseOther } from '../accounts/identities.ts';
import { endImport } from './adopting.ts';
import { isApproved, type Asking } from '../approval/consent.ts';
import { keptApprovals } from '../approval/kept.ts';
import { approvalsAgain, type PlanSource } from '../approval/resumed.ts';
import { refuseDeclinedSince } from '../approval/signed.ts';
import type { NoteRecord } from './begun.ts';
import { beginningOf, syncFor } from './beside.ts';
import type { AppContext } from '../app-context.ts';
import { newestOf } from './lost.ts';
import { changedSince, provedAgain } from '../planning/playbooks.ts';
import { prepare, type PlanningJob, type Prepared } from '../planning/make-plan.ts';
import { refuseMoved } from '../planning/reviewed.ts';
import { notifyingOfApproval } from './notices.ts';
import type { RunPorts } from './run.ts';
import { inputsIn, startOf } from './started.ts';
import type { StateStore } from '../../stores/store.ts';
import {
  reportBack,
  storeOf,
  syncOnlyRun,
  syncState,
  type Started,
} from '../store/synchronized.ts';
import { stoppableWork } from '../accounts/work.ts';
import { refuseSetAside } from './unfinished.ts';

/** A begun run, as its journal describes it. */
export interface BegunRun {
  readonly started: Started;
  readonly entries: readonly Entry[];
  /** Receives the record of the run when it is read again. */
  readonly note: NoteRecord;
}

/** Reads a run to continue it, with the entries that other machines added. @throws JournalError */
export async function begunRun(
  runId: string,
  note: NoteRecord,
  config: Config,
  context: AppContext,
): Promise<BegunRun> {
  await syncOnlyRun(runId, config, context);
  const entries = await readToContinue(config.stateDir, runId);
  note(await withLost(config.stateDir, runId, entries));
  return { started: startOf(entries, runId), entries, note };
}

/** The result of resuming a run. */
export type Resumed<T> =
  /** The run is done, here or by another process; there was nothing to resume. */
  | { readonly kind: 'done'; readonly entries: readonly Entry[] }
  /** The run was an interrupted import; false if the import must be repeated. */
  | { readonly kind: 'import'; readonly isRecorded: boolean }
  | { readonly kind: 'executed'; readonly result: T };

export interface Resuming {
  /** The id of the run, given in advance as an approval. */
  readonly approved?: string | undefined;
  /** Gives the plan that the run was started from, if it is needed. Default: the saved plan. */
  readonly plan?: PlanSource | undefined;
}

/**
 * Continues a run, with the checks of its start. This is the only way to continue one.
 * @throws DeskhandError
 */
export async function resumeRun<T>(
  begun: BegunRun,
  resuming: Resuming,
  ports: RunPorts<T>,
  config: Config,
  context: AppContext,
): Promise<Resumed<T>> {
  const { started, entries } = begun;
  const store = await storeOf(config, context, started.destination);
  if (isDone(entries)) {
    await reportBack(store, started, config, context);
    return { kind: 'done', entries };
  }
  try {
    return await continued({ ...begun, store }, resuming, ports, config, context);
  } catch (error) {
    // This process may have been suspended while another one continued the run.
    const place = { run: started.run, stateDir: config.stateDir, store };
    const newest = await newestOf(entries, place, context);
    if (newest.length > entries.length && isDone(newest)) return { kind: 'done', entries: newest };
    if (newest.length > entries.length) begun.note(newest);
    throw error;
  }
}

async function continued<T>(
  { started, entries, store }: BegunRun & { readonly store: StateStore },
  resuming: Resuming,
  ports: RunPorts<T>,
  config: Config,
  context: AppContext,
): Promise<Resumed<T>> {
  const { run: runId } = started;
  if (started.imported !== undefined) {
    await syncState(config, context, started.destination);
    return { kind: 'import', isRecorded: await endImport(started, store, config, context) };
  }
  refuseSetAside(entries, runId);
  await noteChanged(started, context);
  const profile = profileNamed(config, started.destination.profile);
  const itemsMax = Math.max(profile.plans.items ?? 0, itemsMaxIn(entries));
  const playbook = stepsAsIn(provedAgain(started, itemsMax, context), started);
  const opening = { needsKey: true };
  return stoppableWork(context, config, profile, opening, async (session, interruption) => {
    const asBegun = {
      playbook,
      args: inputsIn(started.inputs),
      session,
      isOffline: false,
      runId,
      ...(started.scheduledFor !== undefined && { scheduledFor: started.scheduledFor }),
      ...(started.reused && { reused: started.reused }),
      signal: interruption.drain,
    };
    const again = { started, entries, profile, asBegun };
    const prepared = await prepareAgain(again, context);
    await approveAgain(again, prepared.plan, { ...resuming, ...ports }, config, context);
    const planId = started.plan === undefined ? {} : { planId: started.plan };
    const job = { prepared, session, store, interruption, ...planId };
    return { kind: 'executed', result: await ports.execute({ ...job, earlier: entries }) };
  });
}

/** A run that is being continued. */
interface Continued {
  readonly started: Started;
  readonly entries: readonly Entry[];
  readonly profile: Profile;
  /** The parts that the run was prepared from at its start. */
  readonly asBegun: PlanningJob & { readonly runId: string; readonly signal: AbortSignal };
}

/** Prepares the rest of the run, on the accounts of its start. */
async function prepareAgain(again: Continued, context: AppContext): Promise<Prepared> {
  const { started, asBegun } = again;
  const { session } = asBegun;
  await syncFor(beginningOf(started), session, context);
  const book = await session.book();
  refuseOther(started.destination, session.destination, book, started.run);
  const prepared = await prepare(fromStart(again), context);
  for (const then of started.accounts ?? []) {
    const other = await session.open(then.profile);
    refuseOther(then, other.destination, book, started.run);
  }
  return prepared;
}

/** The preparation of the run, with the time of its start and its entries so far. */
function fromStart({ started, entries, asBegun }: Continued): PlanningJob {
  return { ...asBegun, earlier: entries, time: started.time };
}

/** Shows the rest of the run, and requires the approvals that it needs now. */
async function approveAgain(
  again: Continued,
  plan: Plan,
  { approved, plan: source, present, ask }: Resuming & Asking,
  config: Config,
  context: AppContext,
): Promise<void> {
  const { started, entries, profile, asBegun } = again;
  const { playbook, session, signal, runId } = asBegun;
  const { accounts } = beginningOf(started);
  const stored = await keptApprovals(started.plan, accounts, config, context);
  const withKept = { ...context, kept: [...(context.kept ?? []), ...stored] };
  await refuseDeclinedSince(started, config, withKept);
  await notifyingOfApproval({ playbook, profile, run: runId }, context, async () => {
    const fits = (reviewed: Plan): Promise<void> => refuseMoved(reviewed, asBegun, context);
    const readAgain = async (): Promise<Plan> =>
      (await prepare({ ...fromStart(again), rereads: true }, context)).plan;
    const going = { started, entries, plan, source, refuseMoved: fits, readAgain };
    await approvalsAgain(going, config, withKept);
    present(plan, false);
    const word = approved ?? (mayStillWrite(plan, replay(entries)) ? undefined : runId);
    const { destination } = session;
    const { accounts: others, totals } = plan;
    const what = { kind: 'run' as const, id: runId, destination, accounts: others, totals, signal };
    if (!isApproved(what, word)) await ask(what);
  });
}

/** Notes that the playbook's file was edited since the start: a run keeps its original playbook. */
async function noteChanged({ playbook, run }: Started, context: AppContext): Promise<void> {
  const file = await changedSince(playbook, context);
  if (file === undefined) return;
  const message = `${file} was changed since; ${run} continues with its original text`;
  context.note({ kind: 'remark', message });
}
