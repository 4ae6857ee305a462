/** Complete searches of an account's lists that did not show an order, for orders looked up one after
 * another.
 */
import { second, type Clock, type Millis } from '../../base/clock.ts';
import type { Exchange, TimeWatch } from '../../exchange/api/exchange.ts';
import { lineKey, type ListedLine } from '../../exchange/api/meant-order.ts';
import { findOrder, type Search } from '../plan/found-orders.ts';
import type { Order } from '../plan/order-row.ts';
import type { Fence, LocalTime } from './fence.ts';

/** A search that read both lists to their ends. */
interface Complete {
  /** The product line in the lists of the account. */
  readonly line: string;
  /** The range of the history, on the exchange's clock. */
  readonly since: Millis;
  readonly now: Millis;
  /** The monotonic time before the search. */
  readonly began: Millis;
  /** The clientOids that the search showed. */
  readonly names: ReadonlySet<string>;
  /** The exchange's time when the search began: the earliest by any response of a search since. */
  time: Millis;
}

const apart = 3 * second; // searches in quick succession prove the same
const keptMax = 5; // of a product type: they reach back further than orders may be missing

/** The searches of one account by one process of a run. */
export class Searches {
  /** A time at which other processes had signed everything that they signed for the run. */
  readonly begun: LocalTime;
  readonly #clock: Clock;
  #kept: readonly Complete[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
    this.begun = { monotonic: clock.monotonic(), wall: clock.now() };
  }

  /** The order of a clientOid, or undefined when it is in neither list. */
  async find(
    exchange: Exchange,
    clientOid: string,
    search: Search & Required<Pick<Search, 'since' | 'now'>>,
    watch: TimeWatch,
  ): Promise<Order | undefined> {
    // This time is before the search: an order that the search does not show did not exist then.
    const began = this.#clock.monotonic();
    const names = new Set<string>();
    const found = await findOrder(exchange, clientOid, search, (name) => names.add(name));
    this.#correct(watch);
    const { since, now } = search;
    if (found === undefined) this.#keep({ line: lineKey(search), since, now, began, names }, watch);
    return found;
  }

  /**
   * The start, on the monotonic clock, of the earliest search past the fence of an order that would
   * have shown it. Undefined without such a search, or if one has shown the order.
   */
  absentSince(
    clientOid: string,
    search: ListedLine & Pick<Complete, 'since'>,
    fence: Fence,
  ): Millis | undefined {
    const [line, since] = [lineKey(search), search.since];
    const all = this.#kept.filter((one) => one.line === line);
    if (all.some(({ names }) => names.has(clientOid))) return undefined;
    return all.find(
      (one) => one.since <= since && one.now > fence.at && fence.isPast(one.began, one.time),
    )?.began;
  }

  /**
   * Corrects the times of searches: no single response decides the time, and a later one may show that
   * it was earlier.
   */
  #correct(watch: TimeWatch): void {
    for (const one of this.#kept) {
      one.time = Math.min(one.time, watch.earliest(one.began) ?? Infinity);
    }
  }

  #keep(search: Omit<Complete, 'time'>, watch: TimeWatch): void {
    const { line, began } = search;
    const time = watch.earliest(began);
    const last = this.#kept.findLast((one) => one.line === line);
    if (time === undefined || (last !== undefined && began - last.began < apart)) return;
    const own = this.#kept.filter((one) => one.line === line);
    const others = this.#kept.filter((one) => one.line !== line);
    this.#kept = [...others, ...own.slice(1 - keptMax), { ...search, time }];
  }
}
