/** The evidence that the exchange shows of an order about which a person makes a statement. */
import { DeskhandError, exits } from '../../base/error.ts';
import type { Clock } from '../../base/clock.ts';
import { checkInput } from '../../exchange/api/check.ts';
import type { Exchange } from '../../exchange/api/exchange.ts';
import type { Input } from '../../exchange/api/operations/index.ts';
import { readFailed } from '../journal/doubt.ts';
import type { Destination, PersonsWord } from '../journal/entry.ts';
import { visitOrders } from '../plan/found-orders.ts';
import type { Order } from '../plan/order-row.ts';
import type { Signed } from './fence.ts';
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

export type Placed = Input<'futures/place-order'>;

/** Every later order of the product type, on all accounts. */
export async function look(
  { productType: category }: Placed,
  signed: readonly Signed[],
  { exchanges, signal }: Pick<Witness, 'exchanges' | 'signal'>,
): Promise<Looked> {
  const orders: Order[] = [];
  try {
    for (const exchange of exchanges) {
      const now = await exchange.serverTime(signal);
      const search = { category, since: searchFrom(signed, now), now, signal };
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

export function orderIn(input: unknown): Placed {
  checkInput('futures/place-order', input);
  return input;
}
