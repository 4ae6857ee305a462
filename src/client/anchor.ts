/** The exchange's clock, learned from its answers and carried on by our monotonic one. */
import { minute, type Clock, type Millis } from '../base/clock.ts';
import { classOf } from '../contract/errors.ts';
import type { Layer } from './layers/layer.ts';

/**
 * An answer proves a lower bound: the exchange's time was `requestTime` before the answer came.
 * The highest bound of the last minute is kept, so that a slow answer does not set the clock back.
 */
export class Anchor {
  readonly #clock: Clock;
  #ahead: Millis | undefined;
  #learnedAt: Millis = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Unix milliseconds on the exchange's clock, never ahead of it; undefined before any answer. */
  now(): Millis | undefined {
    if (this.#ahead === undefined) return undefined;
    return Math.floor(this.#clock.monotonic() + this.#ahead);
  }

  /** Takes an answer's time in; `isBinding` when the exchange has just refused our idea of it. */
  learn(requestTime: Millis, receivedAt: Millis, isBinding: boolean): void {
    const ahead = requestTime - receivedAt;
    const isStale = receivedAt - this.#learnedAt > minute;
    if (!isBinding && !isStale && this.#ahead !== undefined && ahead <= this.#ahead) return;
    this.#ahead = ahead;
    this.#learnedAt = receivedAt;
  }
}

/** Learns from every answer that passes. */
export function anchoring(anchor: Anchor): Layer {
  return (next) => async (attempt) => {
    const answer = await next(attempt);
    if (answer.content.kind === 'envelope') {
      const { code, requestTime } = answer.content.envelope;
      anchor.learn(requestTime, answer.receivedAt, classOf(code) === 'clock');
    }
    return answer;
  };
}
