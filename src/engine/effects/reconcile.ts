/** Determines the outcome of an order whose response was lost, without sending it again. */
import { minute, second, type Millis } from '../../base/clock.ts';
import { spoken } from '../../base/text.ts';
import { declared, type MeantOrder } from '../../exchange/api/meant-order.ts';
import { type TimeWatch } from '../../exchange/api/exchange.ts';
import { visibility } from '../../exchange/api/promises.ts';
import { keptSince } from '../../exchange/api/time-range.ts';
import type { Lookup as Found } from '../journal/entry.ts';
import { namesIn } from '../journal/writes.ts';
import { isOurName } from '../journal/identity.ts';
import { InterruptedError } from '../interpreter/durable.ts';
import type { EffectContext } from './effect-context.ts';
import { Fence, type Signed } from './fence.ts';
import { differenceTo, isAlike } from '../plan/found-orders.ts';
import type { OrderList } from '../../exchange/api/keyed-write.ts';
import { readable, type Order } from '../plan/order-row.ts';
import { ListsSaid } from './lists-said.ts';
import { ReadsByKey } from './order-by-key.ts';
import { isUnreadable } from './unreadable.ts';

/** The result of a lookup. `absent` is strong evidence, not proof. */
export type Finding =
  /** `by`: only lists that show an order prove that they show orders. */
  | { readonly kind: 'found'; readonly order: Order; readonly by: 'lists' | 'key' }
  /** `mayBe`: orders without our name that could be it, so that it must not be sent again. */
  | { readonly kind: 'absent'; readonly lookup: Found; readonly mayBe?: string }
  | { readonly kind: 'unknown'; readonly lookup: Found };

const between = 3 * second; // pause between two lookups
const skew = 60 * second; // how far before the first signature the history is read
const patience = 3 * minute; // more than twice the wait: the exchange's clock contradicts itself

/** The earliest time the order may have in the history; for an order signed ahead of now, now. */
export function searchFrom(signed: readonly Signed[], now: Millis): Millis {
  return Math.min(now, ...signed.map(({ signedAt }) => signedAt)) - skew;
}

/** The parts of the environment that a lookup needs. */
export type LookupContext = Pick<
  EffectContext,
  | 'clock'
  | 'destination'
  | 'drain'
  | 'entries'
  | 'exchange'
  | 'halt'
  | 'namesElsewhere'
  | 'record'
  | 'searches'
>;

export interface Lookup {
  readonly meant: MeantOrder;
  /** Every attempt, oldest first; never empty. */
  readonly signed: readonly Signed[];
  readonly address: string;
  /** The duration of the search, which looks at least once; default: to the fence. */
  readonly forMs?: Millis;
  /** Whether only the lists are asked; default: also the read by key. */
  readonly isOfLists?: true;
}

/**
 * Searches for the order until it appears, or until two searches past the fence, further apart than an
 * order may be missing from the lists, do not show it. Past the fence no delayed copy can be accepted,
 * or be accepted and not visible. One search is not enough, however late: an order that is being
 * filled may have left one list and not reached the other, and may have been listed only between two
 * searches before that. The first of the two may have been made for another order of the account; the
 * last is made for this one.
 * @throws InterruptedError when the run is stopped before: nothing is known then
 */
export async function reconcile(lookup: Lookup, context: LookupContext): Promise<Finding> {
  const watch = context.exchange.watchTime();
  const said = new ListsSaid(lookup.meant.lists);
  try {
    return await lookFor(lookup, { watch, said }, context);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return { kind: 'unknown', lookup: said.unread(error) };
  } finally {
    watch.end();
  }
}

async function lookFor(
  lookup: Lookup,
  { watch, said }: { readonly watch: TimeWatch; readonly said: ListsSaid },
  context: LookupContext,
): Promise<Finding> {
  const unknown = (but: string): Finding => ({ kind: 'unknown', lookup: said.all(but) });
  const { meant, signed, address, forMs } = lookup;
  const { name: clientOid, line, lists } = meant;
  const { clock, exchange, searches, destination } = context;
  const fence = new Fence(signed, { clock, watch, known: searches.begun, ...destination });
  const start = clock.monotonic();
  let isDisputed = false;
  const byKey = new ReadsByKey(exchange, meant, lookup.isOfLists !== true);
  let pastSince = Infinity; // its first search past the fence
  for (;;) {
    said.begin();
    const now = await exchange.serverTime(context.halt);
    // This time is before the search: an order that the search does not show did not exist then.
    const began = clock.monotonic();
    const onRead = (list: OrderList): void => said.read(list, watch.earliest(began) ?? now);
    const since = searchFrom(signed, now);
    const alike: Order[] = [];
    const onOrder = (order: Order): void => {
      if (readable(order, 'clientOid') !== clientOid && mayBeOurs(order, lookup)) alike.push(order);
    };
    const search = { line, lists, since, now, signal: context.halt };
    const range = { ...search, onRead, onOrder, pagesMax: pagesIn(now - since) };
    const own = await byKey.order(context.halt);
    const order = own ?? (await searches.find(exchange, clientOid, range, watch));
    if (!isDisputed) isDisputed = await recordDispute(address, watch, context);
    if (order !== undefined) {
      const other = otherOrder(order, meant);
      if (other !== undefined) return unknown(other);
      return { kind: 'found', order, by: own === undefined ? 'lists' : 'key' };
    }
    if (since < keptSince(declared(lists.closed.operation), now)) {
      return unknown('the history does not reach back to when it was sent');
    }
    const looked = began - start;
    const isPast = now > fence.at && fence.isPast(began);
    // A later response may show that an earlier search was not past the fence.
    if (!isPast || !fence.isPast(pastSince)) pastSince = Infinity;
    if (isPast) pastSince = Math.min(pastSince, began);
    const others = searches.absentSince(clientOid, range, fence) ?? Infinity;
    const isAbsent = isPast && began - Math.min(pastSince, others) > visibility;
    if (forMs === undefined ? isAbsent : looked >= forMs) {
      if (others < start) said.another();
      return absentBut(await strangersAmong(alike, context), said);
    }
    if (context.drain.aborted) throw new InterruptedError();
    if (looked > patience) return unknown(impatient(fence.left(began), watch));
    await context.record({
      kind: 'waited',
      address,
      operation: declared(lists.open.operation),
      why: 'look-up',
      ms: between,
      because: `clientOid ${clientOid} is not there yet`,
    });
    await clock.sleep(between, context.halt);
  }
}

function absentBut(mayBe: string | undefined, said: ListsSaid): Finding {
  return { kind: 'absent', lookup: said.all(mayBe), ...(mayBe !== undefined && { mayBe }) };
}

/**
 * The maximum pages of a time range. More than the exchange can have filled in that time count as
 * endless: orders are limited to ten a second, and this is four times as many.
 */
function pagesIn(range: Millis): number {
  return Math.min(searchPagesMax, 100 + Math.ceil((range / second) * 0.4));
}

const searchPagesMax = 2_000; // 200,000 orders, read in 100 seconds

const timesApart = 10 * second; // an order may count as created before it was signed

/**
 * Whether an order may be ours: equal in all that the row shows, and not created before the write was
 * signed.
 */
function mayBeOurs(order: Order, { meant, signed }: Lookup): boolean {
  const first = Math.min(...signed.map(({ signedAt }) => signedAt));
  const name = readable(order, 'clientOid');
  if (name !== undefined && isOurName(name)) return false; // deskhand placed it for another write
  return isAlike(order, meant) && !(Number(readable(order, 'createdTime')) < first - timesApart);
}

/** The orders among these that no other write of ours explains, in words; undefined if there are none. */
async function strangersAmong(
  orders: readonly Order[],
  { entries, namesElsewhere }: LookupContext,
): Promise<string | undefined> {
  if (orders.length === 0) return undefined;
  const ours = new Set([...namesIn(await entries()), ...(await namesElsewhere())]);
  const strange = orders.find((order) => !ours.has(readable(order, 'clientOid') ?? ''));
  if (strange === undefined) return undefined;
  const name = readable(strange, 'clientOid');
  const named =
    name === undefined ? 'a clientOid that cannot be read' : name && `clientOid ${name}`;
  const id = readable(strange, 'orderId') ?? 'without a readable id';
  return `order ${id} with ${named || 'no clientOid'} could be it: it is equal, and was placed since`;
}

/** Records a response with a contradicting time, once. */
async function recordDispute(
  address: string,
  watch: TimeWatch,
  context: LookupContext,
): Promise<boolean> {
  const ms = watch.dispute();
  if (ms > 0) await context.record({ kind: 'clock-outlier', address, ms });
  return ms > 0;
}

function impatient(left: Millis, watch: TimeWatch): string {
  const apart = watch.dispute();
  const why = apart > 0 ? `; its responses differ by ${spoken(apart)}` : '';
  return `by its clock the exchange may accept it for another ${spoken(left)}${why}`;
}

/** Why an order with the clientOid is not ours; undefined if it is ours. */
function otherOrder(order: Order, meant: MeantOrder): string | undefined {
  const difference = differenceTo(order, meant);
  if (difference === undefined) return undefined;
  return `clientOid ${order.clientOid} belongs to another order (${order.orderId}): ${difference}`;
}
