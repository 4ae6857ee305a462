/** What the exchange was asked, from its own list of requests. */
import { second, type Millis } from '../../src/base/clock.ts';
import type { RequestNote } from '../../src/sandbox/requests.ts';
import type { Desk } from './desk.ts';

const listedMax = 1_000; // as many as the exchange keeps

export class RequestTally {
  readonly #desk: Pick<Desk, 'control'>;
  /** The time of the newest one, and how many have that time. */
  #last: Millis = -Infinity;
  #atLast = 0;
  /** Times of orders by account; refused ones count, too. */
  readonly #orders = new Map<string, Millis[]>();
  /** Responses with HTTP 429. */
  limited = 0;

  constructor(desk: Pick<Desk, 'control'>) {
    this.#desk = desk;
  }

  /** Reads the requests since the last call. @throws Error when the exchange has dropped some of them */
  async read(): Promise<void> {
    const all = (await this.#desk.control('requests')) as readonly RequestNote[];
    const news = all.filter(({ at }) => at >= this.#last).slice(this.#atLast);
    if (news.length >= listedMax) throw new Error('some requests are not in the list any more');
    for (const { at, uid = '', operation, status } of news) {
      this.#atLast = at === this.#last ? this.#atLast + 1 : 1;
      this.#last = at;
      if (status === 429) this.limited += 1;
      if (operation !== 'futures/place-order') continue;
      this.#orders.set(uid, [...(this.#orders.get(uid) ?? []), at]);
    }
  }

  /** The most orders of one account in any second. */
  get mostInSecond(): number {
    return Math.max(0, ...[...this.#orders.values()].map(mostIn));
  }
}

function mostIn(times: readonly Millis[]): number {
  let from = 0;
  let most = 0;
  for (const [place, at] of times.entries()) {
    while ((times[from] ?? at) + second <= at) from += 1;
    most = Math.max(most, place - from + 1);
  }
  return most;
}
