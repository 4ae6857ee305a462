/** The evidence that the exchange shows of an order about which a person makes a statement. */
import { DeskhandError, exits } from '../../base/error.ts';
import type { Clock } from '../../base/clock.ts';
import type { Exchange } from '../../exchange/api/exchange.ts';
import { meantOrder, type MeantOrder } from '../../exchange/api/meant-order.ts';
import { readFailed } from '../journal/doubt.ts';
import type { Destination, PersonsWord } from '../journal/entry.ts';
import { visitOrders } from '../plan/found-orders.ts';
import type { Order } from '../plan/order-row.ts';
import type { Intent } from './doubts.ts';
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

/** An account, and what the exchange shows of it. */
export interface Opened {
  readonly exchange: Exchange;
  readonly destination: Destination;
}

export interface Witness {
  readonly person: PersonsWord;
  /** The accounts of the run, its own first: the order may have been sent on any of them. */
  readonly accounts: readonly Opened[];
  readonly target: Destination['target'];
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The clientOids of all journals, if the store of the run forgot lines; absent if it never did. */
  readonly namesKnown?: () => Promise<ReadonlySet<string>>;
}

/** An order that an account shows, and the one that the write asks for there. */
export interface ShownOrder {
  readonly order: Order;
  readonly meant: MeantOrder;
}

export interface Looked {
  readonly orders: readonly ShownOrder[];
  /** The reason why the lists could not be read, in the words of the read. */
  readonly unreadable?: string;
}

/** Every later order of the product line on all accounts, and the order with the key of the write. */
export async function look(
  { operation, input }: Pick<Intent, 'operation' | 'input'>,
  signed: readonly Signed[],
  { accounts, signal }: Pick<Witness, 'accounts' | 'signal'>,
): Promise<Looked> {
  const orders: ShownOrder[] = [];
  try {
    for (const { exchange, destination } of accounts) {
      const meant = meantOrder(operation, input, destination.family);
      const { line, lists } = meant;
      const own = await new ReadsByKey(exchange, meant).order(signal);
      if (own !== undefined) orders.push({ order: own, meant });
      const now = await exchange.serverTime(signal);
      const search = { line, lists, since: searchFrom(signed, now), now, signal };
      await visitOrders(exchange, search, (order) => {
        orders.push({ order, meant });
        return 'continue';
      });
    }
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return { orders, unreadable: readFailed('the lists', wordsOfRead(error)) };
  }
  return { orders };
}
