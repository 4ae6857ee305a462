/** Makes a plan: real reads, no writes, and everything a run would send, line by line. */
import { day, minute, type Millis } from '../../base/clock.ts';
import { contractDigest } from '../../exchange/api/digest.ts';
import type { Exchange } from '../../exchange/api/exchange.ts';
import type { TermsOf } from '../../exchange/api/terms.ts';
import type { Destination, Entry } from '../journal/entry.ts';
import type { FrozenRead } from '../journal/frozen.ts';
import { visibilitiesOf, type Visibilities } from '../journal/visibility.ts';
import type { Ledger } from '../journal/ledger.ts';
import { decisionsIn } from '../journal/decisions.ts';
import type { Orphan } from '../journal/orphan.ts';
import type { PlacedOrders } from '../journal/placed-orders.ts';
import type { Reused } from '../journal/reused.ts';
import { refuseUnproved } from '../journal/standing.ts';
import type { LeftAside, LeftByRun } from '../journal/unfinished.ts';
import { toJson, type Value } from '../../language/expression/value.ts';
import type { Playbook } from '../../language/playbook.ts';
import type { OpenAccount } from './account.ts';
import { beginningIn } from './call.ts';
import { sealed } from './digest.ts';
import { doubtsBeside } from './doubts.ts';
import { mayWrite } from './effect.ts';
import { PlannedFiles } from './step-files.ts';
import { ItemCount } from './items.ts';
import type { GuardRules } from '../../language/limits.ts';
import { namedValues } from './named-values.ts';
import { LimitTracker } from './limit-tracker.ts';
import type { Observer } from './observe.ts';
import { knownIn, orphansOf, type Known } from './orphans.ts';
import type { Plan, PlannedStep } from './plan.ts';
import type { Here, PlanContext } from './plan-context.ts';
import { PlanProblems } from './problems.ts';
import { asksNobody, observerFor, type Sources } from './recorded.ts';
import { reusedItems } from './reused-item.ts';
import { againNotes, reusedById } from './reused-step.ts';
import { firstScope } from './scope.ts';
import { sentIn } from './sent.ts';
import type { Programs } from './programs.ts';
import { readsIn } from './plan-reads.ts';
import { PublicReads } from './public-reads.ts';
import { PlannedStates } from './planned-states.ts';
import { planPlaybook } from './step.ts';
import { totalsOf } from './totals.ts';
import { unknownOrdersIn } from './unknown-orders.ts';
import { asideNotes, unfinishedBeside } from './unfinished.ts';
import { recordedPlaybook } from '../journal/recorded-playbook.ts';

export interface PlanOptions extends Sources {
  readonly playbook: Playbook;
  readonly inputs: Readonly<Record<string, Value>>;
  readonly destination: Destination;
  readonly exchange: Exchange;
  /** Trading rules that orders are checked against; absent if not known. */
  readonly terms?: TermsOf;
  readonly ledger: Ledger;
  /** The entries of a resumed run: its reads are not repeated, unless `rereads` is true. */
  readonly earlier?: readonly Entry[];
  /** Whether the reads of a resumed run are repeated, and none of their recorded results is used. */
  readonly rereads?: true;
  /** The proofs of earlier runs about the lists of accounts; default: none. */
  readonly learned?: (accounts: readonly Destination[]) => Promise<Visibilities>;
  /** New keys and addresses of an account, as text; default: none. */
  readonly news?: (account: Destination) => readonly string[];
  /** Orders of earlier runs with once-per: playbook, on an account; default: none. */
  readonly placed?: (account: Destination) => PlacedOrders;
  /** Unfinished runs of the playbook on these accounts; default: none. */
  readonly unfinished?: (accounts: readonly Destination[]) => readonly LeftByRun[];
  /** The doubts that runs of other playbooks left on these accounts; default: none. */
  readonly doubts?: (accounts: readonly Destination[]) => Promise<readonly LeftByRun[]>;
  /** A run of the playbook that was set aside, and left writes on these accounts; default: none. */
  readonly aside?: (accounts: readonly Destination[]) => LeftAside | undefined;
  /** The limits in force: the profile's, tightened by the playbook's. */
  readonly guards: GuardRules;
  /** Whether no requests are sent: reads are only listed. */
  readonly isOffline: boolean;
  /** The constant time of the run: the exchange's clock now, or that of the recomputed plan. */
  readonly observedAt: Millis;
  /** The scheduled time of the run, if any. */
  readonly scheduledFor?: Millis | undefined;
  /** The run's id, part of the names of its writes. */
  readonly run: string;
  /** Random part of this plan's id; '' if its run's id is random itself. */
  readonly nonce?: string;
  /** The authors of the playbook and the plan; default: unknown. */
  readonly origin?: Pick<Plan, 'authors' | 'commit'>;
  /** The time for which the plan is valid. */
  readonly lasts?: Millis;
  /** The time when a recomputed plan was first made. */
  readonly madeAt?: Millis;
  /** Reads of a resumed run, frozen by its plan. */
  readonly frozen?: readonly FrozenRead[] | undefined;
  /** Opens other accounts used by steps. */
  readonly open: OpenAccount;
  /** The steps that an earlier run did; default: none. */
  readonly reused?: Reused;
  /** Programs that steps may run; default: none. */
  readonly programs?: Programs;
  /** The secrets and programs that steps need on this machine: checked now; default: not checked. */
  readonly here?: Here;
}

/**
 * Plans a playbook.
 * @throws UnfitError with everything that would be refused or fail with the known values, before a
 * run begins;
 * UnprovedAccountError for writes that may already have been made with another key
 */
export async function makePlan(options: PlanOptions): Promise<Plan> {
  const observer = observerFor(options.exchange, options);
  const context = benchOf(options, observer);
  const { playbook, observedAt } = options;
  const scope = firstScope(options.inputs, {
    id: options.run,
    playbook: playbook.name,
    time: observedAt,
    scheduledFor: options.scheduledFor,
  });
  const { planned } = await planPlaybook(playbook, scope, context);
  // A run that began settles its doubts first, and refuses what does not fit where it would be sent.
  if (options.earlier === undefined) context.problems.refuse();
  if (!options.isOffline && !options.earlier) refuseUnproved(context.unproved); // a resumed run settles its doubts first
  const unlisted = await unlistedOf(options, planned, context);
  const known = knownIn(playbook, planned, context.keys);
  const accounts = [{ ...options, observer }, ...context.accounts.values()] as const;
  const orphans = await orphansOf(known, accounts, options.placed, context);
  const doubts = await doubtsOf(options, planned, context);
  const named = namedValues(playbook, scope);
  return planOf(options, planned, context, { unlisted, orphans, named, ...doubts });
}

/** The doubts that other playbooks left where the plan writes. */
async function doubtsOf(
  { doubts, destination, guards }: PlanOptions,
  steps: readonly PlannedStep[],
  { accounts }: PlanContext,
): Promise<Pick<Plan, 'doubts'>> {
  if (doubts === undefined || !mayWrite({ steps })) return {};
  const others = [...accounts.values()].map((account) => account.destination);
  const left = await doubts([destination, ...others]);
  const how = guards.doubts ?? (destination.target === 'sandbox' ? 'show' : 'block');
  return doubtsBeside(left, steps, how === 'block');
}

/** The actions of a playbook as known without reads. */
export async function knownOffline(options: Omit<PlanOptions, 'isOffline'>): Promise<Known> {
  const offline = { ...options, isOffline: true };
  const { playbook, inputs, run: id, observedAt: time } = offline;
  const context = benchOf(offline, observerFor(offline.exchange, offline));
  const scope = firstScope(inputs, { id, playbook: playbook.name, time, scheduledFor: undefined });
  const { planned } = await planPlaybook(playbook, scope, context);
  return knownIn(playbook, planned, context.keys);
}

/** Accounts whose orders could not be looked up; irrelevant when nothing is sent. */
async function unlistedOf(
  { learned, destination }: PlanOptions,
  steps: readonly PlannedStep[],
  { accounts }: PlanContext,
): Promise<readonly string[]> {
  if (learned === undefined || !mayWrite({ steps })) return [];
  const all = [destination, ...[...accounts.values()].map((account) => account.destination)];
  const known = await learned(all);
  return all
    .filter((account) => {
      const lines = [...visibilitiesOf(account, known).values()];
      return lines.some(({ orders }) => orders === 'unlisted');
    })
    .map(({ profile }) => profile);
}

function benchOf(options: PlanOptions, observer: Observer): PlanContext {
  const { playbook, destination, exchange, ledger, isOffline, observedAt, signal, run, open } =
    options;
  const limits = new LimitTracker(options.guards, { at: observedAt, isPlan: true, isOffline });
  for (const write of sentIn(options.earlier ?? [])) limits.count(write);
  const began = beginningIn(options.earlier ?? []);
  const terms = isOffline || asksNobody(options) ? undefined : options.terms;
  const naming = { playbook: playbook.name, destination, run, ...(began && { began }) };
  const own = { naming, exchange, observer, terms, ledger };
  return {
    ...own,
    own,
    publicReads: new PublicReads(),
    problems: new PlanProblems(),
    unproved: [],
    states: new PlannedStates(),
    keys: new Set(),
    decisions: decisionsIn(options.earlier ?? []),
    ...(options.earlier !== undefined && { mayFail: true }),
    ...(options.rereads && { rereads: true }),
    ...(options.reused && { reused: reusedById(options.reused) }),
    reusedItems: reusedItems(options.reused),
    isOffline,
    observedAt,
    signal,
    limits,
    items: new ItemCount(playbook.itemsMax),
    files: new PlannedFiles(options.reused),
    accounts: new Map(),
    open,
    programs: options.programs ?? false,
    programsBefore: new Set(),
    here: options.here,
    marks: new Map(),
    quotes: new Map(),
    positions: new Map(),
    openOrders: new Map(asksNobody(options) ? options.recorded?.openOrders : []),
    ...(options.madeAt !== undefined && { madeAt: options.madeAt }),
    expected: new Map(),
    pending: [],
    uses: new Map(),
    usesByPlaybook: new Map(),
    reads: new Map(),
    readLater: new Map(),
    frozen: new Map((options.frozen ?? []).map(({ address, values }) => [address, values])),
    recorded: options.recorded,
    trace: options.trace,
    fresh: options.fresh,
    unknownOrders: [],
    deferredReads: new Map(),
    names: new Map(),
  };
}

function planOf(
  options: PlanOptions,
  steps: readonly PlannedStep[],
  context: PlanContext,
  {
    unlisted,
    orphans,
    doubts,
    named,
  }: {
    readonly named: ReturnType<typeof namedValues>;
    readonly unlisted: readonly string[];
    readonly orphans: readonly Orphan[];
    readonly doubts?: Plan['doubts'];
  },
): Plan {
  const { playbook, destination, observedAt, inputs, scheduledFor } = options;
  const others = [...context.accounts.values()].map((account) => account.destination);
  const all = [destination, ...others];
  const left = mayWrite({ steps }) ? (options.unfinished?.(all) ?? []) : [];
  const unfinished = unfinishedBeside(left, steps);
  const aside = mayWrite({ steps }) ? options.aside?.(all) : undefined;
  const found = unknownOrdersIn(context);
  const unknown = others.length > 0 ? found : found.map(withoutAccount);
  const news = all.flatMap((account) => options.news?.(account) ?? []);
  const again = aside?.run === options.reused?.run ? [] : asideNotes(aside, steps);
  const notes = [...againNotes(options.reused), ...again, ...news];
  return sealed({
    version: 2,
    nonce: options.nonce ?? '',
    run: options.run,
    contract: contractDigest(),
    isOffline: options.isOffline,
    playbook: recordedPlaybook(playbook),
    destination,
    ...(scheduledFor !== undefined && { scheduledFor }),
    ...(others.length > 0 && { accounts: others }),
    ...(unlisted.length > 0 && { unlisted }),
    ...(notes.length > 0 && { notes }),
    ...(orphans.length > 0 && { orphans }),
    ...(options.reused && { reused: options.reused }),
    ...(doubts && { doubts }),
    ...(unfinished.length > 0 && { unfinished }),
    authors: options.origin?.authors ?? [],
    ...(options.origin?.commit !== undefined && { commit: options.origin.commit }),
    inputs: toJson(inputs),
    ...named,
    observedAt,
    ...readsIn(steps, context),
    expiresAt: observedAt + (options.lasts ?? lastsOn[destination.target]),
    steps: others.length > 0 ? steps : steps.map(withoutAccounts),
    ...(unknown.length > 0 && { unknownOrders: unknown }),
    totals: totalsOf(steps, context),
    guards: context.limits.results(),
    marks: Object.fromEntries(context.marks),
    quotes: Object.fromEntries(context.quotes),
    positions: Object.fromEntries(context.positions),
    ...(context.openOrders.size > 0 && { openOrders: Object.fromEntries(context.openOrders) }),
  });
}

/** Removes the accounts from a step's actions: only a plan with several accounts names them. */
function withoutAccounts(step: PlannedStep): PlannedStep {
  return { ...step, actions: step.actions.map(withoutAccount) };
}

function withoutAccount<T extends { readonly account?: string }>(line: T): Omit<T, 'account'> {
  const { account: _account, ...rest } = line;
  return rest;
}

/** The default validity of a plan: prices of a live market change. */
export const lastsOn = { live: 15 * minute, demo: 15 * minute, sandbox: day };
