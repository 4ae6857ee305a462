/** Current prices of symbols: tickers of a market, read again after a few seconds. */
import { second, type Clock, type Millis } from '../../base/clock.ts';
import { messageOf } from '../../base/error.ts';
import type { Exchange, TimeWatch } from '../../exchange/api/exchange.ts';
import type { TickerCategory } from '../../exchange/api/vocabulary.ts';
import { quoteName, quotesIn, type Quote } from '../plan/observe.ts';
import { isUnreadable } from './unreadable.ts';

/**
 * Maximum age of a read when a write is sent. Markets move little in it, and twenty lanes cost one
 * request of the twenty per second that an address may send.
 */
const freshFor = 3 * second;

/** The limits of one read; a signature waits for it and is valid for ten seconds. */
const bounds = { timeoutMs: 5 * second, attempts: 2 };

/** The part of a quote that limits use. */
export type Price = Pick<Quote, 'market' | 'unpriced'>;

interface Read {
  readonly quotes: ReadonlyMap<string, Quote>;
  /** The time of the request by our clock, which does not advance during a suspension. */
  readonly askedAt: Millis;
  /** Observes the exchange's clock in later responses. */
  readonly watch: TimeWatch;
}

export class Prices {
  readonly #exchange: Exchange;
  readonly #clock: Clock;
  readonly #reads = new Map<TickerCategory, Promise<Read>>();
  readonly #watches = new Map<TickerCategory, TimeWatch>();

  /** @param exchange any account: tickers are public and equal for all */
  constructor(exchange: Exchange, clock: Clock) {
    this.#exchange = exchange;
    this.#clock = clock;
  }

  /**
   * The price of a symbol; if unknown, the reason.
   * @throws the reason of `signal` when it is aborted
   */
  async of(market: TickerCategory, symbol: string, signal: AbortSignal): Promise<Price> {
    try {
      const { quotes } = await this.#freshRead(market, signal);
      return (
        quotes.get(quoteName(market, symbol)) ?? {
          unpriced: `${market} has no ticker of ${symbol}`,
        }
      );
    } catch (error) {
      signal.throwIfAborted();
      if (!isUnreadable(error)) throw error;
      return { unpriced: `the mark price could not be read: ${messageOf(error)}` };
    }
  }

  /** Reads the prices again; one read serves all requests while it is in progress. */
  async #freshRead(market: TickerCategory, signal: AbortSignal): Promise<Read> {
    const known = this.#reads.get(market);
    if (known !== undefined) {
      const read = await known;
      if (this.#isFresh(read)) return read;
    }
    // Another waiter may already have started the next read.
    const other = this.#reads.get(market);
    if (other !== undefined && other !== known) return other;
    const reading = this.#read(market, signal);
    this.#reads.set(market, reading);
    reading.catch(() => {
      if (this.#reads.get(market) === reading) this.#reads.delete(market);
    });
    return reading;
  }

  async #read(market: TickerCategory, signal: AbortSignal): Promise<Read> {
    const askedAt = this.#clock.monotonic();
    const watch = this.#exchange.watchTime();
    this.#watches.get(market)?.end();
    this.#watches.set(market, watch);
    const options = { signal, ...bounds };
    const tickers = await this.#exchange.call('market/list-tickers', { category: market }, options);
    const time = await this.#exchange.serverTime(signal);
    return { quotes: quotesIn(market, tickers, time), askedAt, watch };
  }

  /** Whether a read is recent enough. One response from the future is enough: reading again is harmless. */
  #isFresh({ askedAt, watch }: Read): boolean {
    return this.#clock.monotonic() - askedAt <= freshFor && watch.dispute() <= freshFor;
  }
}
