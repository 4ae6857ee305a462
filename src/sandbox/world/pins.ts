/** Prices and rates set by hand, found by their market, what they set, and the moment. */
import type { Millis } from '../../base/clock.ts';

/** `USDT-FUTURES:BTCUSDT`. */
export type MarketKey = string;

/** A price or rate set by hand, from a moment on; `null` gives it back to chance. */
export interface Pin {
  readonly market: MarketKey;
  /** The fair price, which everything follows, the mark price alone, or the funding rate. */
  readonly what: 'price' | 'mark' | 'funding';
  readonly from: Millis;
  /** In units of the price's last place, or of 10^-6 for a rate. */
  readonly ticks: number | null;
  /** Trades of accounts here up to then; a later one of the same moment has a higher number. */
  readonly trades: number;
}

type Subject = Pick<Pin, 'market' | 'what'>;

const pinsMax = 10_000; // of one subject; a price a second for three hours

/** With one more: it takes the place of one of its very moment, and of the oldest of too many. */
export function withPin(pins: readonly Pin[], pin: Pin): readonly Pin[] {
  const row = rowOf(pins, pin);
  const latest = row.at(-1);
  const isTwin = latest?.from === pin.from;
  const gone = isTwin ? latest : row.length < pinsMax ? undefined : row[0];
  return [...pins.filter((one) => one !== gone), pin];
}

/** The one in force at a moment. @param pins oldest first */
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

/** Those of one subject; a list of pins is put in order once. */
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
