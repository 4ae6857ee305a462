/** The interface of a database for rate limits that several machines share. */
import type { Millis } from '../../base/clock.ts';
import type { Limit } from '../../exchange/api/operation.ts';

/**
 * Rate limits; all times are by the clock of the database. Every method throws StoreError when it gave no
 * answer: then its effect is unknown, and it may be repeated.
 */
export interface SharedPaces {
  /**
   * Takes a slot for a request under a limit, in the order in which the requests asked first. The slot counts
   * until one window after `answered`. The first request of all waits for a whole window: nothing is known
   * about earlier requests.
   * @param id of the request
   * @returns 0 when the request has its slot; otherwise how long to wait before it is asked again. A request
   * that is not asked again within two seconds after that loses its turn.
   */
  take(key: string, limit: Limit, id: string): Promise<Millis>;
  /** Records that the response of the request has arrived. */
  answered(key: string, id: string): Promise<void>;
  /** Gives no slot for the next `ms`. */
  hold(key: string, ms: Millis): Promise<void>;
  close(): Promise<void>;
}
