/** What symbols trade at right now: tickers of a product type, read again when they are a few seconds old. */
import { second, type Clock, type Millis } from '../base/clock.ts';
import { messageOf } from '../base/error.ts';
import type { Exchange, TimeWatch } from '../api/exchange.ts';
import type { ProductType } from '../api/vocabulary.ts';
import { quotesIn, type Quote } from '../plan/observe.ts';
import { isUnreadable } from './unreadable.ts';

/**
 * How old a read may be when a write leaves. Markets move little in it, and twenty lanes that ask
 * all the time cost one request of the twenty a second that an address may make.
 */
const freshFor = 3 * second;

/** Of one read; a signature waits for it meanwhile, and is good for ten seconds. */
const bounds = { timeoutMs: 5 * second, attempts: 2 };

/** The part of a quote that limits look at. */
export type Price = Pick<Quote, 'market' | 'unpriced'>;

interface Read {
  readonly quotes: ReadonlyMap<string, Quote>;
  /** When it was asked for, by our clock, which no sleep of the machine moves. */
  readonly askedAt: Millis;
  /** What answers said of the exchange's clock since then. */
  readonly watch: TimeWatch;
}

export class Prices {
  readonly #exchange: Exchange;
  readonly #clock: Clock;
  readonly #reads = new Map<ProductType, Promise<Read>>();
  readonly #watches = new Map<ProductType, TimeWatch>();

  /** @param exchange any account will do: tickers are public, and the same for all */
  constructor(exchange: Exchange, clock: Clock) {
    this.#exchange = exchange;
    this.#clock = clock;
  }

  /**
   * What a symbol trades at; when it cannot be known, why not.
   * @throws the reason of `signal` when it is aborted
   */
  async of(productType: ProductType, symbol: string, signal: AbortSignal): Promise<Price> {
    try {
      const { quotes } = await this.#freshRead(productType, signal);
      return (
        quotes.get(symbol.toUpperCase()) ?? {
          unpriced: `${productType} has no ticker of ${symbol}`,
        }
      );
    } catch (error) {
      signal.throwIfAborted();
      if (!isUnreadable(error)) throw error;
      return { unpriced: `the mark price could not be read: ${messageOf(error)}` };
    }
  }

  /** One read serves all who ask while it is in progress. */
  async #freshRead(productType: ProductType, signal: AbortSignal): Promise<Read> {
    const known = this.#reads.get(productType);
    if (known !== undefined) {
      const read = await known;
      if (this.#isFresh(read)) return read;
    }
    // Whoever waited next to us may have begun the next read already.
    const other = this.#reads.get(productType);
    if (other !== undefined && other !== known) return other;
    const reading = this.#read(productType, signal);
    this.#reads.set(productType, reading);
    reading.catch(() => {
      if (this.#reads.get(productType) === reading) this.#reads.delete(productType);
    });
    return reading;
  }

  async #read(productType: ProductType, signal: AbortSignal): Promise<Read> {
    const askedAt = this.#clock.monotonic();
    const watch = this.#exchange.watchTime();
    this.#watches.get(productType)?.end();
    this.#watches.set(productType, watch);
    const options = { signal, ...bounds };
    const tickers = await this.#exchange.call(
      'market/list-tickers',
      { category: productType },
      options,
    );
    const time = await this.#exchange.serverTime(signal);
    return { quotes: quotesIn(tickers, time), askedAt, watch };
  }

  /** One answer from the future is enough: to read again harms no one. */
  #isFresh({ askedAt, watch }: Read): boolean {
    return this.#clock.monotonic() - askedAt <= freshFor && watch.dispute() <= freshFor;
  }
}
