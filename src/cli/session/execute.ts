/** Executes a prepared run, from its lock to its summary. */
import process from 'node:process';
import { exits, type ExitCode } from '../../base/error.ts';
import { plainText, shellWord } from '../../base/text.ts';
import { LostRecordError, run } from '../../runtime/run.ts';
import type { Approval, Entry } from '../../journal/entry.ts';
import { hasOpenWrite } from '../../journal/replay.ts';
import { createRun, noteAccounts, openRun } from '../../journal/runs.ts';
import { readVisibilities } from '../../journal/visibility.ts';
import { beginningIn } from '../../plan/call.ts';
import { mayWrite } from '../../plan/effect.ts';
import { ordersFound } from '../../plan/evidence.ts';
import { documentRenderer } from '../../report/renderer.ts';
import { summaryOf, type Summary } from '../../report/summary.ts';
import type { RunResult } from '../../interpreter/interpret.ts';
import { localStore } from '../../state-store/local.ts';
import {
  HeldError,
  StoreError,
  type Hold,
  type Opened,
  type StateStore,
} from '../../state-store/store.ts';
import type { Context } from '../context.ts';
import type { Screen } from '../screens/screen.ts';
import { programName } from '../version.ts';
import { ledgersOf } from './accounts.ts';
import { recordedNames } from './damaged.ts';
import { refuseBroken, refuseClosed } from './guarded.ts';
import { screenFor } from './screen.ts';
import { interruption, type Interruption } from './interrupt.ts';
import { notifyOfEnd, notifyOfLost } from './run-notices.ts';
import { keepMemorySmall, writesRows } from './memory.ts';
import { warmup } from './optimizing.ts';
import { keepFileFor, restored } from './outputs.ts';
import type { Prepared } from './planning.ts';
import { refuseUsed } from './reviewed.ts';
import { refuseSuperseded } from './superseded.ts';
import type { Work } from './work.ts';

export interface RunningJob {
  readonly prepared: Prepared;
  readonly session: Work;
  readonly stateDir: string;
  readonly store: StateStore;
  /** The saved plan being executed. */
  readonly planId?: string;
  /** Signed approvals of that plan. */
  readonly approvals?: readonly Approval[];
  /** Existing entries, if the run is resumed. */
  readonly earlier?: readonly Entry[];
  readonly interruption: Interruption;
}

export interface ExecutedRun {
  readonly result: RunResult;
  readonly summary: Summary;
  readonly entries: readonly Entry[];
  readonly exit: ExitCode;
}

/**
 * Executes and shows a run; the caller prints the summary.
 * @throws GuardError, LockedError, DiskError
 */
export async function executeRun(job: RunningJob, context: Context): Promise<ExecutedRun> {
  const { plan, guards } = job.prepared;
  // A doubt is settled whatever the limits are now: they block only writes not sent yet.
  if (!hasOpenWrite(job.earlier ?? [])) {
    refuseBroken(plan);
    await refuseClosed(guards, plan, job.session.exchange);
  }
  const { profile } = job.session;
  const hold = await holdFor(job);
  let ended: ExecutedRun;
  try {
    ended = await executeLocked(job, hold, context);
  } catch (error) {
    await hold.release().catch(() => undefined); // the first error has the cause
    if (error instanceof LostRecordError)
      await notifyOfLost(error, { ...job.prepared, profile }, context);
    throw error;
  }
  context.traces?.add(ended.entries);
  const left = await letGo(hold, ended, context);
  await notifyOfEnd(ended.entries, profile, context);
  return left;
}

async function executeLocked(job: RunningJob, hold: Hold, context: Context): Promise<ExecutedRun> {
  const opened = await journalFor(job, hold, context);
  const held = await hold.open(opened);
  const { journal, entries } = held;
  const screen = await screenFor(job.interruption.drain, context);
  screen.recall(opened.entries);
  for (const entry of entries.slice(opened.entries.length)) screen.show(entry);
  try {
    return await runOn(job, held, hold, screen, context);
  } finally {
    await screen.close();
    await journal.close();
  }
}

/** The run is done: a failed notification of other machines is reported in addition. */
async function letGo(hold: Hold, ended: ExecutedRun, context: Context): Promise<ExecutedRun> {
  try {
    await hold.release();
    return ended;
  } catch (error) {
    if (!(error instanceof StoreError || error instanceof HeldError)) throw error;
    const { err } = context.terminal;
    const reason = plainText(error.message.replace(/; nothing was sent$/, ''));
    err.line(
      `${err.theme.paint('bad', 'error')} other machines do not know how it ended: ${reason}`,
    );
    const again = err.theme.paint('command', `deskhand resume ${shellWord(ended.summary.run)}`);
    err.line(`  ${again} in this folder reports it`);
    return { ...ended, exit: ended.exit === exits.done ? exits.stopped : ended.exit };
  }
}

async function runOn(
  { prepared, session, stateDir, planId, approvals, interruption: stopping, store }: RunningJob,
  { journal, entries: earlier, unreported }: Opened,
  hold: Hold,
  screen: Screen,
  context: Context,
): Promise<ExecutedRun> {
  const { clock, secrets } = context;
  const { lost } = hold;
  const { destination, exchange, profile } = session;
  const { playbook, inputs, plan, guards, accounts, runId } = prepared;
  if (writesRows(playbook)) keepMemorySmall();
  const entries: Entry[] = [...earlier];
  const places = [destination, ...accounts.map((account) => account.destination)];
  // Read under the lock: another run may have ended since the plan was made.
  const book = await session.book();
  for (const each of places) book.refuseConflict(each, mayWrite(plan));
  const ledgers = await ledgersOf(stateDir, playbook.name, book, earlier);
  const workspace = process.cwd();
  const keepFile = await keepFileFor(hold, session.config, workspace, context);
  const elsewhere = hold.outputs && (await restored(runId, earlier, workspace, store));
  const warm = warmup();
  const result = await run({
    playbook,
    inputs,
    runId,
    destination,
    exchange,
    ...(session.terms && { terms: session.terms }),
    journal,
    earlier,
    ...(unreported && { unreported }),
    ledger: ledgers.ledger(destination),
    namesElsewhere: () => recordedNames(stateDir),
    ...(mayWrite(plan) && { visibilities: await readVisibilities(stateDir, places) }),
    clock,
    time: plan.observedAt,
    scheduledFor: plan.scheduledFor,
    ...(planId !== undefined && { plan: planId }),
    ...(plan.commit !== undefined && { commit: plan.commit }),
    ...(prepared.isFrozen && { reads: plan.reads }),
    found: ordersFound(plan, earlier),
    ...(plan.orphans && { orphans: plan.orphans }),
    ...(approvals && { approvals }),
    onDoubt: profile.onDoubt,
    accounts: accounts.map((account) => {
      return { ...account, ledger: ledgers.ledger(account.destination) };
    }),
    programs: profile.programs,
    guards,
    workspace,
    ...(keepFile && { keepFile }),
    ...(elsewhere && { elsewhere }),
    program: programName,
    documents: documentRenderer(programName),
    secret: (name) => session.secret(name),
    secrets, // of every opened account
    drain: lost ? AbortSignal.any([stopping.drain, lost]) : stopping.drain,
    halt: stopping.halt,
    onEntry: (entry) => {
      entries.push(entry);
      screen.show(entry);
      if (entry.kind === 'settled') warm.count();
    },
  }).finally(warm.end);
  const exit = result.status === 'interrupted' ? (stopping.exit() ?? result.exit) : result.exit;
  return { result, summary: summaryOf(entries), entries, exit };
}

/**
 * Installs what a run needs to be interrupted, and removes it in any case.
 * @param notice printed at the first signal; default: that responses are awaited
 */
export async function stoppable<T>(
  { terminal, clock, stop }: Context,
  work: (stopping: Interruption) => Promise<T>,
  notice?: string,
): Promise<T> {
  const stopping = interruption(terminal, clock, stop, notice);
  try {
    return await work(stopping);
  } finally {
    stopping.close();
  }
}

/** A run that writes locks its accounts; one that only reads locks only itself. */
async function holdFor({
  prepared,
  session,
  stateDir,
  store,
  planId,
  earlier,
}: RunningJob): Promise<Hold> {
  const { plan, playbook, accounts, runId: run } = prepared;
  const { exchange } = session;
  const wanted = {
    run,
    playbook: playbook.name,
    ...(planId !== undefined && { plan: planId }),
    isResumed: earlier !== undefined,
    observedAt: plan.observedAt,
    now: () => exchange.serverTime(),
  };
  const all = [session, ...accounts].map((account) => account.destination);
  if (mayWrite(plan)) {
    const book = await session.book();
    const began = beginningIn(earlier ?? [])?.accounts ?? [];
    const former = all.flatMap((account) => book.formerOf(account));
    return store.claim({ ...wanted, accounts: [...all, ...began, ...former] });
  }
  return localStore(stateDir).claim({ ...wanted, accounts: [] });
}

async function journalFor(
  { prepared, session, stateDir, earlier }: RunningJob,
  { over }: Hold,
  { clock }: Context,
): Promise<Opened> {
  const { runId: run, playbook, accounts } = prepared;
  if (earlier) {
    const all = [session, ...accounts].map((account) => account.destination);
    await noteAccounts(stateDir, run, all);
    return openRun(stateDir, run, clock, earlier, over);
  }
  await refuseUsed(stateDir, run);
  // Checked again under the account lock: another plan of the playbook may have run since.
  if (prepared.isFrozen) {
    await refuseSuperseded(prepared.plan, run, { stateDir, book: await session.book() });
  }
  const { destination } = session;
  const others = accounts.map((account) => account.destination);
  const header = {
    run,
    playbook: playbook.name,
    destination,
    ...(others.length > 0 && { accounts: others }),
    program: programName,
  };
  const journal = await createRun(stateDir, { ...header, createdAt: clock.now() }, clock, over);
  return { journal, entries: [] };
}
