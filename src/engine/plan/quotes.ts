/** The quotes of a plan's orders compared with current ones; mark prices are compared elsewhere. */
import { movedWords, type Difference } from './moved.ts';
import type { Quote } from './observe.ts';
import type { RecordedQuote, Plan } from './plan.ts';
import type { Fresh } from './recorded.ts';
import { isNearNumber } from './values.ts';

/** @param move how far a number may have moved, as a ratio */
export function quotesMoved(
  { quotes: recorded, marks }: Plan,
  { quotes }: Fresh,
  move: string,
): readonly Difference[] {
  return Object.entries(recorded).flatMap(([symbol, quote]) => {
    const now = quotes.get(symbol);
    if (now === undefined) return [{ what: symbol, was: 'quoted', is: 'not there' }];
    const { bid, ask } = now.market ?? {};
    return [
      ...moved(`the best bid of ${symbol}`, quote.bid, bid, move),
      ...moved(`the best ask of ${symbol}`, quote.ask, ask, move),
      ...(Object.hasOwn(marks, symbol) ? [] : unmarked(symbol, now)),
      ...placesMoved(symbol, quote, now),
    ];
  });
}

function moved(
  what: string,
  was: string | undefined,
  is: string | undefined,
  move: string,
): readonly Difference[] {
  if (was === undefined || (is !== undefined && isNearNumber(was, is, move))) return [];
  return [{ what, was, is: movedWords(was, is ?? 'not there', move) }];
}

/**
 * The difference if a symbol got a mark price. A plan without one has no limit on its move: it is valid
 * only while there is none.
 */
function unmarked(symbol: string, { market }: Quote): readonly Difference[] {
  if (market === undefined) return [];
  return [{ what: `the mark price of ${symbol}`, was: 'not there', is: market.mark }];
}

const placesMax = 2; // the exchange omits trailing zeros

/** The quote precision of a symbol differs from the plan: its notes would differ. */
function placesMoved(
  symbol: string,
  { places }: RecordedQuote,
  { priceScale, sizeScale }: Quote,
): readonly Difference[] {
  const { price, size } = places ?? { price: priceScale, size: sizeScale };
  if (Math.max(Math.abs(price - priceScale), Math.abs(size - sizeScale)) <= placesMax) return [];
  const [was, is] = [`${price} and ${size}`, `${priceScale} and ${sizeScale}`];
  return [{ what: `the decimal places of ${symbol}`, was, is }];
}
