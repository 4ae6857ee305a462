/** The exchange's clock, learned from its responses and advanced by the monotonic clock. */
import { minute, second, type Clock, type Millis } from '../../base/clock.ts';
import type { TimeWatch } from '../api/exchange.ts';

/** The offset of the exchange's clock to the monotonic one, from one response. */
interface Sample {
  /** The offset if the response was created right before it arrived. */
  readonly least: Millis;
  /** The offset if the response was created right after the request was sent. */
  readonly most: Millis;
  readonly receivedAt: Millis;
}

const samplesMax = 8;
const agreement: Millis = second; // responses that differ by less do not contradict each other
const shift: Millis = 5 * second; // difference of wall and monotonic clock that indicates a suspension

/**
 * The time that requests are signed with: the latest that two responses of the last minute support.
 * A slow response therefore does not set the clock back, and one response from the future does not
 * set it forward.
 */
export class Anchor {
  readonly #clock: Clock;
  readonly #watches = new Set<Watch>();
  #samples: readonly Sample[] = [];
  #ahead: Millis | undefined;
  #wallAhead: Millis = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Unix milliseconds on the exchange's clock; undefined before any response. */
  now(): Millis | undefined {
    if (this.#ahead === undefined) return undefined;
    return Math.floor(this.#clock.monotonic() + this.#ahead);
  }

  /** The exchange's time from the last response only, whether or not another response supports it. */
  latest(): Millis | undefined {
    const sample = this.#samples.at(-1);
    return sample && Math.floor(this.#clock.monotonic() + sample.least);
  }

  /** Records the time of a response; `isBinding` when the exchange has just refused a timestamp. */
  learn(
    requestTime: Millis,
    { sentAt, receivedAt }: { readonly sentAt: Millis; readonly receivedAt: Millis },
    isBinding: boolean,
  ): void {
    const sample = { least: requestTime - receivedAt, most: requestTime - sentAt, receivedAt };
    for (const watch of this.#watches) watch.take(sample);
    const recent = this.#samples.filter((one) => receivedAt - one.receivedAt <= minute);
    this.#samples = isBinding ? [sample] : [...recent, sample].slice(-samplesMax);
    this.#ahead = supported(this.#samples);
    this.#wallAhead = this.#clock.now() - this.#clock.monotonic();
  }

  /** Whether the time may be off by now: there was no response for a minute, or the machine was suspended. */
  isStale(): boolean {
    const heardAt = this.#samples.at(-1)?.receivedAt ?? -Infinity;
    return this.#clock.monotonic() - heardAt > minute || this.#hasSlept();
  }

  /** Discards earlier responses if the machine was suspended since. */
  dropIfSlept(): void {
    if (this.#hasSlept()) this.#samples = [];
  }

  /** Starts a watch that observes later responses. */
  watch(): TimeWatch {
    const watch = new Watch((ended) => this.#watches.delete(ended));
    this.#watches.add(watch);
    return watch;
  }

  #hasSlept(): boolean {
    const wallAhead = this.#clock.now() - this.#clock.monotonic();
    return Math.abs(wallAhead - this.#wallAhead) > shift;
  }
}

/** The highest offset that a second response supports; with one response, its own. */
function supported(samples: readonly Sample[]): Millis {
  const [only] = samples;
  if (only !== undefined && samples.length === 1) return only.least;
  const known = samples.filter((sample) =>
    samples.some((other) => other !== sample && other.most + agreement >= sample.least),
  );
  return Math.max(...known.map(({ least }) => least));
}

class Watch implements TimeWatch {
  readonly #onEnd: (watch: Watch) => void;
  #least = Infinity;
  #most = Infinity;
  #highest = -Infinity;

  constructor(onEnd: (watch: Watch) => void) {
    this.#onEnd = onEnd;
  }

  take({ least, most }: Sample): void {
    this.#least = Math.min(this.#least, least);
    this.#most = Math.min(this.#most, most);
    this.#highest = Math.max(this.#highest, least);
  }

  earliest(moment: Millis): Millis | undefined {
    return this.#least === Infinity ? undefined : Math.floor(moment + this.#least);
  }

  dispute(): Millis {
    const apart = this.#highest - this.#most;
    return apart > agreement ? Math.round(apart) : 0;
  }

  end(): void {
    this.#onEnd(this);
  }
}
