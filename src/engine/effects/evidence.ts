/** The evidence that the exchange shows of an order about which a person makes a statement. */
import { DeskhandError, exits } from '../../base/error.ts';
import type { Clock } from '../../base/clock.ts';
import type { Exchange } from '../../exchange/api/exchange.ts';
import type { MeantOrder } from '../../exchange/api/meant-order.ts';
import { readFailed } from '../journal/doubt.ts';
import type { Destination, PersonsWord } from '../journal/entry.ts';
import { visitOrders } from '../plan/found-orders.ts';
import type { Order } from '../plan/order-row.ts';
import type { Signed } from './fence.ts';
import { ReadsByKey } from './order-by-key.ts';
import { searchFrom } from './reconcile.ts';
import { isUnreadable, wordsOfRead } from './unreadable.ts';

/** The exchange contradicts the person's statement, or the outcome cannot be known yet. */
export class EvidenceError extends DeskhandError {
  constructor(message: string, hint: string) {
    super(`${message}; it remains in doubt`, {
      code: 'evidence',
      actor: 'operator',
      exit: exits.heldBack,
      hint,
    });
  }
}

export interface Witness {
  readonly person: PersonsWord;
  /** The accounts of the run: the order may have been sent on any of them. */
  readonly exchanges: readonly Exchange[];
  readonly target: Destination['target'];
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The clientOids of all journals, if the store of the run forgot lines; absent if it never did. */
  readonly namesKnown?: () => Promise<ReadonlySet<string>>;
}

export interface Looked {
  readonly orders: readonly Order[];
  /** The reason why the lists could not be read, in the words of the read. */
  readonly unreadable?: string;
}

/** Every later order of the product line on all accounts, and the order with the key of the write. */
export async function look(
  meant: MeantOrder,
  signed: readonly Signed[],
  { exchanges, signal }: Pick<Witness, 'exchanges' | 'signal'>,
): Promise<Looked> {
  const { line, lists } = meant;
  const orders: Order[] = [];
  try {
    for (const exchange of exchanges) {
      const own = await new ReadsByKey(exchange, meant).order(signal);
      if (own !== undefined) orders.push(own);
      const now = await exchange.serverTime(signal);
      const search = { line, lists, since: searchFrom(signed, now), now, signal };
      await visitOrders(exchange, search, (order) => {
        orders.push(order);
        return 'continue';
      });
    }
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return { orders, unreadable: readFailed('the lists', wordsOfRead(error)) };
  }
  return { orders };
}
