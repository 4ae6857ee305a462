/** A run from its first entry to its last: the interpreter on the engine of this process. */
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../base/clock.ts';
import { DeskhandError, exits } from '../../base/error.ts';
import type { Exchange } from '../../exchange/api/exchange.ts';
import type { TermsOf } from '../../exchange/api/terms.ts';
import type { OnDoubt, RunEnvironment } from '../effects/effect-context.ts';
import { effectsOf } from '../effects/index.ts';
import { WriteLimits } from '../effects/limits.ts';
import { Prices } from '../effects/prices.ts';
import { visibilitiesFor } from '../effects/order-visibility.ts';
import { runProgram } from '../effects/shell.ts';
import { postNotice } from '../effects/webhook.ts';
import type { Address, Approval, Destination, Entry, Event } from '../journal/entry.ts';
import type { FrozenRead } from '../journal/frozen.ts';
import type { Journal } from '../journal/journal.ts';
import type { Ledger } from '../journal/ledger.ts';
import type { Orphan } from '../journal/orphan.ts';
import { decisionsIn } from '../journal/decisions.ts';
import { openWritesIn } from '../journal/possible.ts';
import { forgottenSince, hasOpenWrite } from '../journal/replay.ts';
import { newsOf, visibilitiesIn, type Visibilities } from '../journal/visibility.ts';
import type { Account } from '../plan/account.ts';
import { beginningIn, frozenIn } from '../plan/call.ts';
import { itemsMaxIn } from '../plan/items.ts';
import { LimitTracker } from '../plan/limit-tracker.ts';
import type { PlannedStep } from '../plan/plan.ts';
import type { Programs } from '../plan/programs.ts';
import { sentIn } from '../plan/sent.ts';
import type { GuardRules } from '../../language/limits.ts';
import { toJson } from '../../language/expression/value.ts';
import { interpreterOf, type Interpretation, type RunResult } from '../interpreter/interpret.ts';
import type { RunJobs } from '../interpreter/jobs.ts';
import { embeddedEngine, type Engine } from './embedded.ts';
import { errorAfter, exitAfter } from './exit.ts';
import { listedSteps } from './listed-steps.ts';

export interface RunOptions
  extends
    Omit<Interpretation, 'limits' | 'sent' | 'decisions' | 'began'>,
    Pick<
      RunEnvironment,
      | 'workspace'
      | 'inherited'
      | 'disk'
      | 'keepFile'
      | 'elsewhere'
      | 'documents'
      | 'secret'
      | 'secrets'
    > {
  /** The limits in force: the profile's, tightened by the playbook's. */
  readonly guards: GuardRules;
  /** Writes of earlier runs: they are not sent again, and do not count towards limits of this run. */
  readonly ledger: Ledger;
  readonly exchange: Exchange;
  /** Trading rules that orders are checked against; absent if not known. */
  readonly terms?: TermsOf;
  readonly journal: Journal;
  /** Entries of the journal when the run is resumed; empty for a new one. */
  readonly earlier: readonly Entry[];
  /** Writes that others may have sent in this run before its first entry; default: none. */
  readonly unreported?: Event;
  /** The clientOids in the journals of other runs; default: none. */
  readonly namesElsewhere?: RunEnvironment['namesElsewhere'];
  /** Proofs of earlier runs about which orders the accounts' lists show; default: none. */
  readonly visibilities?: Visibilities;
  readonly clock: Clock;
  /** Id of the saved plan that is run, if any; the run id is derived from it. */
  readonly plan?: string;
  /** The commit the plan was made at, in a repository. */
  readonly commit?: string;
  /** The values that the plan read: used instead of new reads, also after a resume. */
  readonly reads?: readonly FrozenRead[];
  /** Orders of earlier runs that are no longer in the playbook. */
  readonly orphans?: readonly Orphan[];
  /** The steps of the run's plan, which name their accounts. */
  readonly planned?: readonly PlannedStep[];
  /** Actions whose order the plan found on the exchange; default: none. */
  readonly found?: readonly Address[];
  /** The signed approvals of the run's plan. */
  readonly approvals?: readonly Approval[];
  readonly onDoubt: OnDoubt;
  /** Accounts of other profiles used by steps. */
  readonly accounts: readonly Account[];
  readonly program: string;
  /** Posts a notice; default: over HTTPS. */
  readonly notify?: RunEnvironment['notify'];
  /** Programs that steps may run; default: none. */
  readonly programs?: Programs;
  /** Executes programs; default: on this machine. */
  readonly execute?: RunEnvironment['execute'];
  readonly halt: AbortSignal;
  /** Called with every entry, in order, once it is on the disk. */
  readonly onEntry: (entry: Entry) => void;
}

/**
 * Executes or resumes a playbook.
 * @throws DiskError when the journal cannot be written: nothing was sent after that
 */
export async function run(options: RunOptions): Promise<RunResult> {
  const { runId, journal, earlier, clock, exchange, drain, halt, onEntry } = options;
  const accounts = destinationsOf(options);
  const begun = [...earlier, ...(await recordOpening(options))];
  const limits = limitsOf(options);
  const news = newsOf(accounts, options.visibilities, earlier);
  const visibilities = visibilitiesFor(runId, accounts, visibilitiesIn([...earlier, ...news]));
  const { main, child } = interpreterOf({
    ...options,
    limits,
    sent: openWritesIn(earlier),
    decisions: decisionsIn(earlier),
    began: beginningIn(earlier),
  });
  const engine: Engine<RunJobs> = embeddedEngine({
    runId,
    journal,
    earlier: begun,
    effects: effectsOf(
      worldOf(options, { visibilities, limits, ...forgotIn(begun) }, async () => {
        await engine.caughtUp();
        return engine.entries;
      }),
    ),
    body: child,
    clock,
    time: (signal) => exchange.serverTime(signal),
    drain,
    halt,
    onEntry,
  });
  try {
    await Promise.all(news.map((event) => engine.record(event)));
    const walked = await main(engine.durable);
    await visibilities.ended();
    await engine.caughtUp();
    const result = hasOpenWrite(engine.entries) ? inDoubt : exitAfter(walked, engine.entries);
    const guards = limits.results();
    await engine.record({ kind: 'finished', ...result, ...(guards.length > 0 && { guards }) });
    return result;
  } catch (error) {
    await engine.caughtUp().catch(() => undefined); // what is not on the disk is not in the entries
    throw endedBy(error, engine.entries);
  } finally {
    engine.end();
    visibilities.stop();
  }
}

/**
 * The first entries of this attempt. The engine knows them from its start: writes that others may have
 * sent are part of the run that it continues.
 */
async function recordOpening(options: RunOptions): Promise<readonly Entry[]> {
  const { journal, earlier, unreported, onEntry } = options;
  const isNew = earlier.length === 0;
  const events = [isNew ? startedEvent(options) : resumedEvent(options)];
  if (unreported !== undefined) events.push(unreported);
  try {
    const opening = await Promise.all(events.map((event) => journal.append(event)));
    opening.forEach(onEntry);
    return opening;
  } catch (error) {
    throw endedBy(error, earlier);
  }
}

function endedBy(error: unknown, entries: readonly Entry[]): unknown {
  return hasOpenWrite(entries) ? new LostRecordError(error) : errorAfter(error, entries);
}

function destinationsOf({ destination, accounts }: RunOptions): readonly Destination[] {
  return [destination, ...accounts.map((account) => account.destination)];
}

/** The limits of a run, including the writes that its earlier attempts sent or may have sent. */
function limitsOf(options: RunOptions): LimitTracker {
  const limits = new LimitTracker(options.guards, { at: options.time });
  for (const { destination, guards } of options.accounts) {
    limits.open({ kind: 'account', profile: destination.profile }, guards);
  }
  for (const write of sentIn(options.earlier)) limits.count(write);
  return limits;
}

interface Tracked extends Pick<RunEnvironment, 'forgot' | 'visibilities'> {
  readonly limits: LimitTracker;
}

function worldOf(
  options: RunOptions,
  { visibilities, limits, ...forgot }: Tracked,
  entries: RunEnvironment['entries'],
): RunEnvironment {
  const { exchange, terms, destination, onDoubt, accounts, playbook, clock, ledger } = options;
  const { runId, workspace, inherited, disk, keepFile, elsewhere, earlier, reads = [] } = options;
  const { documents, secret, secrets, drain } = options;
  const frozen = earlier.length > 0 ? frozenIn(earlier) : reads;
  return {
    account: { exchange, destination, onDoubt, ...(terms && { terms }) },
    accounts,
    visibilities,
    frozen: new Map(frozen.map(({ address, values }) => [address, values])),
    found: new Set(options.found),
    runId,
    playbook,
    clock,
    ledger,
    ...forgot,
    namesElsewhere: options.namesElsewhere ?? (async () => new Set()),
    limits: new WriteLimits(limits, new Prices(exchange, clock), exchange),
    workspace,
    ...(inherited && { inherited }),
    ...(disk && { disk }),
    ...(keepFile && { keepFile }),
    ...(elsewhere && { elsewhere }),
    documents,
    entries,
    secret,
    ...(secrets && { secrets }),
    notify: options.notify ?? postNotice,
    programs: options.programs ?? false,
    execute: options.execute ?? runProgram,
    drain,
  };
}

/** Whether the store of the run ever forgot entries that it had confirmed, and since when. */
function forgotIn(entries: readonly Entry[]): Pick<RunEnvironment, 'forgot'> {
  const forgot = forgottenSince(entries);
  return forgot === undefined ? {} : { forgot };
}

/** A sent write without an outcome, wherever the walk ended: it may not have reached it. */
const inDoubt: RunResult = { status: 'doubt', exit: exits.inDoubt, outputs: null };

/** The record ended during a write: its outcome is unknown until the run is resumed. */
export class LostRecordError extends DeskhandError {
  constructor(cause: unknown) {
    super('the journal ended during a write; its outcome is not recorded', {
      code: 'in-doubt',
      actor: 'operator',
      exit: exits.inDoubt,
      hint: isTaken(cause)
        ? 'another process continues the run and looks the write up: see `deskhand runs list`'
        : 'repair the disk, or reach the state store, then resume the run: it looks the write up first',
      cause,
    });
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof DeskhandError && error.code === 'locked';
}

/** Records a resume, with changed keys, addresses or ids. */
function resumedEvent(options: RunOptions): Event {
  const destinations = options.earlier.flatMap((entry) => {
    if (entry.kind === 'started') return [entry.destination, ...(entry.accounts ?? [])];
    return entry.kind === 'resumed' ? (entry.accounts ?? []) : [];
  });
  const accounts = destinationsOf(options).filter(
    (account) => !destinations.some((known) => isDeepStrictEqual(known, account)),
  );
  return { kind: 'resumed', ...(accounts.length > 0 && { accounts }), ...raisedLimit(options) };
}

/** The entry for a limit above that of the entries before it: a resumed run continues under it. */
function raisedLimit({ playbook, earlier }: RunOptions): { readonly itemsMax?: number } {
  const { itemsMax } = playbook;
  return itemsMax > itemsMaxIn(earlier) ? { itemsMax } : {};
}

function startedEvent(options: RunOptions): Event {
  const { playbook, runId, destination, accounts, inputs, time, scheduledFor } = options;
  const { program, plan } = options;
  const { name, file, digest, text, includes } = playbook;
  return {
    kind: 'started',
    run: runId,
    playbook: { name, file, digest, text, ...(includes.length > 0 && { includes }) },
    destination,
    ...(accounts.length > 0 && { accounts: accounts.map((account) => account.destination) }),
    ...(plan !== undefined && { plan }),
    ...(options.commit !== undefined && { commit: options.commit }),
    ...(options.approvals && { approvals: options.approvals }),
    inputs: toJson(inputs),
    ...(options.reads && options.reads.length > 0 && { reads: options.reads }),
    ...(options.orphans && { orphans: options.orphans }),
    time,
    ...(scheduledFor !== undefined && { scheduledFor }),
    program,
    naming: 2,
    ...raisedLimit(options),
    steps: listedSteps(playbook, options.planned),
  };
}
