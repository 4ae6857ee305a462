/** The object of a run: only the run's holder stores lines, and only the registry gives it another holder. */
import { blockedBy, unreportedOf, usedBy } from '../../shared/known-run.ts';
import type { Pruned, RunEnd } from '../../shared/retention.ts';
import type { Blocked, Holder, Taken, TakeRequest } from '../../shared/shared-runs.ts';
import {
  deskOf,
  linesObject,
  outputObject,
  registryObject,
  runObject,
  runOf,
  summaryObject,
} from './names.ts';
import type { Invocation, ObjectDefinition } from './object.ts';
import {
  change,
  isHeldBy,
  lookedAt,
  newRun,
  stateOf,
  tailOf,
  type Looked,
  type RunClaim,
  type RunState,
} from './run-state.ts';
import { keep } from './keep.ts';

export interface BeginInput {
  readonly request: TakeRequest;
  /** The incarnation of the database. */
  readonly incarnation: string;
}

export type Begun = Pick<Taken, 'before'> & {
  readonly holder: Holder;
  /** The incarnation of the run's last line; null without lines. */
  readonly storedIn: string | null;
};

export interface TailRead {
  readonly header: string;
  readonly count: number;
  /** The number of lines that the service reported as stored: if the answer has fewer, it is read again. */
  readonly countMin: number;
  readonly link: string;
  /** Number of the first line in `text`; the lines before it are in the lines object. */
  readonly from: number;
  /** The text of the lines from `from` on. */
  readonly text: string;
}

export interface RunEnded {
  readonly run: string;
  readonly epoch: number;
  readonly lines: number;
  readonly link: string;
}

export const run: ObjectDefinition = {
  name: runObject,
  isLazy: false,
  exclusive: { keep, release, unlock, begin, endIdle, fence, prune, empty, readAll: read },
  shared: { look, holds, read, interrupt },
  internal: ['begin', 'endIdle', 'fence', 'prune'],
};

async function look(invocation: Invocation): Promise<Looked | undefined> {
  return lookedAt(invocation, await invocation.now());
}

/** Whether a holder may store something now. */
async function holds(
  invocation: Invocation,
  { holder }: { readonly holder: Holder },
): Promise<boolean> {
  const state = await stateOf(invocation);
  return state !== undefined && !state.isEnded && isHeldBy(state, holder);
}

/** Reads the newest lines, while the holder may be storing more: it may miss those of the last moment. */
async function read(invocation: Invocation): Promise<TailRead | undefined> {
  const state = await stateOf(invocation);
  if (state === undefined || state.lines === 0 || state.isPruned) return undefined;
  const { streams, key } = invocation;
  const countMin = await invocation.record('reported', () => streams.reported(key));
  const rows = await tailOf(invocation, state);
  return {
    header: (await invocation.get<string>('header')) ?? '',
    count: state.lines,
    countMin,
    link: state.link,
    from: state.tailFrom,
    text: rows.map(({ text }) => text).join(''),
  };
}

/** Ends the invocation that follows the run's process, because another call waits. */
async function interrupt(
  invocation: Invocation,
  { isBrief = false }: { readonly isBrief?: boolean },
): Promise<void> {
  const { streams, key } = invocation;
  const state = await stateOf(invocation);
  const holder = isBrief ? undefined : state?.incarnation;
  await invocation.record('interrupt', () => streams.interrupt(key, holder));
}

async function release(
  invocation: Invocation,
  { holder }: { readonly holder: Holder },
): Promise<boolean> {
  const state = await stateOf(invocation);
  if (state === undefined || !isHeldBy(state, holder)) return false;
  if (state.isEnded) return true; // its answer was lost
  const { isFollowed = false } = state;
  change(invocation, state, { isEnded: true, isReported: !isFollowed, isIncomplete: false });
  reportEnd(invocation, state);
  return true;
}

async function unlock(
  invocation: Invocation,
  { nonce, givesUp }: { readonly nonce: string; readonly givesUp: boolean },
): Promise<boolean> {
  const state = await stateOf(invocation);
  const claim = await invocation.get<RunClaim>('claim');
  if (state === undefined || state.isEnded || claim?.nonce !== nonce) return false;
  change(invocation, state, {
    epoch: state.epoch + 1,
    incarnation: '',
    leaseUntil: Math.min(state.leaseUntil, await invocation.now()),
    isEnded: givesUp,
  });
  if (givesUp) reportEnd(invocation, { ...state, epoch: state.epoch + 1 });
  return true;
}

function reportEnd(invocation: Invocation, { epoch, lines, link }: RunState): void {
  const ended: RunEnded = { run: runOf(invocation.key), epoch, lines, link };
  invocation.send(registryObject, deskOf(invocation.key), 'ended', ended);
}

/** Gives the run to the requester, unless a process has it, or it was started before. */
async function begin(
  invocation: Invocation,
  { request, incarnation }: BeginInput,
): Promise<Begun | Blocked> {
  const now = await invocation.now();
  const known = await lookedAt(invocation, now);
  const blocked = known && (usedBy([known], request) ?? blockedBy(known, [], incarnation));
  if (blocked !== undefined) return blocked;
  const state = (await stateOf(invocation)) ?? newRun;
  const { run: id, playbook, plan, accounts, host, owner, nonce, lease } = request;
  const before = unreportedOf(known);
  const isIncomplete = state.isFollowed === true || state.isIncomplete === true;
  const claim: RunClaim = {
    playbook,
    plan: plan ?? known?.plan ?? null,
    accounts,
    host,
    owner,
    nonce,
    since: Math.floor(before?.since ?? request.now),
    takenIn: incarnation,
  };
  const epoch = state.epoch + 1;
  // The name has a token, so that a restored folder does not give two processes the same name.
  const held = `${incarnation}.${invocation.token()}`;
  invocation.set('claim', claim);
  change(invocation, state, {
    epoch,
    incarnation: held,
    leaseUntil: now + lease,
    isEnded: false,
    isReported: false,
    isFollowed: false,
    isIncomplete,
  });
  return {
    holder: { run: id, epoch, incarnation: held, lease },
    ...(before && { before: { ...before, ...(isIncomplete && { isIncomplete }) } }),
    storedIn: state.storedIn,
  };
}

/**
 * Ends the run if its process has sent nothing and its lease is over: from now on the process can store
 * nothing.
 * @returns the state of the run then
 */
async function endIdle(
  invocation: Invocation,
  { incarnation }: { readonly incarnation: string },
): Promise<Looked | undefined> {
  const known = await lookedAt(invocation, await invocation.now());
  const state = await stateOf(invocation);
  if (known === undefined || state === undefined || known.isEnded) return known;
  if (blockedBy(undefined, [known], incarnation) !== undefined) return known;
  change(invocation, state, { incarnation: '', isEnded: true });
  return { ...known, isEnded: true };
}

/** Stops the holder from storing lines, because the database counts as another one. */
async function fence(invocation: Invocation): Promise<void> {
  const state = await stateOf(invocation);
  if (state !== undefined && !state.isEnded) change(invocation, state, { incarnation: '' });
}

/**
 * Removes the run: from now on nobody takes it, and its plan stays used.
 * @param at the end of the lines that were examined
 */
async function prune(invocation: Invocation, { at }: { readonly at: RunEnd }): Promise<Pruned> {
  const state = await stateOf(invocation);
  if (state === undefined) return 'absent';
  if (state.isPruned) return 'pruned';
  if (!state.isEnded) return 'in-use';
  if (state.lines !== at.lines || state.link !== at.link) return 'changed';
  change(invocation, state, { isPruned: true, incarnation: '' });
  return 'pruned';
}

/** Deletes the contents of a removed run, but not the record that it existed. */
async function empty(invocation: Invocation): Promise<void> {
  const state = await stateOf(invocation);
  if (state?.isPruned !== true) return;
  for (const name of await invocation.names()) {
    if (name !== 'state' && name !== 'claim') invocation.clear(name);
  }
  const { key } = invocation;
  for (const object of [linesObject, outputObject, summaryObject]) {
    await invocation.call(object, key, 'clear', {});
  }
}
