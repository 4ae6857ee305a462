/** Reads the one order that a write names. */
import { day, type Millis } from '../../base/clock.ts';
import { isRecord, type JsonRecord } from '../../base/json.ts';
import { checkInput } from '../../exchange/api/check.ts';
import { RefusedError, type Exchange } from '../../exchange/api/exchange.ts';
import type { ListedName, OrderRead } from '../../exchange/api/keyed-write.ts';
import { declared } from '../../exchange/api/meant-order.ts';
import { orderCategories } from '../../exchange/api/vocabulary.ts';
import { visitOrders } from './found-orders.ts';
import { orderIn, readable, type Order } from './order-row.ts';

interface Named {
  readonly input: JsonRecord;
  readonly signal: AbortSignal;
}

/**
 * Reads the order that a write names; undefined if the exchange does not know it, or not yet. An order that the
 * read of one order does not know is searched in the lists, if the write names their product line: the exchange
 * forgets orders that ended sooner in one of them than in the other.
 * @throws RefusedError, UnavailableError or AnswerError when it cannot be read
 */
export async function readOrder(
  exchange: Exchange,
  read: OrderRead,
  named: Named,
): Promise<Order | undefined> {
  const known = await readByName(exchange, read, named);
  if (known !== undefined || read.listed === undefined) return known;
  return searched(exchange, read.listed, named);
}

async function readByName(
  exchange: Pick<Exchange, 'call'>,
  read: OrderRead,
  { input, signal }: Named,
): Promise<Order | undefined> {
  const operation = declared(read.operation);
  const request: unknown = Object.fromEntries(
    Object.entries(read.input).flatMap(([field, from]) =>
      input[from] === undefined ? [] : [[field, input[from]]],
    ),
  );
  checkInput(operation, request);
  try {
    const row: unknown = await exchange.call(operation, request, { signal });
    return isRecord(row) ? orderIn(read, row) : undefined;
  } catch (error) {
    if (error instanceof RefusedError && read.unknown.includes(error.answer.code)) return undefined;
    throw error;
  }
}

const reach: Millis = 7 * day; // an older order that ended is found by its name, or not at all
const pagesMax = 20;

async function searched(
  exchange: Exchange,
  listed: ListedName,
  { input, signal }: Named,
): Promise<Order | undefined> {
  const line = orderCategories.find((each) => each === input[listed.line]);
  if (line === undefined) return undefined;
  const now = await exchange.serverTime(signal);
  const search = { line, lists: listed.lists, since: now - reach, now, signal, pagesMax };
  let found: Order | undefined;
  await visitOrders(exchange, search, (order) => {
    if (!isNamed(order, listed, input)) return 'continue';
    found = order;
    return 'stop';
  });
  return found;
}

/** Whether an order is the one that a write names: by its id, if the write has one. */
function isNamed(order: Order, { id, key }: ListedName, input: JsonRecord): boolean {
  return input[id] === undefined
    ? readable(order, 'clientOid') === input[key]
    : readable(order, 'orderId') === input[id];
}
