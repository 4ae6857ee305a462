/** The one object that decides who gets which run: it knows accounts, plans and runs in progress. */
import type { Millis } from '../../../base/clock.ts';
import { forgotOf, type Met } from '../../shared/forgotten.ts';
import { blockedBy, namesOf, usedBy } from '../../shared/known-run.ts';
import type { JobState } from '../../queue.ts';
import type { Pruned, RunEnd } from '../../shared/retention.ts';
import type { Blocked, Taken, TakeRequest } from '../../shared/shared-runs.ts';
import { addTo, dropBefore, endsOf, pageAt, removeAt } from './log.ts';
import {
  keyOf,
  planObject,
  queueObject,
  registryObject,
  runObject,
  serviceVersion,
} from './names.ts';
import type { Invocation, ObjectDefinition } from './object.ts';
import { forgetOldest, olderThan, remember, type Aged } from './outdated.ts';
import type { BeginInput, Begun, RunEnded } from './run.ts';
import type { Looked } from './run-state.ts';

/** Runs that ended, from a position on, and all that are in progress. */
export interface Listed {
  /** Ids. */
  readonly open: readonly string[];
  readonly ended: readonly RunEnded[];
  /** The position of each of them. */
  readonly at: readonly number[];
  /** The position after them. */
  readonly next: number;
  /** Whether there are more. */
  readonly hasMore: boolean;
  readonly incarnation: string;
  /** Removed runs whose lines may still be there. */
  readonly pruned: readonly string[];
  /** The position after them in the list of removed runs. */
  readonly prunedTo: number;
}

export const registry: ObjectDefinition = {
  name: registryObject,
  isLazy: true,
  exclusive: { take, ended, restored, prune, forget, emptied, planned, clean },
  shared: { list, about, outdated },
  internal: ['ended', 'planned'],
};

async function about(): Promise<{ readonly version: number }> {
  return { version: serviceVersion };
}

/** Times by the exchange's clock, and by the clock of the handlers. */
interface Incarnation {
  readonly since: Millis | null;
  readonly until: Millis | null;
  readonly sinceHere: Millis;
  readonly untilHere: Millis;
}

/** Ids of the runs in progress, each with the epoch in which it was taken. */
type Open = ReadonlyMap<string, number>;

/** Names of accounts, each with the last run that took it, which may have ended. */
type Accounts = ReadonlyMap<string, string>;

/**
 * Each run decides itself whether it is given to another: it may change after it was looked at.
 * Runs without lines that have ended stay so if a later one is in the way.
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

/** The run, and those that have its accounts or had its plan. */
async function lookAt(invocation: Invocation, request: TakeRequest): Promise<readonly Looked[]> {
  const known: Looked[] = [];
  for (const id of await concerned(invocation, request)) {
    const looked = await ofRun<Looked | null>(invocation, id, 'look', {});
    if (looked !== null) known.push(looked);
  }
  return known;
}

/** Ids of the run, and of those that have its accounts or had its plan. */
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

/** Of all takes: everything recorded before is there. */
interface LastTake {
  readonly exchange: Millis;
  readonly here: Millis;
}

async function close(invocation: Invocation, run: string): Promise<void> {
  const open = [...(await openIn(invocation))];
  invocation.set(
    'open',
    open.filter(([id]) => id !== run),
  );
}

/** Runs that ended, in this order. */
const endedRuns = 'ended';
/** Runs that were removed, until what they had is deleted. */
const prunedRuns = 'pruned';
/** Plans, by their age. */
const plans = 'plans';

/** A run reports its end. Others may read between two changes: it is always in one of the lists. */
async function ended(invocation: Invocation, entry: RunEnded): Promise<void> {
  const epoch = (await openIn(invocation)).get(entry.run);
  if (epoch === undefined) {
    const looked = await ofRun<Looked | null>(invocation, entry.run, 'look', {});
    if (looked?.isPruned === true) return; // before this arrived
  }
  if (entry.lines > 0) await addTo(invocation, endedRuns, entry);
  // It may have been taken again since.
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
  const { from: first, to: prunedTo } = await endsOf(invocation, prunedRuns);
  const pruned: string[] = [];
  for (let at = first; at < prunedTo;) {
    const page = await pageAt<string>(invocation, prunedRuns, at);
    pruned.push(...page.entries.filter((entry) => entry !== null));
    at = page.next;
  }
  return {
    open: [...open.keys()],
    ended: found,
    at: positions,
    next: Math.min(next, count),
    hasMore: next < count,
    incarnation: String(Math.max(1, history.length)),
    pruned,
    prunedTo,
  };
}

/** Removes a run, which is never taken again, unless a job would continue it. */
async function prune(
  invocation: Invocation,
  { run, at }: { readonly run: string; readonly at: RunEnd },
): Promise<Pruned> {
  const { key } = invocation;
  const job = await invocation.call<JobState | null>(queueObject, key, 'find', { id: run });
  if (job !== null && job.state !== 'ended') return 'in-use';
  const pruned = await exclusively<Pruned>(invocation, run, 'prune', { at });
  if (pruned !== 'pruned') return pruned;
  await close(invocation, run); // its end may arrive later
  await addTo(invocation, prunedRuns, run);
  return pruned;
}

/** Removes runs from the list of those that ended. @param positions of one of them in each page */
async function forget(
  invocation: Invocation,
  { positions, runs }: { readonly positions: readonly number[]; readonly runs: readonly string[] },
): Promise<void> {
  const removed = new Set(runs);
  for (const position of positions) {
    await removeAt<RunEnded>(invocation, endedRuns, position, ({ run }) => removed.has(run));
  }
}

/** What removed runs had is deleted, up to a position. */
async function emptied(invocation: Invocation, { to }: { readonly to: number }): Promise<void> {
  await dropBefore(invocation, prunedRuns, to);
}

/** A plan was stored. */
async function planned(invocation: Invocation, aged: Aged): Promise<void> {
  await remember(invocation, plans, aged);
}

/** The number of old plans. */
async function outdated(
  invocation: Invocation,
  { age }: { readonly age: Millis },
): Promise<number> {
  return (await olderThan(invocation, plans, age)).length;
}

/** Deletes the oldest of them. @returns how many */
async function clean(
  invocation: Invocation,
  { age, most }: { readonly age: Millis; readonly most: number },
): Promise<number> {
  const old = await olderThan(invocation, plans, age, most);
  for (const id of old) {
    await invocation.call(planObject, keyOf(invocation.key, id), 'remove', {});
  }
  await forgetOldest(invocation, plans, old.length);
  return old.length;
}

/** A person reports lost lines: from now on it counts as another database. */
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

/** The first one is recorded when it is met. */
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

async function accountsIn(invocation: Invocation): Promise<Accounts> {
  return new Map(await invocation.get<readonly (readonly [string, string])[]>('accounts'));
}

async function openIn(invocation: Invocation): Promise<Open> {
  return new Map(await invocation.get<readonly (readonly [string, number])[]>('open'));
}

async function usersOf(invocation: Invocation, plan: string): Promise<readonly string[]> {
  return (await invocation.get<readonly string[]>(planName(plan))) ?? [];
}

/** An invocation that follows the run's process makes way: at its end it has stored all batches. */
async function exclusively<Result>(
  invocation: Invocation,
  run: string,
  handler: string,
  input: object,
): Promise<Result> {
  await ofRun(invocation, run, 'interrupt', {}); // before it: the next holder is not interrupted
  return ofRun<Result>(invocation, run, handler, input);
}

/** Calls a handler of a run of this desk. */
function ofRun<Result>(
  invocation: Invocation,
  run: string,
  handler: string,
  input: object,
): Promise<Result> {
  return invocation.call<Result>(runObject, keyOf(invocation.key, run), handler, input);
}

const planName = (plan: string): string => `plan ${plan}`;
