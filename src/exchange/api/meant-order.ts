/** Orders as writes ask for them, read by the declarations of their operations. */
import { fieldOf, isJsonRecord, plainJson, type JsonRecord } from '../../base/json.ts';
import { InternalError } from '../../base/error.ts';
import { checkInput } from './check.ts';
import { wrongFamily, type Family } from './family.ts';
import type { KeyedWrite, OrderLists, OrderLookup, OrderRowFields } from './keyed-write.ts';
import {
  isOperation,
  operationNames,
  operationOf,
  type OperationName,
} from './operations/index.ts';
import { lineOf, termsOf, type OrderTerms } from './order-terms.ts';
import { orderCategories, type OrderCategory } from './vocabulary.ts';

/** The declaration of an operation that places orders; undefined for every other name. */
export function keyedWriteOf(name: string | undefined): KeyedWrite | undefined {
  return name !== undefined && isOperation(name) ? operationOf(name).keyed : undefined;
}

/** Whether an operation places orders. */
export function placesOrders(name: string | undefined): boolean {
  return keyedWriteOf(name) !== undefined;
}

/** A product line, and the lists that show its orders. */
export interface ListedLine {
  readonly line: OrderCategory;
  readonly lists: OrderLists;
}

/** The name of a product line in lists: that of the line, for the lists of the interface. */
export function lineKey({ line, lists }: ListedLine): string {
  return lists.name === undefined ? line : `${line} in ${lists.name} lists`;
}

/** A product line, with the first operation that places orders there. */
export interface TradedLine extends ListedLine {
  readonly operation: OperationName;
}

/** Where an account finds the orders of an operation. */
function lookupFor({ lookup, lookupOf }: KeyedWrite, family: Family | undefined): OrderLookup {
  return (family && lookupOf?.[family]) ?? lookup;
}

/** Every product line in which an account can place orders, by its name; of both families by default. */
export function tradedLines(family: Family | undefined): ReadonlyMap<string, TradedLine> {
  const known = traded.get(family) ?? tradedBy(family);
  traded.set(family, known);
  return known;
}

const traded = new Map<Family | undefined, ReadonlyMap<string, TradedLine>>(); // asked for each write

function tradedBy(family: Family | undefined): ReadonlyMap<string, TradedLine> {
  const found = new Map<string, TradedLine>();
  for (const [operation, keyed] of keyedWrites) {
    if (family !== undefined && wrongFamily(operation, family) !== undefined) continue;
    const { lists } = lookupFor(keyed, family);
    for (const line of orderCategories.filter((each) => keyed.markets[each] !== undefined)) {
      const traded = { line, lists, operation };
      const name = lineKey(traded);
      if (!found.has(name)) found.set(name, traded);
    }
  }
  return found;
}

/** The title of a list, and its rows; undefined for an operation that lists no orders. */
export function orderListOf(
  name: string | undefined,
): { readonly title: string; readonly row: OrderRowFields } | undefined {
  for (const [, { lookup, lookupOf = {} }] of keyedWrites) {
    for (const { lists } of [lookup, ...Object.values(lookupOf)]) {
      const { open, closed } = lists;
      if (name === open.operation) return { title: 'open orders', row: open.row };
      if (name === closed.operation) return { title: 'history orders', row: closed.row };
    }
  }
  return undefined;
}

const keyedWrites: readonly (readonly [OperationName, KeyedWrite])[] = operationNames.flatMap(
  (name) => {
    const { keyed } = operationOf(name);
    return keyed === undefined ? [] : [[name, keyed] as const];
  },
);

const keyFields: ReadonlySet<string> = new Set(
  keyedWrites.flatMap(([name]) => operationOf(name).key ?? []),
);

/** Whether a field names orders: deskhand makes the name of an order that has none. */
export function isOrderKey(field: string): boolean {
  return keyFields.has(field);
}

/** The name of an order in the input or the response of a write whose operation is not known. */
export function orderNameIn(value: unknown): string | undefined {
  return textIn(value, keyFields);
}

const idFields: ReadonlySet<string> = new Set(keyedWrites.map(([, { id }]) => id));

/** Whether a field has the exchange's id of an order. */
export function isOrderId(field: string): boolean {
  return idFields.has(field);
}

/** The exchange's id of an order in the response of a write whose operation is not known. */
export function orderIdFrom(value: unknown): string | undefined {
  return textIn(value, idFields);
}

function textIn(value: unknown, fields: ReadonlySet<string>): string | undefined {
  for (const field of fields) {
    const text = fieldOf(value, field);
    if (typeof text === 'string') return text;
  }
  return undefined;
}

/** An operation that a declaration names. */
export function declared(name: string): OperationName {
  if (isOperation(name)) return name;
  throw new InternalError(`a declaration names ${name}, which is not an operation`);
}

/** The product line of the order of a write; undefined for a write without one, or on an unknown line. */
export function lineOfWrite(
  operation: string | undefined,
  input: unknown,
): OrderCategory | undefined {
  const keyed = keyedWriteOf(operation);
  return keyed && lineOf(keyed, fieldsIn(input));
}

/** The lists of the orders that an operation placed on a product line. */
export function listsOf(
  operation: OperationName,
  line: OrderCategory,
  family: Family | undefined,
): ListedLine | undefined {
  const { keyed } = operationOf(operation);
  return keyed && { line, lists: lookupFor(keyed, family).lists };
}

/** The lists of the order of a write; undefined for a write without one, or on an unknown line. */
export function listedLineOf(
  operation: string | undefined,
  input: unknown,
  family: Family | undefined,
): ListedLine | undefined {
  const line = lineOfWrite(operation, input);
  return line && listsOf(declared(operation ?? ''), line, family);
}

function fieldsIn(input: unknown): Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null ? { ...input } : {};
}

/** The field that names the object of a write on the exchange. */
export function keyField(operation: OperationName): string | undefined {
  return operationOf(operation).key;
}

/** The name of a write on the exchange: its clientOid; undefined without one. */
export function keyIn(operation: OperationName, input: unknown): string | undefined {
  const field = keyField(operation);
  const value = field === undefined ? undefined : fieldOf(input, field);
  return typeof value === 'string' ? value : undefined;
}

/** The terms of an order from the known fields of a write; undefined for a write that places none. */
export function orderTerms(
  operation: string | undefined,
  input: Readonly<Record<string, unknown>>,
): OrderTerms | undefined {
  const keyed = keyedWriteOf(operation);
  return keyed && termsOf(keyed, input);
}

/** An order that a complete write asks for. */
export interface MeantOrder extends ListedLine {
  readonly operation: OperationName;
  readonly keyed: KeyedWrite;
  /** The lists in which the account finds the order. */
  readonly lookup: OrderLookup;
  readonly input: JsonRecord;
  /** The clientOid; empty without one. */
  readonly name: string;
  readonly terms: OrderTerms;
}

/**
 * @param family of its account, if that is known
 * @throws InputError for a write that violates the API schema
 */
export function meantOrder(
  operation: OperationName,
  input: unknown,
  family: Family | undefined,
): MeantOrder {
  checkInput(operation, input);
  const keyed = keyedWriteOf(operation);
  const fields = plainJson(input);
  if (keyed === undefined || !isJsonRecord(fields)) {
    throw new InternalError(`${operation} places no orders`);
  }
  const line = lineOf(keyed, fields);
  if (line === undefined)
    throw new InternalError(`${operation} names a line that it does not have`);
  const lookup = lookupFor(keyed, family);
  const { lists } = lookup;
  const name = keyIn(operation, fields) ?? '';
  return {
    operation,
    keyed,
    lookup,
    input: fields,
    name,
    line,
    lists,
    terms: termsOf(keyed, fields),
  };
}

/** The response of a write whose order was found. */
export function responseFor(
  operation: OperationName,
  { id, name }: { readonly id: string; readonly name: string },
): JsonRecord {
  const { keyed, key } = operationOf(operation);
  return { [keyed?.id ?? 'orderId']: id, [key ?? 'clientOid']: name };
}
