/** Reads the one order that a write names. */
import { isRecord, type JsonRecord } from '../../base/json.ts';
import { checkInput } from '../../exchange/api/check.ts';
import { RefusedError, type Exchange } from '../../exchange/api/exchange.ts';
import type { OrderRead } from '../../exchange/api/keyed-write.ts';
import { declared } from '../../exchange/api/meant-order.ts';
import { orderIn, type Order } from './order-row.ts';

/**
 * Reads the order that a write names; undefined if the exchange does not know it, or not yet.
 * @throws RefusedError, UnavailableError or AnswerError when it cannot be read
 */
export async function readOrder(
  exchange: Pick<Exchange, 'call'>,
  read: OrderRead,
  { input, signal }: { readonly input: JsonRecord; readonly signal: AbortSignal },
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
