/** The duration of a call, without its wait for a rate limit slot. */
import type { Clock, Millis } from '../../base/clock.ts';

export class Stopwatch {
  readonly #clock: Clock;
  #startedAt: Millis;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAt = clock.monotonic();
  }

  elapsed(): Millis {
    return this.#clock.monotonic() - this.#startedAt;
  }

  /** Awaits a promise without counting its duration. */
  async without<T>(waiting: Promise<T>): Promise<T> {
    const since = this.#clock.monotonic();
    try {
      return await waiting;
    } finally {
      this.#startedAt += this.#clock.monotonic() - since;
    }
  }
}
