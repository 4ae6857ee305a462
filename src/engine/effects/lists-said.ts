/** The answers of the lists during a lookup, and the exchange time up to which each counts. */
import type { Millis } from '../../base/clock.ts';
import { readFailed } from '../journal/doubt.ts';
import type { ListSaid, Lookup } from '../journal/entry.ts';
import type { OrderList } from '../plan/order-row.ts';
import { wordsOfRead } from './unreadable.ts';

const order: readonly OrderList[] = ['order/list-open', 'order/list-history']; // in which they are read

export class ListsSaid {
  #looks = 0;
  readonly #until = new Map<OrderList, Millis>();
  /** The lists that the current look has read. */
  #read: OrderList[] | undefined;

  /** Begins another look. */
  begin(): void {
    this.#read = undefined;
  }

  /** Notes that a list was read to its end, and did not show the order up to this exchange time. */
  read(list: OrderList, until: Millis): void {
    this.#read = [...(this.#read ?? []), list];
    this.#until.set(list, until);
    if (list === order.at(-1)) this.#looks += 1;
  }

  /** Counts a look of another search, too. */
  another(): void {
    this.#looks += 1;
  }

  all(but?: string): Lookup {
    return this.#lookup(() => undefined, but);
  }

  /** A read of the current look failed: these are its words, not those of the write. */
  unread(error: unknown): Lookup {
    const words = wordsOfRead(error);
    const failed = order.find((list) => !this.#read?.includes(list));
    return this.#lookup((list) => (list === failed ? words : undefined));
  }

  #lookup(unread: (list: OrderList) => string | undefined, but?: string): Lookup {
    const lists = order.map((list): ListSaid => {
      const until = this.#until.get(list);
      const words = unread(list);
      return {
        list,
        ...(until !== undefined && { until }),
        ...(words !== undefined && { unread: words }),
      };
    });
    return { looks: this.#looks, lists, ...(but !== undefined && { but }) };
  }
}

/**
 * The lookup of orders that could not be read before a write, although an earlier attempt may have
 * placed one.
 */
export function unreadBefore(error: unknown): Lookup {
  return { looks: 0, lists: [], but: readFailed('the orders of the account', wordsOfRead(error)) };
}
