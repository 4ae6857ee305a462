/** Compares the ledger with the current state of the exchange, write by write. */
import type { Millis } from '../../base/clock.ts';
import {
  keyIn,
  tradedLines,
  meantOrder,
  placesOrders,
  type MeantOrder,
} from '../../exchange/api/meant-order.ts';
import { UnreadableFieldError } from '../../exchange/api/needed.ts';
import { stateKey } from '../journal/states.ts';
import type { RecordedWrite } from '../journal/writes.ts';
import {
  isUnlisted,
  lineIn,
  listedOrders,
  type AccountOrders,
  type Listed,
  type ObservedAccount,
  type PastOrders,
} from './drift-orders.ts';
import { endedIn, isEndOf, type EndedOrders } from './drift-ended.ts';
import { recordedWords, stateShown } from './drift-state.ts';
import { differenceTo, endedAsPlaced, isResting } from './found-orders.ts';
import type { Order } from './order-row.ts';
import { choice, optional, record, text, type Infer } from '../../exchange/api/schema.ts';
import { accountText } from '../journal/shared-schema.ts';

/** A write of the record beside what the exchange shows of it. */
export const driftLine = record({
  /** The run that placed the order; absent for an order not placed by a known run. */
  run: optional(text()),
  address: optional(text()),
  /** The profile of the line's account, if several are compared. */
  account: optional(accountText),
  operation: text(),
  /**
   * `differs` and `doubt` need a person's attention; `unreadable` cannot be read back; `unrecorded`
   * is an open order with a clientOid of ours that no run here recorded; `orphaned` is as recorded,
   * but no longer in the playbook.
   */
  kind: choice(['same', 'differs', 'doubt', 'unreadable', 'unrecorded', 'orphaned']),
  recorded: text(),
  shown: text(),
});

export type DriftLine = Infer<typeof driftLine>;

/** Whether a line shows drift. */
export function isDifference({ kind }: DriftLine): boolean {
  return kind !== 'same' && kind !== 'unreadable';
}

export interface DriftOptions {
  /** The recorded writes of the given playbook, oldest first. */
  readonly writes: readonly RecordedWrite[];
  /** Older orders of the playbook on the first account, which are not among the writes. Default: none. */
  readonly past?: PastOrders;
  /** Filters clientOids: those that any run here sent, of any playbook. */
  readonly sentHere: (clientOids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Filters clientOids: those that any run here cancelled, of any playbook. */
  readonly endedHere: (clientOids: readonly string[]) => Promise<EndedOrders>;
  /** clientOids that are no longer in the playbook. */
  readonly orphaned?: ReadonlySet<string>;
  /** A record is damaged: product lines without known writes are searched, too. */
  readonly looksEverywhere?: boolean;
  /** The accounts that the writes were sent to, the first for a write that names none. */
  readonly accounts: readonly [ObservedAccount, ...ObservedAccount[]];
  /** The time by the exchange's clock. */
  readonly now: Millis;
}

export interface Comparison {
  readonly lines: readonly DriftLine[];
  /** The number of orders that are older than what the exchange lists, and are not open: they cannot be compared. */
  readonly older: number;
}

/** Compares every recorded write with the data that the exchange shows of it. Only reads. */
export async function driftOf(options: DriftOptions): Promise<Comparison> {
  const { accounts, past } = options;
  const orders = await listedOrders(options);
  const shown = new Set(orders.get(accounts[0].profile)?.keys());
  const open = past === undefined || shown.size === 0 ? [] : past.named(shown);
  const writes = [...open, ...options.writes];
  const ended = await endedOf(writes, orders, options);
  const compared = lasting(writes)
    .filter((write) => !isEndOf(write))
    .map((write) => lineFor(write, orders, { ...options, ended }));
  const found = await Promise.all(compared);
  const lines = found.filter((line) => line !== undefined);
  const older = (past?.count ?? 0) - open.length + found.length - lines.length;
  for (const { profile } of accounts) {
    for (const line of await unrecorded(orders.get(profile) ?? new Map(), options)) {
      lines.push({ ...line, ...accountIn(profile, options) });
    }
  }
  return { lines, older };
}

/** Orders of the writes that a run cancelled: one of the record, or one of another playbook. */
async function endedOf(
  writes: readonly RecordedWrite[],
  orders: AccountOrders,
  { endedHere }: DriftOptions,
): Promise<EndedOrders> {
  const own = endedIn(writes);
  const cancelled = new Set<string>();
  for (const listed of orders.values()) {
    for (const [name, { order }] of listed) {
      if (order.orderStatus === 'cancelled' && !own.has(name)) cancelled.add(name);
    }
  }
  const names = writes.flatMap(({ operation, input }) => keyIn(operation, input) ?? []);
  const others = await endedHere(names.filter((name) => cancelled.has(name)));
  return new Map([...others, ...own]);
}

/** The writes without those whose state was set again later: a state has its last value. */
function lasting(writes: readonly RecordedWrite[]): readonly RecordedWrite[] {
  const last = new Map<string, RecordedWrite>();
  for (const write of writes) {
    const target = targetOf(write);
    const isSent = write.outcome?.kind !== 'refused' && write.outcome?.kind !== 'failed';
    if (target === undefined || !isSent) continue;
    if (write.signedAt >= (last.get(target)?.signedAt ?? 0)) last.set(target, write);
  }
  return writes.filter((write) => {
    const later = last.get(targetOf(write) ?? '');
    return later === undefined || later === write || later.signedAt < write.signedAt;
  });
}

/** The target that a write sets on its account; undefined for a write that creates something. */
function targetOf({ operation, input, account = '' }: RecordedWrite): string | undefined {
  const key = stateKey(operation, input);
  return key && `${account} ${key}`;
}

/** The account of a line, if there are several. */
function accountIn(account: string, { accounts }: DriftOptions): Pick<DriftLine, 'account'> {
  return accounts.length > 1 ? { account } : {};
}

/** @returns undefined for an order with a known outcome that is older than what the exchange lists */
async function lineFor(
  write: RecordedWrite,
  orders: AccountOrders,
  options: DriftOptions & { readonly ended: EndedOrders },
): Promise<DriftLine | undefined> {
  const { accounts } = options;
  const { run, address, account = accounts[0].profile, operation, input } = write;
  const place = { address, ...accountIn(account, options) };
  const head = { run, ...place, operation, recorded: recordedWords(write) };
  if (!placesOrders(operation)) {
    const observer = accounts.find(({ profile }) => profile === account)?.observer;
    return { ...head, ...(await stateShown(write, observer)) };
  }
  const isOpen = write.outcome === undefined || write.outcome.kind === 'doubt';
  const { family } = accounts.find(({ profile }) => profile === account) ?? accounts[0];
  if (!tradedLines(family).has(lineIn(write, family) ?? '')) {
    const shown = 'no list of this account can read it back';
    return { ...head, kind: isOpen ? 'doubt' : 'unreadable', shown };
  }
  const order = orders.get(account)?.get(keyIn(operation, input) ?? '')?.order;
  const isOld = order === undefined && isUnlisted(write, family, options.now);
  if (isOld && !isOpen) return undefined;
  if (order === undefined) return { ...head, ...absent(write, isOld) };
  const meant = meantOrder(operation, input, family);
  try {
    return lineOfOrder(write, { head, meant, order }, options);
  } catch (error) {
    if (!(error instanceof UnreadableFieldError)) throw error;
    return { ...head, kind: isOpen ? 'doubt' : 'differs', shown: `it is there: ${error.words}` };
  }
}

/** Compares an order with its row. @throws UnreadableFieldError when its row lacks a compared field */
function lineOfOrder(
  write: RecordedWrite,
  {
    head,
    meant,
    order,
  }: {
    readonly head: Omit<DriftLine, 'kind' | 'shown'>;
    readonly meant: MeantOrder;
    readonly order: Order;
  },
  { orphaned, ended }: DriftOptions & { readonly ended: EndedOrders },
): DriftLine {
  const line = { ...head, ...compared(write, meant, order) };
  const by = ended.get(order.clientOid);
  if (by !== undefined && isCancelledOnly(order, write, meant)) {
    return { ...line, kind: 'same', shown: `${line.shown}, by ${by}` };
  }
  if (orphaned?.has(order.clientOid) !== true) return line;
  // A person cancels what the playbook no longer has, as a plan asks them to.
  if (isCancelledOnly(order, write, meant)) return { ...line, kind: 'same' };
  if (line.kind !== 'same' || !isResting(order)) return line;
  const shown = `${line.shown}, order ${order.orderId}: no longer in the playbook`;
  return { ...line, kind: 'orphaned', shown };
}

function isCancelledOnly(order: Order, { outcome }: RecordedWrite, meant: MeantOrder): boolean {
  const isCancelled = order.orderStatus === 'cancelled' && outcome?.kind === 'done';
  return isCancelled && differenceTo(order, meant) === undefined;
}

/** @param isOld whether no list has the order because it was sent before they begin */
function absent({ outcome }: RecordedWrite, isOld: boolean): Pick<DriftLine, 'kind' | 'shown'> {
  const kind = outcome?.kind ?? 'doubt';
  const shown = 'not in open orders or history';
  if (kind === 'doubt')
    return { kind, shown: isOld ? 'older than what the exchange lists' : shown };
  return kind === 'done' ? { kind: 'differs', shown } : { kind: 'same', shown: 'not there' };
}

function compared(
  { outcome }: RecordedWrite,
  meant: MeantOrder,
  order: Order,
): Pick<DriftLine, 'kind' | 'shown'> {
  const kind = outcome?.kind ?? 'doubt';
  const difference = differenceTo(order, meant);
  const shown = difference ?? stateOf(order);
  if (kind === 'doubt') return { kind: 'doubt', shown: `it is there: ${shown}` };
  if (kind !== 'done') return { kind: 'differs', shown: `it is there: ${shown}` };
  const isGone = order.orderStatus === 'cancelled' && !endedAsPlaced(order, meant);
  return { kind: difference === undefined && !isGone ? 'same' : 'differs', shown };
}

function stateOf(order: Order): string {
  const { orderStatus, cancelReason: reason } = order;
  if (orderStatus === 'partially_filled') return `${order.cumExecQty} of ${order.qty} filled`;
  if (orderStatus !== 'cancelled') return orderStatus;
  return reason ? `cancelled (${reason})` : 'cancelled';
}

/**
 * Open orders with our clientOids that no run here sent: of another machine, or of a lost record.
 */
async function unrecorded(
  orders: ReadonlyMap<string, Listed>,
  { sentHere }: DriftOptions,
): Promise<readonly DriftLine[]> {
  const ours = [...orders.values()].filter(
    ({ order }) => /^dh[0-9a-z]{26}$/.test(order.clientOid) && isResting(order),
  );
  const known = await sentHere(ours.map(({ order }) => order.clientOid));
  return ours
    .filter(({ order: { clientOid } }) => !known.has(clientOid))
    .map(({ order, operation }) => ({
      operation,
      kind: 'unrecorded',
      recorded: 'not placed by a run here',
      shown: `${shownOf(order)}, clientOid ${order.clientOid}`,
    }));
}

function shownOf(order: Order): string {
  try {
    return `${order.symbol} ${order.side} ${order.qty} @ ${order.price}, ${stateOf(order)}`;
  } catch (error) {
    if (error instanceof UnreadableFieldError) return error.words;
    throw error;
  }
}
