/** Reads one order by the key of its write, where the exchange has such a read. */
import { RefusedError, type Exchange } from '../../exchange/api/exchange.ts';
import type { MeantOrder } from '../../exchange/api/meant-order.ts';
import { readable, type Order } from '../plan/order-row.ts';
import { readOrder } from '../plan/read-order.ts';
import { isUnreadable } from './unreadable.ts';

/** Reads of the order of one write, until the exchange refuses them to this account. */
export class ReadsByKey {
  readonly #exchange: Exchange;
  readonly #meant: MeantOrder;
  #mayAsk: boolean;

  constructor(exchange: Exchange, meant: MeantOrder, mayAsk = true) {
    this.#exchange = exchange;
    this.#meant = meant;
    this.#mayAsk = mayAsk;
  }

  /** The order; undefined proves nothing, and the lists decide. */
  async order(signal: AbortSignal): Promise<Order | undefined> {
    if (!this.#mayAsk) return undefined;
    const order = await orderByKey(this.#exchange, this.#meant, signal);
    this.#mayAsk = order !== 'unreadable';
    return typeof order === 'object' ? order : undefined;
  }
}

/**
 * The order of a write by its key. `unknown` proves nothing: the exchange may not show it yet. `unreadable`: this
 * account has no such read. The lists decide in both cases.
 */
async function orderByKey(
  exchange: Exchange,
  { lookup, input, name }: MeantOrder,
  signal: AbortSignal,
): Promise<Order | 'unknown' | 'unreadable'> {
  const { byKey } = lookup;
  if (byKey === undefined || name === '') return 'unreadable';
  try {
    const found = await readOrder(exchange, byKey, { input, signal });
    return found !== undefined && readable(found, 'clientOid') === name ? found : 'unknown';
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return error instanceof RefusedError ? 'unreadable' : 'unknown';
  }
}
