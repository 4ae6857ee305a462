/** A market that moves between a plan and its run: within what may move, or beyond. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { second } from '../../src/base/clock.ts';
import { decimal, wholeDecimal } from '../../src/base/decimal.ts';
import { seededRandom, type Random } from '../../src/base/random.ts';
import { StalePlanError } from '../../src/engine/plan/stale.ts';
import type { Playbook } from '../../src/language/playbook.ts';
import { clientOf, openHarness, playbookFrom, type Harness } from './harness.ts';
import { booksOf } from './forged-scene.ts';
import { limitOrder } from './order.ts';
import { fileOf, ordersOf, reviewedOn, runFile } from './reviewed.ts';

interface Market {
  readonly symbol: string;
  /** Decimal places of its prices. */
  readonly places: number;
  /** Its lowest and highest price to begin with. */
  readonly from: readonly [number, number];
  readonly playbook: Playbook;
}

const shipped = readFileSync(
  join(import.meta.dirname, '..', '..', 'workflows', 'order-ladder.yaml'),
  'utf8',
);

const belowLast = `playbook: 1
name: below-last
steps:
  - id: market
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
  - id: bid
    for-each: [0.95, 0.96, 0.97]
    uses: futures/place-order
    with:${limitOrder({ price: '{{ floorTo (mul steps.market.response.0.lastPrice each.value) 0.1 }}' })}
`;

const markets: readonly [Market, ...Market[]] = [
  { symbol: 'ETHUSDT', places: 2, from: [1_000, 6_000], playbook: playbookFrom(shipped) },
  { symbol: 'BTCUSDT', places: 1, from: [20_000, 120_000], playbook: playbookFrom(belowLast) },
];

/** The outcome of a plan after a walk of the market. */
export interface Walked {
  readonly isWithin: boolean;
  /** What is not as it must be; empty when all is. */
  readonly wrong: readonly string[];
}

/** Plans at some price, lets the market walk, and runs the plan. */
export async function walked(seed: number): Promise<Walked> {
  const random = seededRandom(seed);
  const harness = await openHarness();
  const market = markets[random.integer(markets.length)] ?? markets[0];
  const [lowest, highest] = market.from;
  const unit = 10 ** market.places;
  let price = (lowest + random.integer(highest - lowest)) * unit + random.integer(unit);
  setPrice(harness, market, price, random);
  const was = await pricesOf(harness, market);
  const plan = await reviewedOn(harness, market.playbook);
  const stride = 0.0005 + random.next() * 0.012; // of the price, at the most
  for (let steps = 1 + random.integer(12); steps > 0; steps--) {
    harness.clock.advance((1 + random.integer(20)) * second);
    price += Math.round(price * stride * (random.next() * 2 - 1));
    setPrice(harness, market, price, random);
  }
  const is = await pricesOf(harness, market);
  const isWithin = was.every((before, at) => isNear(before, is[at] ?? ''));
  const before = new Set(await booksOf(harness));
  const refusal = await refusalOf(runFile(harness, fileOf(plan), market.playbook));
  const placed = (await booksOf(harness)).filter((order) => !before.has(order)).toSorted();
  const wanted = isWithin ? ordersOf(plan) : [];
  const wrong = [
    ...(placed.join('; ') === wanted.join('; ') ? [] : [`placed ${placed.join('; ')}`]),
    ...(isExplained(refusal, { isWithin, was, is }) ? [] : [refusal ?? 'it ran']),
  ];
  return { isWithin, wrong: wrong.map((words) => `${was.join()} to ${is.join()}: ${words}`) };
}

function setPrice(
  harness: Harness,
  { symbol, places }: Market,
  price: number,
  random: Random,
): void {
  const unit = 10 ** places;
  const apart = Math.round(price * 0.0005 * (random.next() * 2 - 1));
  harness.sandbox.control('POST', 'market', {
    category: 'USDT-FUTURES',
    symbol,
    price: (price / unit).toFixed(places),
    mark: ((price + apart) / unit).toFixed(places),
  });
}

/** Last price and mark price, as the exchange shows them. */
async function pricesOf(harness: Harness, { symbol }: Market): Promise<readonly string[]> {
  const category = 'USDT-FUTURES';
  const [ticker] = await clientOf(harness).call('market/list-tickers', { category, symbol });
  return [ticker?.lastPrice, ticker?.markPrice].map(String);
}

/** 1 % is what a profile allows that does not say. */
function isNear(was: string, is: string): boolean {
  const moved = decimal(is).minus(decimal(was)).abs();
  return moved.times(wholeDecimal(100)).lte(decimal(was));
}

async function refusalOf(running: Promise<unknown>): Promise<string | undefined> {
  try {
    await running;
    return undefined;
  } catch (error) {
    if (error instanceof StalePlanError) return error.message;
    throw error;
  }
}

/** A refusal names a price that moved too far, as it was and as it is. */
function isExplained(
  refusal: string | undefined,
  { isWithin, was, is }: { isWithin: boolean; was: readonly string[]; is: readonly string[] },
): boolean {
  if (isWithin || refusal === undefined) return isWithin && refusal === undefined;
  return was.some((before, at) => refusal.includes(`was ${before} and is ${is[at] ?? ''} (`));
}
