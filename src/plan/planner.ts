/** Makes a plan: real reads, no writes, and everything a run would send, line by line. */
import { day, minute, type Millis } from '../base/clock.ts';
import { decimal, decimalText, zero } from '../base/decimal.ts';
import { contractDigest } from '../contract/digest.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { TermsOf } from '../contract/terms.ts';
import type { Destination, Entry } from '../journal/entry.ts';
import { accountOf } from '../journal/account.ts';
import type { Visibilities } from '../journal/visibility.ts';
import type { Ledger } from '../journal/ledger.ts';
import { replay } from '../journal/replay.ts';
import { toJson, type Value } from '../playbook/expression/value.ts';
import type { Playbook } from '../playbook/playbook.ts';
import type { OpenAccount } from './account.ts';
import { sealed } from './digest.ts';
import { isWrite, mayWrite } from './effect.ts';
import type { GuardRules } from '../playbook/limits.ts';
import { guardBook } from './guards.ts';
import { observerOf, type Observer } from './observe.ts';
import { secondsAtLimits } from './pace.ts';
import type { Plan, PlannedAction, PlannedStep } from './plan.ts';
import type { PlanningBench } from './bench.ts';
import { PlanProblems } from './problems.ts';
import { firstScope } from './scope.ts';
import type { Programs } from './programs.ts';
import { planPlaybook } from './step.ts';

export interface PlanOptions {
  readonly playbook: Playbook;
  readonly inputs: Readonly<Record<string, Value>>;
  readonly destination: Destination;
  readonly exchange: Exchange;
  /** What orders are held against; absent where nothing tells it. */
  readonly terms?: TermsOf;
  readonly ledger: Ledger;
  /** Entries of the run when it goes on: what it read is not read again, for it goes on with that. */
  readonly earlier?: readonly Entry[];
  /** What runs learned of the lists of accounts; nothing when absent. */
  readonly learned?: (accounts: readonly Destination[]) => Promise<Visibilities>;
  /** The limits in force: the profile's, tightened by the playbook's. */
  readonly guards: GuardRules;
  /** No request at all: what would be read is told as such. */
  readonly isOffline: boolean;
  /** The frozen time of the run: the exchange's clock now, or that of the plan run again. */
  readonly observedAt: Millis;
  /** The time of its schedule this is for, if it is for one. */
  readonly scheduledFor?: Millis | undefined;
  /** The run's id; it names the writes. */
  readonly run: string;
  /** What was drawn for this plan; '' where its run's id is drawn by itself. */
  readonly nonce?: string;
  /** Who wrote the playbook and who makes the plan; nobody that is known when absent. */
  readonly origin?: Pick<Plan, 'authors' | 'commit'>;
  /** How long it may be run. */
  readonly lasts?: Millis;
  /** When the plan that is made again was first made. */
  readonly madeAt?: Millis;
  readonly signal: AbortSignal;
  /** Opens other accounts that steps name. */
  readonly open: OpenAccount;
  /** Programs that steps may run; none when absent. */
  readonly programs?: Programs;
}

/**
 * Plans a playbook.
 * @throws UnfitError with everything that would be refused, or fails, on values that are known now
 */
export async function makePlan(options: PlanOptions): Promise<Plan> {
  const observer = observerOf(options.exchange, options.signal);
  const bench = benchOf(options, observer);
  const { playbook, observedAt } = options;
  const scope = firstScope(options.inputs, {
    id: options.run,
    playbook: playbook.name,
    time: observedAt,
    scheduledFor: options.scheduledFor,
  });
  const { planned } = await planPlaybook(playbook, scope, bench);
  bench.problems.refuse();
  return planOf(options, planned, bench, await unlistedOf(options, planned, bench));
}

/** Accounts whose orders could not be looked up; asked of nobody when nothing is sent. */
async function unlistedOf(
  { learned, destination }: PlanOptions,
  steps: readonly PlannedStep[],
  { accounts }: PlanningBench,
): Promise<readonly string[]> {
  if (learned === undefined || !mayWrite({ steps })) return [];
  const all = [destination, ...[...accounts.values()].map((account) => account.destination)];
  const known = await learned(all);
  return all
    .filter((account) => known.get(accountOf(account))?.orders === 'unlisted')
    .map(({ profile }) => profile);
}

function benchOf(options: PlanOptions, observer: Observer): PlanningBench {
  const { playbook, destination, exchange, ledger, isOffline, observedAt, signal, run, open } =
    options;
  const judging = { now: () => observedAt, isPlan: true, isOffline };
  const guards = guardBook(options.guards, judging);
  return {
    naming: { playbook: playbook.name, destination, run },
    exchange,
    observer,
    terms: isOffline ? undefined : options.terms,
    problems: new PlanProblems(),
    ledger,
    proven: replay(options.earlier ?? []),
    isOffline,
    observedAt,
    signal,
    guards,
    accounts: new Map(),
    open,
    programs: options.programs ?? false,
    marks: new Map(),
    positions: new Map(),
    openOrders: new Map(),
    ...(options.madeAt !== undefined && { madeAt: options.madeAt }),
    expected: new Map(),
    writes: [],
    names: new Map(),
  };
}

function planOf(
  options: PlanOptions,
  steps: readonly PlannedStep[],
  bench: PlanningBench,
  unlisted: readonly string[],
): Plan {
  const { playbook, destination, observedAt, inputs, scheduledFor } = options;
  const { name, file, digest, text, includes } = playbook;
  return sealed({
    version: 1,
    nonce: options.nonce ?? '',
    run: options.run,
    contract: contractDigest(),
    isOffline: options.isOffline,
    playbook: { name, file, digest, text, ...(includes.length > 0 && { includes }) },
    destination,
    ...(scheduledFor !== undefined && { scheduledFor }),
    ...(bench.accounts.size > 0 && {
      accounts: [...bench.accounts.values()].map((account) => account.destination),
    }),
    ...(unlisted.length > 0 && { unlisted }),
    authors: options.origin?.authors ?? [],
    ...(options.origin?.commit !== undefined && { commit: options.origin.commit }),
    inputs: toJson(inputs),
    observedAt,
    expiresAt: observedAt + (options.lasts ?? lastsOn[destination.target]),
    steps,
    totals: totalsOf(steps, bench),
    guards: bench.guards.results(),
    marks: Object.fromEntries(bench.marks),
    positions: Object.fromEntries(bench.positions),
  });
}

/** How long a plan may be run when nobody says otherwise: prices of a live market move on. */
export const lastsOn = { live: 15 * minute, sandbox: day };

function totalsOf(steps: readonly PlannedStep[], bench: PlanningBench): Plan['totals'] {
  const actions = steps.flatMap((step) => step.actions);
  const ofKind = (kind: string): number =>
    actions.filter(({ change }) => change.kind === kind).length;
  const orders = actions.filter(({ change, order }) => change.kind === 'create' && order);
  const notional = orders.reduce(
    (sum, { order }) => sum.plus(decimal(order?.notional ?? '0')),
    zero,
  );
  const later = steps.filter(
    (step) => isWrite(step) && step.actions.some(({ change }) => change.kind === 'later'),
  ).length;
  const open = [...bench.openOrders.values()].reduce((sum, count) => sum + count, 0);
  const own = orders.filter(({ account }) => account === undefined);
  const requests = [...bench.expected.values()].reduce((sum, count) => sum + count, 0);
  return {
    create: ofKind('create'),
    set: ofKind('set'),
    unchanged: ofKind('none'),
    ...(later > 0 && { later }),
    requests,
    seconds: secondsAtLimits(bench.expected),
    orders: orders.length,
    notional: decimalText(notional),
    ...farthestOf(orders),
    ...(bench.openOrders.size > 0 && { openOrdersAfter: open + own.length }),
  };
}

function farthestOf(orders: readonly PlannedAction[]): { readonly farthest?: string } {
  const distances = orders.flatMap(({ order }) => order?.distance ?? []).map(decimal);
  const [first, ...rest] = distances;
  if (first === undefined) return {};
  return { farthest: decimalText(rest.reduce((a, b) => (b.abs().gt(a.abs()) ? b : a), first)) };
}
