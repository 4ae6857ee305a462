/** Executes a prepared run, from its lock to its summary. */
import { exits } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import { postNotice } from '../../engine/effects/webhook.ts';
import { run, type Run, type World } from '../../engine/runtime/run.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { dropJournal } from '../../engine/journal/kept-journal.ts';
import { hasOpenWrite, replay } from '../../engine/journal/replay.ts';
import { allRuns } from '../../engine/journal/run-list.ts';
import { createRun, noteAccounts, openRun } from '../../engine/journal/runs.ts';
import { readVisibilities } from '../../engine/journal/visibility.ts';
import { beginningIn } from '../../engine/plan/call.ts';
import { mayWrite } from '../../engine/plan/effect.ts';
import { ordersFound } from '../../engine/plan/evidence.ts';
import { mayStillWrite } from '../../engine/plan/left.ts';
import { unfinishedBeside } from '../../engine/plan/unfinished.ts';
import { documentRenderer } from '../../report/renderer.ts';
import { summaryOf } from '../../report/summary.ts';
import { localStore } from '../../stores/local.ts';
import {
  HeldError,
  StoreError,
  UnreachableError,
  type Hold,
  type Opened,
} from '../../stores/store.ts';
import { folderOf, type AppContext } from '../app-context.ts';
import { programName } from '../../base/version.ts';
import { answersFor, authorsIfAsked } from '../answering/of-run.ts';
import { ledgersOf, type Ledgers } from '../accounts/identities.ts';
import { recordedNames } from './damaged.ts';
import { refuseBroken, refuseClosed } from '../planning/guarded.ts';
import type { RunObserver } from './observer.ts';
import { notifyOfEnd } from './notices.ts';
import { endElsewhere, newestOf, placeOf } from './lost.ts';
import type { ExecutedRun, RunningJob } from './running.ts';
import { keepMemorySmall, writesRows } from '../machine/memory.ts';
import { keepFileFor, restored } from './kept-files.ts';
import { refuseUsed } from '../planning/reviewed.ts';
import { refuseSuperseded } from '../planning/superseded.ts';
import { abandonedWords } from './begun.ts';
import { refuseTaken } from './repeated.ts';
import {
  refuseDoubtsOfOthers,
  refuseRepeating,
  refuseSetAside,
  refuseUnfinished,
} from './unfinished.ts';

/**
 * Executes a run, from its lock to its summary.
 * @throws GuardError, LockedError, DiskError, UnfinishedError
 */
export async function executeRun(job: RunningJob, context: AppContext): Promise<ExecutedRun> {
  const { plan, guards } = job.prepared;
  // A doubt is settled whatever the limits are now: they block only writes not sent yet.
  if (!hasOpenWrite(job.earlier ?? [])) {
    refuseBroken(plan);
    refuseDoubtsOfOthers(plan);
    await refuseClosed(guards, plan, job.session.exchange);
  }
  const { profile } = job.session;
  const { isOwnProcess = false, isWorker = false, hasOtherWork = false } = context;
  const isShared = !isOwnProcess || isWorker || hasOtherWork;
  const hold = await holdFor(job, isShared);
  let ended: ExecutedRun;
  try {
    ended = await executeLocked(job, hold, context);
  } catch (error) {
    await hold.release().catch(() => undefined); // the first error has the cause
    return endElsewhere(error, job, context);
  }
  context.traces?.add(ended.entries);
  const left = await letGo(hold, ended, context);
  await notifyOfEnd(ended.entries, profile, context, () =>
    newestOf(ended.entries, placeOf(job), context),
  );
  return left;
}

async function executeLocked(
  job: RunningJob,
  hold: Hold,
  context: AppContext,
): Promise<ExecutedRun> {
  // The accounts are locked: what other runs left is known before a new one has a record.
  const beside = job.earlier === undefined ? await besideOf(job, []) : undefined;
  const opened = await journalFor(job, hold, context);
  const held = await hold.open(opened);
  try {
    const { entries } = held;
    const ledgers = beside ?? (await besideOf(job, entries));
    const observer = await job.observe(job.interruption.drain);
    try {
      observer.recall(opened.entries);
      for (const entry of entries.slice(opened.entries.length)) observer.show(entry);
      return await runOn(job, held, { hold, ledgers }, observer, context);
    } finally {
      await observer.close();
    }
  } finally {
    await held.journal.close();
  }
}

/**
 * Reads under the lock the writes of other runs of the playbook.
 * @param earlier entries of the run when it is resumed
 * @throws UnfinishedError when the run would repeat a write that another run made, or may have made
 */
async function besideOf(
  { prepared, session, earlier: resumed }: RunningJob,
  earlier: readonly Entry[],
): Promise<Ledgers> {
  const { playbook, plan, destinations: places, runId } = prepared;
  const { stateDir } = session.config;
  const isWriting = mayWrite(plan);
  const runs = await allRuns(stateDir, prepared.beside);
  const book = await session.book(runs);
  for (const each of places) book.refuseConflict(each, isWriting);
  const ledgers = await ledgersOf(stateDir, playbook, book, earlier, runs);
  if (resumed !== undefined) refuseSetAside(earlier, runId);
  if (!isWriting) return ledgers;
  if (resumed === undefined) {
    refuseUnfinished(unfinishedBeside(ledgers.unfinished(places), plan.steps));
    if (plan.reused !== undefined) await refuseTaken(stateDir, plan.reused);
  } else if (mayStillWrite(plan, replay(earlier))) {
    refuseRepeating(runId, ledgers.repeated(places, plan.steps));
  }
  return ledgers;
}

/**
 * Releases the accounts of a run that is done; if other machines could not be notified, that is reported,
 * too.
 */
async function letGo(hold: Hold, ended: ExecutedRun, context: AppContext): Promise<ExecutedRun> {
  try {
    await hold.release();
    return ended;
  } catch (error) {
    if (!(error instanceof StoreError || error instanceof HeldError)) throw error;
    const because = plainText(error.message.replace(/; nothing was sent$/, ''));
    context.note({ kind: 'unreported', run: ended.summary.run, because });
    // The store may have released the accounts; a worker asks it again.
    if (error instanceof UnreachableError && context.isWorker !== true) return ended;
    return { ...ended, exit: ended.exit === exits.done ? exits.stopped : ended.exit };
  }
}

async function runOn(
  job: RunningJob,
  { journal, entries: earlier, unreported }: Opened,
  { hold, ledgers }: { readonly hold: Hold; readonly ledgers: Ledgers },
  observer: RunObserver,
  context: AppContext,
): Promise<ExecutedRun> {
  const { prepared, session, interruption: stopping, store } = job;
  const { playbook, plan, destinations, runId } = prepared;
  if (context.isOwnProcess && writesRows(playbook)) keepMemorySmall();
  const entries: Entry[] = [...earlier];
  stopping.leaves(() => abandonedWords(entries));
  const workspace = folderOf(context);
  const keepFile = await keepFileFor(hold, session.config, workspace, context);
  const elsewhere = hold.outputs && (await restored(runId, earlier, workspace, store));
  const { stateDir } = session.config;
  const visibilities = mayWrite(plan) ? await readVisibilities(stateDir, destinations) : undefined;
  dropJournal();
  const result = await run({
    ...preparedPart(job, earlier),
    ...accountsPart(job, ledgers),
    journal,
    earlier,
    ...(unreported && { unreported }),
    ...(visibilities && { visibilities }),
    clock: context.clock,
    world: {
      ...worldOf(job),
      answers: answersFor(job, earlier, context),
      workspace,
      inherited: context.env,
      ...(keepFile && { keepFile }),
      ...(elsewhere && { elsewhere }),
      documents: documentRenderer(programName),
      secrets: context.secrets, // of every opened account
    },
    drain: hold.lost ? AbortSignal.any([stopping.drain, hold.lost]) : stopping.drain,
    halt: stopping.halt,
    onEntry: (entry) => {
      entries.push(entry);
      observer.show(entry);
    },
  });
  const exit = result.status === 'interrupted' ? (stopping.exit() ?? result.exit) : result.exit;
  return { result, summary: summaryOf(entries), entries, exit };
}

/** The parts of a run that were prepared and approved. */
function preparedPart({ prepared, planId, approvals }: RunningJob, earlier: readonly Entry[]) {
  const { playbook, inputs, plan, guards, runId } = prepared;
  return {
    playbook,
    inputs,
    runId,
    guards,
    time: plan.observedAt,
    scheduledFor: plan.scheduledFor,
    origin: {
      ...(planId !== undefined && { plan: planId }),
      ...(plan.commit !== undefined && { commit: plan.commit }),
      ...(approvals && { approvals }),
      ...authorsIfAsked(playbook, plan),
      ...(prepared.isFrozen && { reads: plan.reads }),
      ...(plan.orphans && { orphans: plan.orphans }),
      program: programName,
    },
    found: ordersFound(plan, earlier),
    reused: plan.reused,
    planned: plan.steps,
  } satisfies Partial<Run>;
}

/** The accounts of a run. */
function accountsPart({ prepared, session }: RunningJob, ledgers: Ledgers) {
  const { destination, exchange, profile, terms } = session;
  return {
    account: { destination, exchange, ...(terms && { terms }), onDoubt: profile.onDoubt },
    ledger: ledgers.ledger(destination),
    accounts: prepared.accounts.map((account) => {
      return { ...account, ledger: ledgers.ledger(account.destination) };
    }),
  } satisfies Partial<Run>;
}

/** The programs that the profile of a run allows, its secrets, and its way to other systems. */
function worldOf({ session }: RunningJob) {
  const { pages } = session.profile;
  return {
    ...(pages !== undefined && { pages }),
    namesElsewhere: () => recordedNames(session.config.stateDir),
    programs: session.profile.programs,
    secret: (name) => session.secret(name),
    notify: (address, notice, key) =>
      postNotice(address, notice, key, { proxyTo: session.proxyTo }),
  } satisfies Partial<World>;
}

/** Locks a run: one that writes locks its accounts, one that only reads locks only itself. */
async function holdFor(
  { prepared, session, store, planId, earlier }: RunningJob,
  isShared: boolean,
): Promise<Hold> {
  const { plan, playbook, destinations, runId: run } = prepared;
  const { exchange, config } = session;
  const wanted = {
    run,
    playbook: playbook.name,
    ...(planId !== undefined && { plan: planId }),
    isResumed: earlier !== undefined,
    isShared,
    observedAt: plan.observedAt,
    now: () => exchange.serverTime(),
  };
  if (mayWrite(plan)) {
    const book = await session.book('none'); // former keys are those of the configuration
    const began = beginningIn(earlier ?? [])?.accounts ?? [];
    const former = destinations.flatMap((account) => book.formerOf(account));
    return store.claim({ ...wanted, accounts: [...destinations, ...began, ...former] });
  }
  return localStore(config.stateDir).claim({ ...wanted, accounts: [] });
}

async function journalFor(
  { prepared, session, earlier }: RunningJob,
  { over }: Hold,
  { clock }: AppContext,
): Promise<Opened> {
  const { runId: run, playbook, destinations } = prepared;
  const { stateDir } = session.config;
  if (earlier) {
    await noteAccounts(stateDir, run, destinations);
    return openRun(stateDir, run, clock, earlier, over);
  }
  await refuseUsed(stateDir, run);
  // Checked again under the account lock: another plan of the playbook may have run since.
  if (prepared.isFrozen) {
    await refuseSuperseded(prepared.plan, run, { stateDir, book: session.book });
  }
  const { destination } = session;
  const others = destinations.slice(1);
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
