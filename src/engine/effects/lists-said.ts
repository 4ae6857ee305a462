/** The answers of the lists during a lookup, and the exchange time up to which each counts. */
import type { Millis } from '../../base/clock.ts';
import { readFailed } from '../journal/doubt.ts';
import type { ListSaid, Lookup } from '../journal/entry.ts';
import type { OrderList, OrderLists } from '../../exchange/api/keyed-write.ts';
import { wordsOfRead } from './unreadable.ts';

export class ListsSaid {
  /** The lists in the order in which they are read. */
  readonly #lists: readonly [OrderList, OrderList];
  #looks = 0;
  readonly #until = new Map<OrderList, Millis>();
  /** The lists that the current look has read. */
  #read: OrderList[] | undefined;

  constructor({ open, closed }: OrderLists) {
    this.#lists = [open, closed];
  }

  /** Begins another look. */
  begin(): void {
    this.#read = undefined;
  }

  /** Notes that a list was read to its end, and did not show the order up to this exchange time. */
  read(list: OrderList, until: Millis): void {
    this.#read = [...(this.#read ?? []), list];
    this.#until.set(list, until);
    if (list === this.#lists[1]) this.#looks += 1;
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
    const failed = this.#lists.find((list) => !this.#read?.includes(list));
    return this.#lookup((list) => (list === failed ? words : undefined));
  }

  #lookup(unread: (list: OrderList) => string | undefined, but?: string): Lookup {
    const lists = this.#lists.map((list): ListSaid => {
      const until = this.#until.get(list);
      const words = unread(list);
      return {
        list: list.operation,
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
