/** Manual prices and rates, by market, kind and time. */
import type { Millis } from '../../base/clock.ts';

/** The name of a market, such as `USDT-FUTURES:BTCUSDT`. */
export type MarketKey = string;

/** A manual price or rate, from a time on; `null` makes it random again. */
export interface Pin {
  readonly market: MarketKey;
  /**
   * The kind of the manual value: the fair price, which everything follows, only the mark price, or
   * the funding rate.
   */
  readonly what: 'price' | 'mark' | 'funding';
  readonly from: Millis;
  /**
   * The value in units of the price's last place, or of 10^-6 for a rate; null makes it random
   * again.
   */
  readonly ticks: number | null;
  /**
   * The number of account trades until then; a later trade at the same time has a higher number.
   */
  readonly trades: number;
}

type Subject = Pick<Pin, 'market' | 'what'>;

const pinsMax = 10_000; // per market and kind; a price a second for three hours

/** Adds a pin: it replaces one of the same time, and the oldest of too many. */
export function withPin(pins: readonly Pin[], pin: Pin): readonly Pin[] {
  const row = rowOf(pins, pin);
  const latest = row.at(-1);
  const isTwin = latest?.from === pin.from;
  const gone = isTwin ? latest : row.length < pinsMax ? undefined : row[0];
  return [...pins.filter((one) => one !== gone), pin];
}

/**
 * The pin in force at a time.
 * @param pins oldest first
 */
export function pinAt(
  pins: readonly Pin[],
  { moment, ...subject }: Subject & { readonly moment: Millis },
): Pin | undefined {
  const row = rowOf(pins, subject);
  let low = 0;
  let high = row.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((row[middle]?.from ?? Infinity) <= moment) low = middle + 1;
    else high = middle;
  }
  return row[low - 1];
}

const rows = new WeakMap<readonly Pin[], Map<string, Pin[]>>();
const none: readonly Pin[] = [];

/** The pins of one market and kind; a list of pins is indexed once. */
function rowOf(pins: readonly Pin[], { market, what }: Subject): readonly Pin[] {
  if (pins.length === 0) return none;
  let known = rows.get(pins);
  if (known === undefined) {
    known = new Map();
    for (const pin of pins) {
      const name = `${pin.what} ${pin.market}`;
      const row = known.get(name);
      if (row === undefined) known.set(name, [pin]);
      else row.push(pin);
    }
    rows.set(pins, known);
  }
  return known.get(`${what} ${market}`) ?? none;
}
