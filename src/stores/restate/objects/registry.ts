/** The one object of a desk that decides which process gets a run: it knows accounts, plans and runs in
 * progress.
 */
import type { Millis } from '../../../base/clock.ts';
import { forgotOf, type Met } from '../../shared/forgotten.ts';
import { blockedBy, namesOf, usedBy } from '../../shared/known-run.ts';
import type { Blocked, Taken, TakeRequest } from '../../shared/shared-runs.ts';
import { addTo, endsOf, pageAt } from './log.ts';
import { registryObject, serviceVersion } from './names.ts';
import type { Invocation, ObjectDefinition } from './object.ts';
import {
  clean,
  emptied,
  forget,
  newestPlans,
  outdated,
  planned,
  prune,
  prunedIn,
  type PrunedRuns,
} from './registry-removals.ts';
import { accountsIn, close, endedRuns, exclusively, ofRun, openIn } from './registry-state.ts';
import type { BeginInput, Begun, RunEnded } from './run-object.ts';
import type { Looked } from './run-state.ts';

/** The ended runs from a position on, and all runs in progress. */
export interface Listed extends PrunedRuns {
  /** The ids of the runs in progress. */
  readonly open: readonly string[];
  readonly ended: readonly RunEnded[];
  /** The position of each ended run. */
  readonly at: readonly number[];
  /** The position after the ended runs. */
  readonly next: number;
  /** Whether there are more ended runs. */
  readonly hasMore: boolean;
  readonly incarnation: string;
}

export const registry: ObjectDefinition = {
  name: registryObject,
  isLazy: true,
  exclusive: { take, ended, restored, prune, forget, emptied, planned, clean },
  shared: { list, about, outdated, newestPlans },
  internal: ['ended', 'planned'],
};

async function about(): Promise<{ readonly version: number }> {
  return { version: serviceVersion };
}

/** An incarnation, with its times by the exchange's clock and by the clock of the handlers. */
interface Incarnation {
  readonly since: Millis | null;
  readonly until: Millis | null;
  readonly sinceHere: Millis;
  readonly untilHere: Millis;
}

/**
 * Takes a run. Each run decides itself whether it is given to another process: it may change after it was
 * looked at. Runs without lines that this call ended stay ended even if a later run blocks the take.
 */
async function take(invocation: Invocation, request: TakeRequest): Promise<Taken | Blocked> {
  const { run, plan } = request;
  const history = await historyIn(invocation);
  const incarnation = String(history.length);
  const known = await lookAt(invocation, request);
  const own = known.find((each) => each.run === run);
  const others = known.filter((each) => each !== own && !each.isEnded);
  const blocked = usedBy(known, request) ?? blockedBy(own, others, incarnation);
  if (blocked !== undefined) return blocked;
  // The remaining ones have sent nothing; from now on their processes can store nothing.
  for (const { run: id } of others) {
    const left = await exclusively<Looked>(invocation, id, 'endIdle', { incarnation });
    const isInTheWay = left.isEnded ? undefined : blockedBy(undefined, [left], incarnation);
    if (isInTheWay !== undefined) return isInTheWay;
    await close(invocation, id);
  }
  const input: BeginInput = { request, incarnation };
  const begun = await exclusively<Begun | Blocked>(invocation, run, 'begin', input);
  if ('kind' in begun) return begun;
  const { holder, before, storedIn } = begun;
  await record(invocation, request, holder.epoch);
  if (plan !== undefined) {
    const users = await usersOf(invocation, plan);
    if (!users.includes(run)) invocation.set(planName(plan), [...users, run]);
  }
  const now = await invocation.now();
  const met = history.map((each, index) => metOf(each, index, now));
  const forgot = forgotOf(met, storedIn ?? undefined, request.now);
  return { kind: 'taken', holder, ...(before && { before }), ...(forgot && { forgot }) };
}

/** Looks at the run, and at the runs that have its accounts or had its plan. */
async function lookAt(invocation: Invocation, request: TakeRequest): Promise<readonly Looked[]> {
  const known: Looked[] = [];
  for (const id of await concerned(invocation, request)) {
    const looked = await ofRun<Looked | null>(invocation, id, 'look', {});
    if (looked !== null) known.push(looked);
  }
  return known;
}

/** Ids of the run, and of the runs that have its accounts or had its plan. */
async function concerned(invocation: Invocation, request: TakeRequest): Promise<readonly string[]> {
  const accounts = await accountsIn(invocation);
  const holders = namesOf(request).flatMap((name) => accounts.get(name) ?? []);
  const users = request.plan === undefined ? [] : await usersOf(invocation, request.plan);
  return [...new Set([request.run, ...holders, ...users])].toSorted();
}

async function record(
  invocation: Invocation,
  { run, now: exchange, ...request }: TakeRequest,
  epoch: number,
): Promise<void> {
  const others = [...(await accountsIn(invocation))].filter(([, id]) => id !== run);
  const mine = namesOf(request).map((name) => [name, run] as const);
  invocation.set('accounts', [...new Map([...others, ...mine])]);
  invocation.set('open', [...new Map(await openIn(invocation)).set(run, epoch)]);
  const latest = await invocation.get<LastTake>('last take');
  invocation.set('last take', {
    exchange: Math.max(Math.floor(exchange), latest?.exchange ?? 0),
    here: Math.max(await invocation.now(), latest?.here ?? 0),
  });
}

/** The last of all takes: everything recorded before it is stored. */
interface LastTake {
  readonly exchange: Millis;
  readonly here: Millis;
}

/** Records the end of a run. Others may read between two changes: the run is always in one of the lists. */
async function ended(invocation: Invocation, entry: RunEnded): Promise<void> {
  const epoch = (await openIn(invocation)).get(entry.run);
  if (epoch === undefined) {
    const looked = await ofRun<Looked | null>(invocation, entry.run, 'look', {});
    if (looked?.isPruned === true) return; // before this arrived
  }
  if (entry.lines > 0) await addTo(invocation, endedRuns, entry);
  // The run may have been taken again since.
  if (epoch !== undefined && epoch <= entry.epoch) await close(invocation, entry.run);
}

const answerPages = 20;

async function list(invocation: Invocation, { from }: { readonly from: number }): Promise<Listed> {
  const open = await openIn(invocation); // first: a run that ends meanwhile is in both lists
  const { to: count } = await endsOf(invocation, endedRuns);
  const history = (await invocation.get<readonly Incarnation[]>('history')) ?? [];
  const found: RunEnded[] = [];
  const positions: number[] = [];
  let next = Math.min(from, count);
  for (let pages = 0; pages < answerPages && next < count; pages++) {
    const page = await pageAt<RunEnded>(invocation, endedRuns, next);
    for (const [index, entry] of page.entries.entries()) {
      if (entry === null) continue;
      found.push(entry);
      positions.push(next + index);
    }
    next = page.next;
  }
  return {
    open: [...open.keys()],
    ended: found,
    at: positions,
    next: Math.min(next, count),
    hasMore: next < count,
    incarnation: String(Math.max(1, history.length)),
    ...(await prunedIn(invocation)),
  };
}

/** Records that a person reported lost lines: from now on the store counts as another database. */
async function restored(
  invocation: Invocation,
  { now: exchange }: { readonly now: Millis },
): Promise<void> {
  const now = await invocation.now();
  const history = await historyIn(invocation);
  const latest = await invocation.get<LastTake>('last take');
  const before = history.at(-1);
  const since = Math.max(latest?.exchange ?? -Infinity, before?.until ?? -Infinity);
  const next: Incarnation = {
    since: Number.isFinite(since) ? since : null,
    until: Math.floor(exchange),
    sinceHere: Math.max(latest?.here ?? 0, before?.untilHere ?? 0),
    untilHere: now,
  };
  invocation.set('history', [...history, next]);
  for (const run of (await openIn(invocation)).keys()) {
    await exclusively(invocation, run, 'fence', {});
  }
}

/** The incarnations so far; the first one is recorded when a process first meets it. */
async function historyIn(invocation: Invocation): Promise<readonly Incarnation[]> {
  const history = await invocation.get<readonly Incarnation[]>('history');
  if (history !== undefined) return history;
  const now = await invocation.now();
  const first = { since: null, until: null, sinceHere: now, untilHere: now };
  invocation.set('history', [first]);
  return [first];
}

function metOf(
  { since, until, sinceHere, untilHere }: Incarnation,
  index: number,
  now: Millis,
): Met {
  return {
    incarnation: String(index + 1),
    since,
    until,
    sinceAgo: now - sinceHere,
    untilAgo: now - untilHere,
  };
}

async function usersOf(invocation: Invocation, plan: string): Promise<readonly string[]> {
  return (await invocation.get<readonly string[]>(planName(plan))) ?? [];
}

const planName = (plan: string): string => `plan ${plan}`;
