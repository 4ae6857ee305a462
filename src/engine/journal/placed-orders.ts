/** Orders that earlier runs placed once per playbook. */
import { isRecord, type Json } from '../../base/json.ts';
import { keyIn, placesOrders } from '../../exchange/api/meant-order.ts';
import { isOperation, type OperationName } from '../../exchange/api/operations/index.ts';
import { orderCategories, type OrderCategory } from '../../exchange/api/vocabulary.ts';
import type { Address } from './entry.ts';
import { named, type LedgerView } from './ledger.ts';
import type { RunRecord } from './run-record.ts';
import { writesOf } from './sent-writes.ts';

/** An order as the run that sent it recorded it. */
export interface PlacedOrder {
  /** The key of the order in the ledger. */
  readonly key: string;
  readonly run: string;
  readonly address: Address;
  readonly clientOid: string;
  readonly operation: OperationName;
  readonly input: Json;
}

/** An operation that places orders, and the product line of some of them. */
export interface OrderLine {
  readonly operation: OperationName;
  readonly line: OrderCategory;
}

/** The orders that earlier runs placed once per playbook on an account, each as its first run sent it. */
export interface PlacedOrders {
  all(): readonly PlacedOrder[];
  /** The orders with some clientOids, oldest run first. */
  named(names: Iterable<string>): readonly PlacedOrder[];
  /** Whether an order that is asked about is on a product line. */
  some(isOn: (line: OrderLine) => boolean, isAsked: (order: PlacedOrder) => boolean): boolean;
}

/** Everything that was sent and not refused, each clientOid once, as its first run sent it. */
export function placedOrders(
  records: readonly RunRecord[],
  view: LedgerView,
): readonly PlacedOrder[] {
  const placed = new Map<string, PlacedOrder>();
  for (const { run, entries } of records) {
    const [started] = entries;
    if (started?.kind !== 'started') continue;
    for (const write of writesOf(entries).values()) {
      const { operation, address, input } = write.intent;
      const clientOid = placesOrders(operation) ? keyIn(operation, input) : undefined;
      const isSent = write.output !== undefined || write.signed.length > 0;
      if (clientOid === undefined || !isSent) continue;
      const found = named(write, started, view);
      if (found?.isLasting !== true || placed.has(clientOid)) continue;
      placed.set(clientOid, { key: found.key, run, address, clientOid, operation, input });
    }
  }
  return [...placed.values()];
}

export function isOrderLine(value: unknown): value is OrderLine {
  if (!isRecord(value)) return false;
  const { operation, line } = value;
  if (typeof operation !== 'string' || !isOperation(operation)) return false;
  return orderCategories.some((each) => each === line);
}
