/** Reads one order by the key of its write, where the exchange has such a read. */
import { checkInput } from '../../exchange/api/check.ts';
import { RefusedError, type Exchange } from '../../exchange/api/exchange.ts';
import { declared, type MeantOrder } from '../../exchange/api/meant-order.ts';
import { isRecord } from '../../base/json.ts';
import { orderIn, readable, type Order } from '../plan/order-row.ts';
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
  { keyed, input, name }: MeantOrder,
  signal: AbortSignal,
): Promise<Order | 'unknown' | 'unreadable'> {
  const { byKey } = keyed.lookup;
  if (byKey === undefined || name === '') return 'unreadable';
  const operation = declared(byKey.operation);
  const taken = Object.entries(byKey.input).map(([field, from]) => [field, input[from]]);
  const request: unknown = Object.fromEntries(taken);
  checkInput(operation, request);
  try {
    const row: unknown = await exchange.call(operation, request, { signal });
    if (!isRecord(row)) return 'unknown';
    const order = orderIn(byKey, row);
    return readable(order, 'clientOid') === name ? order : 'unknown';
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    const isRefused = error instanceof RefusedError && !byKey.unknown.includes(error.answer.code);
    return isRefused ? 'unreadable' : 'unknown';
  }
}
