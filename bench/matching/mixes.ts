/** Orders and cancellations to match, in whole ticks and lots; every mix is the same each time. */
import { seededRandom, type Random } from '../../src/base/random.ts';

type Side = 'buy' | 'sell';

/** An order's number is its place among the orders, from 1. */
export type Operation =
  | { readonly kind: 'limit'; readonly side: Side; readonly ticks: number; readonly lots: number }
  | { readonly kind: 'market'; readonly side: Side; readonly lots: number }
  | { readonly kind: 'cancel'; readonly order: number };

/** The peer's own benchmark: every order at its own price. */
export function newPrices(count: number): Operation[] {
  return Array.from({ length: count }, (_, at) => limit('buy', at + 1, 50));
}

/** The peer's own benchmark: prices around a middle, every fifth order cancelled. */
export function orderedAndCancelled(count: number): Operation[] {
  const random = seededRandom(count);
  return Array.from({ length: count }, (_, at) => {
    const order = limit('buy', around(5_000, 55, random), 50);
    return at % 5 === 4 ? [order, { kind: 'cancel', order: at - 3 } as const] : [order];
  }).flat();
}

/** The peer's own benchmark: every order answered by a market order of half its size. */
export function orderedAndSold(count: number): Operation[] {
  const random = seededRandom(count);
  return Array.from({ length: count }, () => [
    limit('buy', around(5_000, 45, random), 100),
    { kind: 'market', side: 'sell', lots: around(50, 3, random) } as const,
  ]).flat();
}

/** A market as markets are: both sides quoted; nine of ten orders are cancelled, one trades. */
export function quoted(
  count: number,
  { resting, spread }: { readonly resting: number; readonly spread: number },
): Operation[] {
  const random = seededRandom(count + resting);
  const middle = 10_000;
  const operations: Operation[] = [];
  const open: number[] = [];
  let orders = 0;
  const order = (away: (side: Side) => number, lots: number): void => {
    const side = random.next() < 0.5 ? 'buy' : 'sell';
    operations.push(
      limit(side, side === 'buy' ? middle - away(side) : middle + 1 + away(side), lots),
    );
    orders++;
  };
  const quote = (): void => {
    order(() => Math.abs(around(0, spread, random)), 1 + random.integer(100));
    open.push(orders);
  };
  while (open.length < resting) quote();
  while (operations.length < resting + count) {
    const chance = random.next();
    if (chance < 0.45) quote();
    else if (chance < 0.9) operations.push({ kind: 'cancel', order: taken(open, random) });
    else order(() => -Math.round(spread / 4), 1 + random.integer(150));
  }
  return operations;
}

/**
 * Of everything something, and a book that gains depth: of ten operations five are orders that rest near a
 * wandering middle, one is an order that crosses it, one a market order, and three are
 * cancellations of orders whose fate their owner does not know.
 * @param spread how far, in ticks, orders rest from the middle: the fewer, the more at one price
 */
export function mixed(count: number, { spread }: { readonly spread: number }): Operation[] {
  const random = seededRandom(count);
  const operations: Operation[] = [];
  const placed: number[] = [];
  let middle = 10_000;
  let orders = 0;
  for (let at = 0; at < count; at++) {
    if (at % 1_000 === 0) middle += around(0, 5, random);
    const chance = at < 1_000 ? 1 : random.next(); // a market has quotes before it trades
    if (chance < 0.3 && placed.length > 0) {
      operations.push({ kind: 'cancel', order: taken(placed, random) });
      continue;
    }
    orders++;
    const side = random.next() < 0.5 ? 'buy' : 'sell';
    const sign = side === 'buy' ? -1 : 1;
    const lots = 1 + random.integer(100);
    if (chance < 0.4) {
      operations.push({ kind: 'market', side, lots });
    } else if (chance < 0.5) {
      operations.push(limit(side, middle - sign * random.integer(spread), lots));
    } else {
      operations.push(limit(side, middle + sign * (1 + Math.abs(around(0, spread, random))), lots));
      placed.push(orders);
    }
  }
  return operations;
}

/** One price with many orders, swept by one. */
export function swept(count: number): Operation[] {
  const resting = Array.from({ length: count }, () => limit('sell', 5_000, 1));
  return [...resting, { kind: 'market', side: 'buy', lots: count }];
}

function limit(side: Side, ticks: number, lots: number): Operation {
  return { kind: 'limit', side, ticks, lots };
}

/** A bell of whole numbers, by twelve draws. */
function around(mean: number, spread: number, random: Random): number {
  let sum = 0;
  for (let draw = 0; draw < 12; draw++) sum += random.next();
  return Math.round(mean + (sum - 6) * spread);
}

function taken(list: number[], random: Random): number {
  const place = random.integer(list.length);
  const [last = 0] = list.splice(-1);
  if (place === list.length) return last;
  const chosen = list[place] ?? 0;
  list[place] = last;
  return chosen;
}
