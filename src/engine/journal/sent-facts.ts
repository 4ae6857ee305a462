/** The writes of an ended run that comparisons with the exchange ask for, kept beside its other facts. */
import { isRecord } from '../../base/json.ts';
import { keyIn, lineOfWrite, placesOrders } from '../../exchange/api/meant-order.ts';
import { endedBy } from '../../exchange/api/operations/index.ts';
import type { FactKind } from './catalogue.ts';
import { columnOf, valuesOf, type Column } from './columns.ts';
import type { Entry } from './entry.ts';
import { isOrderLine, type OrderLine } from './placed-orders.ts';
import { writesIn, type RecordedWrite } from './writes.ts';

/** The kind of the fact; its number changes when a field changes its meaning. */
export const sentKind: FactKind = 'sent 1';

const writesMax = 1_000; // of a run: the record of one with more is read

/** What is asked first of the writes that an ended run sent. */
export interface SentSummary {
  /** The orders whose outcomes are known, by the operation and the product line. */
  readonly orders: readonly OrdersSent[];
  /** Whether the run sent anything else, or has an order in doubt: that is compared, however old it is. */
  readonly hasOthers: boolean;
  /** Whether the run completed with every step of its playbook. */
  readonly isWhole: boolean;
}

export const summaryFields = ['orders', 'hasOthers', 'isWhole'] as const;

/** The writes that an ended run sent. */
export interface SentFacts extends SentSummary {
  /** The names that the writes have on the exchange. */
  readonly names: readonly string[];
  /** The number of writes, and their columns as JSON, which are parsed only for what is compared. */
  readonly writes: number;
  readonly columns: string;
}

/** The number of orders that a run sent with one operation to one product line. */
export interface OrdersSent extends OrderLine {
  readonly count: number;
}

/** The writes that a run sent; undefined if they are too many to be kept beside its record. */
export function sentFacts(run: string, entries: readonly Entry[]): SentFacts | undefined {
  const writes = writesIn(run, entries);
  if (writes.length > writesMax) return undefined;
  const orders = new Map<string, OrdersSent>();
  let hasOthers = false;
  for (const write of writes) {
    const order = settledOrder(write);
    if (order === undefined) hasOthers = true;
    else {
      const name = `${order.operation} ${order.line}`;
      orders.set(name, { ...order, count: (orders.get(name)?.count ?? 0) + 1 });
    }
  }
  return {
    orders: [...orders.values()],
    hasOthers,
    isWhole: isWhole(entries),
    names: writes.flatMap(({ operation, input }) => keyIn(operation, input) ?? []),
    writes: writes.length,
    columns: JSON.stringify(columnOf(writes.map(shortOf))),
  };
}

export function isSentFacts(value: unknown): value is SentFacts {
  if (!isSentSummary(value) || !isRecord(value)) return false;
  const { names, writes, columns } = value;
  return areNames(names) && Number.isSafeInteger(writes) && typeof columns === 'string';
}

export function isSentSummary(value: unknown): value is SentSummary {
  if (!isRecord(value)) return false;
  const { orders, hasOthers, isWhole: isDone } = value;
  return (
    Array.isArray(orders) &&
    orders.every(isOrdersSent) &&
    typeof hasOthers === 'boolean' &&
    typeof isDone === 'boolean'
  );
}

/** The names in a fact of which only these are needed. */
export function namesSent(value: unknown): readonly string[] {
  const names = isRecord(value) ? value['names'] : undefined;
  return areNames(names) ? names : [];
}

function areNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

/** The writes as `writesIn` finds them in the record; of outputs only those of writes that end orders. */
export function sentWrites(run: string, { writes, columns }: SentFacts): readonly RecordedWrite[] {
  // The checksum of the line with these columns proves that deskhand wrote them.
  const valueOf = valuesOf(JSON.parse(columns) as Column);
  return Array.from({ length: writes }, (_none, at) => ({ ...(valueOf(at) as ShortWrite), run }));
}

/** Whether a run completed with every step of its playbook. */
export function isWhole(entries: readonly Entry[]): boolean {
  const [started] = entries;
  const last = entries.at(-1);
  if (started?.kind === 'started' && started.imported !== undefined) return false;
  return last?.kind === 'finished' && last.status === 'done';
}

type ShortWrite = Omit<RecordedWrite, 'run'>;

function shortOf({ run: _run, outcome, ...write }: RecordedWrite): ShortWrite {
  if (outcome === undefined) return write;
  const isUsed = outcome.kind !== 'done' || endedBy(write.operation) !== undefined;
  return { ...write, outcome: isUsed ? outcome : { ...outcome, output: null } };
}

/** An order of the account of its run of which the outcome is known; undefined for any other write. */
function settledOrder({
  operation,
  input,
  account,
  outcome,
}: RecordedWrite): OrderLine | undefined {
  const line = placesOrders(operation) ? lineOfWrite(operation, input) : undefined;
  const isSettled = outcome !== undefined && outcome.kind !== 'doubt';
  return line !== undefined && isSettled && account === undefined ? { operation, line } : undefined;
}

function isOrdersSent(value: unknown): value is OrdersSent {
  return isRecord(value) && isOrderLine(value) && Number.isSafeInteger(value['count']);
}
