/** The positions that an order is checked against before it is sent: read again for each order. */
import { second } from '../../base/clock.ts';
import type { Exchange } from '../../exchange/api/exchange.ts';
import { heldPositions } from '../../exchange/api/position-lists.ts';
import { listedLineOf } from '../../exchange/api/meant-order.ts';
import { futuresLine } from '../../exchange/api/terms.ts';
import { isOperation } from '../../exchange/api/operations/index.ts';
import { visitOrders } from '../plan/found-orders.ts';
import { orderOf, type GuardedWrite, type PositionFacts } from '../plan/limit-check.ts';
import { readable } from '../plan/order-row.ts';
import { isUnreadable, wordsOfRead } from './unreadable.ts';

/** The limits of one read; a signature waits for it and is valid for ten seconds. */
const bounds = { timeoutMs: 5 * second, attempts: 2 };

/**
 * The positions of an order's symbol, and the open orders of its line. The open orders are read first: one that
 * fills in between is in both, and in the position for certain.
 * @param exchange that of the order's account
 */
export async function positionFacts(
  write: GuardedWrite,
  exchange: Exchange,
  signal: AbortSignal,
): Promise<PositionFacts> {
  const { operation, input, account } = write;
  const { symbol = '', line: written } = orderOf(write) ?? {};
  const line = futuresLine(written);
  const listed = isOperation(operation)
    ? listedLineOf(operation, input, account?.family)
    : undefined;
  if (line === undefined || listed === undefined) return { unread: 'its product line has no list' };
  try {
    const open = new Set<string>();
    await visitOrders(exchange, { ...listed, signal }, (order) => {
      open.add(readable(order, 'clientOid') ?? '');
      return 'continue';
    });
    const options = { signal, ...bounds };
    const held = await heldPositions(line, account?.family, { exchange, options });
    return { ...held.get(symbol.toUpperCase()), open };
  } catch (error) {
    signal.throwIfAborted();
    if (!isUnreadable(error)) throw error;
    return { unread: `they cannot be read: ${wordsOfRead(error)}` };
  }
}
