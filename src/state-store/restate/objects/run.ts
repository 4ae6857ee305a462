/** A run as an object: only its holder stores lines, and only the registry gives it another one. */
import { blockedBy, unreportedOf, usedBy } from '../../shared/known-run.ts';
import type {
  Batch,
  Blocked,
  Holder,
  LineRow,
  Taken,
  TakeRequest,
} from '../../shared/shared-runs.ts';
import { deskOf, linesObject, registryObject, runObject, runOf } from './names.ts';
import type { Invocation, ObjectDefinition } from './object.ts';
import {
  change,
  digestOfRows,
  isHeldBy,
  lookedAt,
  newRun,
  rowName,
  stateOf,
  tailOf,
  type Looked,
  type RunClaim,
  type RunState,
} from './run-state.ts';

export interface KeepInput {
  readonly holder: Holder;
  readonly batch: Batch;
  /** Whether the lease is renewed as well, which takes the handler another step. */
  readonly isRenewal: boolean;
}

export interface BeginInput {
  readonly request: TakeRequest;
  /** Of the database. */
  readonly incarnation: string;
}

export type Begun = Pick<Taken, 'before'> & {
  readonly holder: Holder;
  /** The incarnation of its last line; null without lines. */
  readonly storedIn: string | null;
};

export interface TailRead {
  readonly header: string;
  readonly count: number;
  readonly link: string;
  /** Lines before it are in the lines object. */
  readonly from: number;
  /** Of the lines from there on. */
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
  exclusive: { keep, renew, release, unlock, begin, endIdle, fence },
  shared: { look, read },
  internal: ['begin', 'endIdle', 'fence'],
};

async function look(invocation: Invocation): Promise<Looked | undefined> {
  return lookedAt(invocation, await invocation.now());
}

async function read(invocation: Invocation): Promise<TailRead | undefined> {
  const state = await stateOf(invocation);
  if (state === undefined || state.lines === 0) return undefined;
  const rows = await tailOf(invocation, state);
  return {
    header: (await invocation.get<string>('header')) ?? '',
    count: state.lines,
    link: state.link,
    from: state.tailFrom,
    text: rows.map(({ text }) => text).join(''),
  };
}

async function keep(
  invocation: Invocation,
  { holder, batch, isRenewal }: KeepInput,
): Promise<boolean> {
  const { header, after, rows, link } = batch;
  const state = await stateOf(invocation);
  if (state === undefined || state.isEnded || !isHeldBy(state, holder)) return false;
  const digest = digestOfRows(rows);
  const isKnown =
    state.last?.after === after && state.last.digest === digest && state.link === link;
  if (!isKnown && state.lines !== after) return false;
  const leaseUntil = isRenewal ? (await invocation.now()) + holder.lease : state.leaseUntil;
  if (header !== (await invocation.get<string>('header'))) invocation.set('header', header);
  if (isKnown) change(invocation, state, { leaseUntil });
  else {
    await store(invocation, state, rows, {
      leaseUntil,
      lines: rows.at(-1)?.last ?? after,
      link,
      storedIn: holder.incarnation.split('.')[0] ?? '',
      last: { after, digest },
    });
  }
  return true;
}

const tailMax = 16 * 1024; // characters: they are sent with each invocation

/**
 * Adds rows, and moves all of them to the lines object when there are many. Others may read between
 * two changes: `state` never names a row that is not there.
 */
async function store(
  invocation: Invocation,
  state: RunState,
  rows: readonly LineRow[],
  changed: Partial<RunState> & Pick<RunState, 'lines'>,
): Promise<void> {
  const tailSize = rows.reduce((sum, { text }) => sum + text.length, state.tailSize);
  if (tailSize <= tailMax) {
    for (const row of rows) invocation.set(rowName(row.first), row);
    change(invocation, state, { ...changed, tailSize });
    return;
  }
  const tail = await tailOf(invocation, state);
  for (const page of pagesOf([...tail, ...rows])) {
    invocation.send(linesObject, invocation.key, 'append', page);
  }
  change(invocation, state, { ...changed, tailFrom: changed.lines + 1, tailSize: 0 });
  for (const { first } of tail) invocation.clear(rowName(first));
}

const pageMax = 1024 * 1024; // characters

/** Joins rows, each of at most a page, or a longer line. */
function pagesOf(rows: readonly LineRow[]): readonly LineRow[] {
  const pages: LineRow[] = [];
  for (const row of rows) {
    const page = pages.at(-1);
    if (page === undefined || page.text.length + row.text.length > pageMax) pages.push(row);
    else pages.splice(-1, 1, { ...page, last: row.last, text: page.text + row.text });
  }
  return pages;
}

async function renew(
  invocation: Invocation,
  { holder }: { readonly holder: Holder },
): Promise<boolean> {
  const state = await stateOf(invocation);
  if (state === undefined || state.isEnded || !isHeldBy(state, holder)) return false;
  change(invocation, state, { leaseUntil: (await invocation.now()) + holder.lease });
  return true;
}

async function release(
  invocation: Invocation,
  { holder }: { readonly holder: Holder },
): Promise<boolean> {
  const state = await stateOf(invocation);
  if (state === undefined || !isHeldBy(state, holder)) return false;
  if (state.isEnded) return state.isReported;
  change(invocation, state, { isEnded: true, isReported: true });
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

/** Gives it to the requester, unless its process has it, or it was started before. */
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
  // With a token, so that a restored folder does not give two processes the same.
  const held = `${incarnation}.${invocation.token()}`;
  invocation.set('claim', claim);
  change(invocation, state, {
    epoch,
    incarnation: held,
    leaseUntil: now + lease,
    isEnded: false,
    isReported: false,
  });
  return {
    holder: { run: id, epoch, incarnation: held, lease },
    ...(before && { before }),
    storedIn: state.storedIn,
  };
}

/**
 * Ends it if its process has sent nothing and its lease is over: from now on that can store nothing.
 * @returns its state then
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

/** The database counts as another one. */
async function fence(invocation: Invocation): Promise<void> {
  const state = await stateOf(invocation);
  if (state !== undefined && !state.isEnded) change(invocation, state, { incarnation: '' });
}
