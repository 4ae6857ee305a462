/** Rate limits that several machines share: what a database must do for them. */
import type { Millis } from '../../base/clock.ts';
import type { Limit } from '../../exchange/api/operation.ts';

/**
 * All times are by the clock of the database. Every method throws StoreError when it gave no answer:
 * then its effect is unknown, and it may be repeated.
 */
export interface SharedPaces {
  /**
   * Takes a place for a request under a limit, in the order in which the requests asked first. It
   * counts until one window after `answered`. The first one of all waits for a whole window: nothing
   * is known about what was sent before.
   * @param id of the request
   * @returns 0 when it has its place; otherwise how long to wait before it is asked again. A request
   * that is not asked again within two seconds after that loses its turn.
   */
  take(key: string, limit: Limit, id: string): Promise<Millis>;
  /** The response of the request has arrived. */
  answered(key: string, id: string): Promise<void>;
  /** No place is given for the next `ms`. */
  hold(key: string, ms: Millis): Promise<void>;
  close(): Promise<void>;
}
