/** A run from its first entry to its last: the interpreter on the engine of this process. */
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../base/clock.ts';
import { exits } from '../../base/error.ts';
import { nobody } from '../effects/people.ts';
import type { RunEnvironment } from '../effects/effect-context.ts';
import { effectsOf } from '../effects/index.ts';
import { WriteLimits } from '../effects/limits.ts';
import { Prices } from '../effects/prices.ts';
import { visibilitiesFor } from '../effects/order-visibility.ts';
import { runProgram } from '../effects/shell.ts';
import { postNotice } from '../effects/webhook.ts';
import type { Address, Destination, Entry, Event } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import type { Ledger } from '../journal/ledger.ts';
import { decisionsIn } from '../journal/decisions.ts';
import { openWritesIn } from '../journal/possible.ts';
import { forgottenSince, hasOpenWrite } from '../journal/replay.ts';
import { newsOf, visibilitiesIn, type Visibilities } from '../journal/visibility.ts';
import type { Account } from '../plan/account.ts';
import { beginningIn, frozenIn } from '../plan/call.ts';
import { itemsMaxIn } from '../plan/items.ts';
import { LimitTracker } from '../plan/limit-tracker.ts';
import type { PlannedStep } from '../plan/plan.ts';
import { sentIn } from '../plan/sent.ts';
import type { GuardRules } from '../../language/limits.ts';
import { toJson } from '../../language/expression/value.ts';
import { interpreterOf, type Interpretation, type RunResult } from '../interpreter/interpret.ts';
import type { RunJobs } from '../interpreter/jobs.ts';
import { embeddedEngine, type Engine } from './embedded.ts';
import { errorAfter, exitAfter } from './exit.ts';
import { listedSteps } from './listed-steps.ts';
import { recordedPlaybook } from '../journal/recorded-playbook.ts';
import { LostRecordError } from './lost-record.ts';
import { destinationsOf } from '../journal/account.ts';

/** The facts of a run. Its caller builds each part once, and the part is handed on as a whole. */
export interface Run extends Omit<
  Interpretation,
  'destination' | 'accounts' | 'limits' | 'sent' | 'decisions' | 'began'
> {
  /** The run's own account. */
  readonly account: RunEnvironment['account'];
  /** Accounts of other profiles used by steps. */
  readonly accounts: readonly Account[];
  /** The limits in force: the profile's, tightened by the playbook's. */
  readonly guards: GuardRules;
  /** Writes of earlier runs: they are not sent again, and do not count towards limits of this run. */
  readonly ledger: Ledger;
  /** The origin of the run, which the first entry records. */
  readonly origin: Origin;
  /** The steps of the run's plan, which name their accounts. */
  readonly planned?: readonly PlannedStep[];
  /** Actions whose order the plan found on the exchange; default: none. */
  readonly found?: readonly Address[];
  readonly journal: Journal;
  /** Entries of the journal when the run is resumed; empty for a new one. */
  readonly earlier: readonly Entry[];
  /** Writes that others may have sent in this run before its first entry; default: none. */
  readonly unreported?: Event;
  /** Proofs of earlier runs about which orders the accounts' lists show; default: none. */
  readonly visibilities?: Visibilities;
  readonly world: World;
  readonly clock: Clock;
  readonly halt: AbortSignal;
  /** Called with every entry, in order, once it is on the disk. */
  readonly onEntry: (entry: Entry) => void;
}

/**
 * The program, and for a run of a saved plan: its id, the commit it was made at, the values it read, which are
 * used instead of new reads, the open orders that are no longer in its playbook, and its approvals. The authors
 * of a run with steps that wait for approvals.
 */
type Origin = Pick<
  Extract<Event, { readonly kind: 'started' }>,
  'program' | 'plan' | 'commit' | 'reads' | 'orphans' | 'approvals' | 'authors'
>;

type OwnWorld = Pick<
  RunEnvironment,
  | 'workspace'
  | 'inherited'
  | 'disk'
  | 'keepFile'
  | 'elsewhere'
  | 'documents'
  | 'pages'
  | 'secret'
  | 'secrets'
>;
type UsualWorld = Pick<
  RunEnvironment,
  'namesElsewhere' | 'notify' | 'programs' | 'execute' | 'answers'
>;

/** The world around effects: files, secrets, programs, other systems. */
export type World = OwnWorld & Partial<UsualWorld>;

/** Notices go over HTTPS, and programs run on this machine, if the playbook may use any. */
const usualWorld: UsualWorld = {
  namesElsewhere: async () => new Set(),
  notify: postNotice,
  programs: false,
  execute: runProgram,
  answers: nobody,
};

/**
 * Executes or resumes a playbook.
 * @throws DiskError when the journal cannot be written: nothing was sent after that
 */
export async function run(options: Run): Promise<RunResult> {
  const { runId, journal, earlier, clock, drain, halt, onEntry } = options;
  const { destination, exchange } = options.account;
  const accounts = accountsIn(options);
  const begun = [...earlier, ...(await recordOpening(options))];
  const limits = limitsOf(options);
  const news = newsOf(accounts, options.visibilities, earlier);
  const visibilities = visibilitiesFor(runId, accounts, visibilitiesIn([...earlier, ...news]));
  const { main, child } = interpreterOf({
    ...options,
    destination,
    limits,
    sent: openWritesIn(earlier),
    decisions: decisionsIn(earlier),
    began: beginningIn(earlier),
    reused: reusedIn(begun),
  });
  const engine: Engine<RunJobs> = embeddedEngine({
    runId,
    journal,
    earlier: begun,
    effects: effectsOf(
      environmentOf(options, { visibilities, limits, ...forgotIn(begun) }, async () => {
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

/** The steps that an earlier run did, as the start of this one recorded them. */
function reusedIn([started]: readonly Entry[]): Run['reused'] {
  return started?.kind === 'started' ? started.reused : undefined;
}

/**
 * The first entries of this attempt. The engine knows them from its start: writes that others may have
 * sent are part of the run that it continues.
 */
async function recordOpening(options: Run): Promise<readonly Entry[]> {
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

function accountsIn({ account: own, accounts }: Run): readonly Destination[] {
  return [own, ...accounts].map((account) => account.destination);
}

/** The limits of a run, including the writes that its earlier attempts sent or may have sent. */
function limitsOf(options: Run): LimitTracker {
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

function environmentOf(
  options: Run,
  { visibilities, limits, ...forgot }: Tracked,
  entries: RunEnvironment['entries'],
): RunEnvironment {
  const { account, accounts, playbook, runId, clock, ledger, drain, earlier, origin } = options;
  const frozen = earlier.length > 0 ? frozenIn(earlier) : (origin.reads ?? []);
  const { exchange } = account;
  return {
    ...usualWorld,
    ...options.world,
    account,
    accounts,
    playbook,
    runId,
    clock,
    ledger,
    drain,
    ...forgot,
    visibilities,
    entries,
    frozen: new Map(frozen.map(({ address, values }) => [address, values])),
    found: new Set(options.found),
    limits: new WriteLimits(limits, new Prices(exchange, clock), exchange, accounts),
  };
}

/** Whether the store of the run ever forgot entries that it had confirmed, and since when. */
function forgotIn(entries: readonly Entry[]): Pick<RunEnvironment, 'forgot'> {
  const forgot = forgottenSince(entries);
  return forgot === undefined ? {} : { forgot };
}

/** A sent write without an outcome, wherever the walk ended: it may not have reached it. */
const inDoubt: RunResult = { status: 'doubt', exit: exits.inDoubt, outputs: null };

/** Records a resume, with changed keys, addresses or ids. */
function resumedEvent(options: Run): Event {
  const destinations = options.earlier.flatMap((entry) => {
    if (entry.kind === 'started') return destinationsOf(entry);
    return entry.kind === 'resumed' ? (entry.accounts ?? []) : [];
  });
  const accounts = accountsIn(options).filter(
    (account) => !destinations.some((known) => isDeepStrictEqual(known, account)),
  );
  return { kind: 'resumed', ...(accounts.length > 0 && { accounts }), ...raisedLimit(options) };
}

/** The entry for a limit above that of the entries before it: a resumed run continues under it. */
function raisedLimit({ playbook, earlier }: Run): { readonly itemsMax?: number } {
  const { itemsMax } = playbook;
  return itemsMax > itemsMaxIn(earlier) ? { itemsMax } : {};
}

function startedEvent(options: Run): Event {
  const { playbook, runId, account, accounts, inputs, time, scheduledFor } = options;
  const { reads = [], ...origin } = options.origin;
  return {
    kind: 'started',
    run: runId,
    playbook: recordedPlaybook(playbook),
    destination: account.destination,
    ...(accounts.length > 0 && { accounts: accounts.map((each) => each.destination) }),
    ...origin,
    ...(options.reused && { reused: options.reused }),
    ...(reads.length > 0 && { reads }),
    inputs: toJson(inputs),
    time,
    ...(scheduledFor !== undefined && { scheduledFor }),
    naming: 2,
    ...raisedLimit(options),
    steps: listedSteps(playbook, options.planned),
  };
}
