/** Stores lines of a run: one batch of its holder, then the batches that its process sends over its
 * connection.
 */
import type { Batch, Holder, LineRow } from '../../shared/shared-runs.ts';
import type { StreamAddress } from '../stream/messages.ts';
import { linesObject } from './names.ts';
import type { Invocation } from './object.ts';
import {
  digestOfRows,
  incarnationOf,
  isHeldBy,
  rowName,
  rowsMax,
  stateOf,
  tailOf,
  type RunState,
  type StoredRow,
} from './run-state.ts';
import type { Next, Session, WantedStream } from './stream.ts';

export interface KeepInput {
  readonly holder: Holder;
  /** The batch to store. Absent: only the lease is renewed. */
  readonly batch?: Batch;
  /** Whether the lease is renewed, which takes the handler another step. */
  readonly isRenewal: boolean;
  /**
   * The stream over which the process sends more batches, if it is connected to the process that executes
   * this.
   */
  readonly stream?: WantedStream;
}

export interface Kept {
  readonly isKept: boolean;
  /** Whether batches were awaited over a connection of the process. */
  readonly wasOpen?: true;
  /** The address to which the process can connect. */
  readonly at?: StreamAddress;
}

/** Stores a batch and follows the process. The handler is exclusive meanwhile: nobody else takes the run. */
export async function keep(invocation: Invocation, input: KeepInput): Promise<Kept> {
  const { holder, batch, stream } = input;
  const state = await stateOf(invocation);
  if (state === undefined || state.isEnded || !isHeldBy(state, holder)) return { isKept: false };
  let leaseUntil = state.leaseUntil;
  if (input.isRenewal) leaseUntil = (await invocation.now()) + holder.lease;
  let stored: Stored = { state: { ...state, leaseUntil }, own: [] };
  if (batch !== undefined) {
    const next = await added(invocation, stored, holder, batch, tailMax);
    if (next === undefined) return { isKept: false };
    // The process knows how many lines it stored: none is missing.
    stored = { ...next, state: { ...next.state, isFollowed: false } };
    const { header } = batch;
    if (header !== (await invocation.get<string>('header'))) invocation.set('header', header);
  }
  setState(invocation, stored);
  if (stream === undefined) return { isKept: true };
  return follow(invocation, stored, holder, stream);
}

/** The values that an invocation knows besides its state, which it sets at its end. */
interface Stored {
  readonly state: RunState;
  /** The last batch, if this invocation stored it. */
  readonly last?: Pick<Batch, 'after' | 'rows'>;
  /** The rows that this invocation stored, at the end of the tail. */
  readonly own: readonly LineRow[];
}

function setState(invocation: Invocation, { state, last }: Stored): void {
  invocation.set('state', {
    ...state,
    ...(last && { last: { after: last.after, digest: digestOfRows(last.rows) } }),
  });
}

type Opened = { readonly isOpen: true } | { readonly isOpen: false; readonly at?: StreamAddress };

/**
 * Follows a process. An attempt after the one that opened the session ends it: the process knows only that
 * attempt.
 */
async function follow(
  invocation: Invocation,
  before: Stored,
  holder: Holder,
  stream: WantedStream,
): Promise<Kept> {
  const { streams, key, over } = invocation;
  let session: Session | undefined;
  const opened = await invocation.record<Opened>('open', () => {
    session = streams.open(key, stream, over);
    if (session !== undefined) return { isOpen: true };
    return { isOpen: false, ...(streams.address && { at: streams.address }) };
  });
  if (!opened.isOpen) return { isKept: true, ...(opened.at && { at: opened.at }) };
  const left = (stored: Stored): Kept => {
    // Only a batch shows that nothing is missing since a call before this one.
    const isFollowed = stored.last === undefined && before.state.isFollowed === true;
    setState(invocation, { ...stored, state: { ...stored.state, isFollowed } });
    return { isKept: true, wasOpen: true };
  };
  let stored: Stored = { ...before, state: { ...before.state, isFollowed: true } };
  setState(invocation, stored);
  for (;;) {
    const next = await invocation.record<Next>('next', () => session?.next() ?? { kind: 'ended' });
    if (next.kind !== 'batch') {
      const isLost = next.kind === 'lost';
      return left(isLost ? await withShortLease(invocation, stored, holder) : stored);
    }
    const { batch } = next;
    const more = await added(invocation, stored, holder, batch, followedMax);
    if (more === undefined) return left(stored);
    stored = more;
    if (batch.isRenewal) {
      const leaseUntil = (await invocation.now()) + holder.lease;
      stored = { ...stored, state: { ...stored.state, leaseUntil } };
      setState(invocation, stored);
    }
  }
}

/** The part of its lease that a living process has left to store lines, or to renew the lease. */
const partLeft = 1 / 4;

async function withShortLease(
  invocation: Invocation,
  stored: Stored,
  { lease }: Holder,
): Promise<Stored> {
  const leaseUntil = Math.min(stored.state.leaseUntil, (await invocation.now()) + lease * partLeft);
  return { ...stored, state: { ...stored.state, leaseUntil } };
}

const tailMax = 16 * 1024; // characters: they are sent with each invocation
const followedMax = 64 * 1024; // of one for many batches

/**
 * Adds a batch, unless it is stored. All rows move to the lines object when there are many. Others may read
 * between two changes: `state` never names a missing row.
 * @returns undefined if the batch does not continue the stored lines
 */
async function added(
  invocation: Invocation,
  stored: Stored,
  holder: Holder,
  { after, rows, link }: Pick<Batch, 'after' | 'rows' | 'link'>,
  sizeMax: number,
): Promise<Stored | undefined> {
  const { state } = stored;
  if (isLast(stored, { after, rows, link })) return stored;
  if (state.lines !== after || rows.length === 0) return undefined;
  const tailCharacters = rows.reduce((sum, { text }) => sum + text.length, state.tailCharacters);
  const tailRows = state.tailRows + rows.length;
  const next: RunState = {
    ...state,
    lines: rows.at(-1)?.last ?? after,
    link,
    storedIn: incarnationOf(holder),
  };
  const last = { after, rows };
  const isRoom = tailCharacters <= sizeMax && tailRows <= rowsMax;
  if (isRoom && state.tailSize === undefined) {
    for (const [at, row] of rows.entries()) {
      const value: StoredRow = {
        ...row,
        epoch: holder.epoch,
        ...(at === rows.length - 1 && { link }),
      };
      invocation.set(rowName(state.tailRows + at), value);
    }
    return { state: { ...next, tailRows, tailCharacters }, last, own: [...stored.own, ...rows] };
  }
  const lines = (stored.own[0]?.first ?? state.lines + 1) - 1;
  const tail = [...(await tailOf(invocation, { ...state, lines })), ...stored.own];
  for (const page of pagesOf([...tail, ...rows])) {
    invocation.send(linesObject, invocation.key, 'append', page);
  }
  const { tailSize: _earlier, ...others } = next;
  const shorter = { ...others, tailFrom: next.lines + 1, tailRows: 0, tailCharacters: 0 };
  const moved = { state: shorter, last, own: [] };
  setState(invocation, moved);
  return moved;
}

/** Whether a batch is the one that was stored last: the answer to it may have been lost. */
function isLast(
  { state, last }: Stored,
  { after, rows, link }: Pick<Batch, 'after' | 'rows' | 'link'>,
): boolean {
  if (state.link !== link || (last ?? state.last)?.after !== after) return false;
  const digest = last === undefined ? state.last?.digest : digestOfRows(last.rows);
  return digest === digestOfRows(rows);
}

const pageMax = 1024 * 1024; // characters

/** Joins rows, each of at most a page, or a longer line. */
function pagesOf(rows: readonly LineRow[]): readonly LineRow[] {
  const pages: LineRow[] = [];
  for (const { first, last, text } of rows) {
    const page = pages.at(-1);
    if (page === undefined || page.text.length + text.length > pageMax) {
      pages.push({ first, last, text });
    } else pages.splice(-1, 1, { ...page, last, text: page.text + text });
  }
  return pages;
}
