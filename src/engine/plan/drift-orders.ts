/** The orders that the exchange shows for a comparison, and those that are older than what it shows. */
import type { Millis } from '../../base/clock.ts';
import {
  declared,
  lineKey,
  lineOfWrite,
  listedLineOf,
  listsOf,
  tradedLines,
} from '../../exchange/api/meant-order.ts';
import type { OperationName } from '../../exchange/api/operations/index.ts';
import { keptSince } from '../../exchange/api/time-range.ts';
import type { Destination } from '../journal/entry.ts';
import type { OrdersSent } from '../journal/sent-facts.ts';
import type { RecordedWrite } from '../journal/writes.ts';
import type { Observer } from './observe.ts';
import type { Order } from './order-row.ts';

/** Orders that were sent before the lists of the exchange begin, with known outcomes: only an open one is shown. */
export interface PastOrders {
  readonly count: number;
  /** The product lines on which the orders were placed. */
  readonly lines: readonly Pick<OrdersSent, 'operation' | 'line'>[];
  /** The orders with some of these names. */
  readonly named: (names: ReadonlySet<string>) => readonly RecordedWrite[];
}

export interface ObservedAccount {
  readonly profile: string;
  /** The account family of the profile. */
  readonly family?: Destination['family'];
  readonly observer: Observer;
}

/** An order, with an operation that places orders where it is listed. */
export interface Listed {
  readonly order: Order;
  readonly operation: OperationName;
}

/** Orders by clientOid, by account. */
export type AccountOrders = ReadonlyMap<string, ReadonlyMap<string, Listed>>;

interface Wanted {
  readonly writes: readonly RecordedWrite[];
  readonly past?: PastOrders;
  readonly accounts: readonly ObservedAccount[];
  readonly looksEverywhere?: boolean;
}

/** Reads the lists of the product lines on which the writes placed orders. */
export async function listedOrders({
  writes,
  past,
  accounts,
  looksEverywhere = false,
}: Wanted): Promise<AccountOrders> {
  const orders = new Map<string, ReadonlyMap<string, Listed>>();
  for (const { profile, family, observer } of accounts) {
    const placed = new Set(writes.map((write) => lineIn(write, family)));
    for (const { operation, line } of past?.lines ?? []) {
      const listed = listsOf(operation, line, family);
      if (listed !== undefined) placed.add(lineKey(listed));
    }
    const lines = [...tradedLines(family)].filter(([name]) => looksEverywhere || placed.has(name));
    const own = new Map<string, Listed>();
    for (const [, line] of lines) {
      for (const [clientOid, order] of await observer.orders(line, 0))
        own.set(clientOid, { order, operation: line.operation });
    }
    orders.set(profile, own);
  }
  return orders;
}

/** Whether all of some orders were sent before the lists of the exchange begin. */
export function areUnlisted(
  orders: readonly Pick<OrdersSent, 'operation' | 'line'>[],
  signedAt: Millis,
  family: Destination['family'],
  now: Millis,
): boolean {
  return orders.every(({ operation, line }) => {
    const listed = listsOf(operation, line, family);
    return (
      listed !== undefined && signedAt < keptSince(declared(listed.lists.closed.operation), now)
    );
  });
}

/** Whether the order of a write was sent before the list of the exchange begins. */
export function isUnlisted(
  { operation, input, signedAt }: RecordedWrite,
  family: Destination['family'],
  now: Millis,
): boolean {
  const line = lineOfWrite(operation, input);
  return line !== undefined && areUnlisted([{ operation, line }], signedAt, family, now);
}

/** The name of the product line on which a write placed an order. */
export function lineIn(
  { operation, input }: RecordedWrite,
  family: Destination['family'],
): string | undefined {
  const line = listedLineOf(operation, input, family);
  return line && lineKey(line);
}
