/** The trading of accounts in the hours before the world's start, so that no list is empty. */
import { hour, type Millis } from '../../base/clock.ts';
import type { OrderCategory } from '../../exchange/api/vocabulary.ts';
import type { PlaceFields } from '../engine/command.ts';
import { marketOf } from '../engine/engine.ts';
import type { PositionMode } from '../engine/instrument.ts';
import { founders } from './initial-accounts.ts';
import { scaled } from './digits.ts';
import type { Market } from './markets.ts';
import { bring } from './quoter.ts';
import { settle } from './advance.ts';
import type { World } from './world.ts';

interface Deed {
  readonly before: Millis; // start of the world
  /**
   * The kind of trade: `open` and `close` a long position at market, `rest` with a limit, `cancel`
   * the resting one.
   */
  readonly kind: 'open' | 'close' | 'rest' | 'cancel';
  readonly category: OrderCategory;
  readonly symbol: string;
  readonly size: string;
}

const deed = (
  kind: Deed['kind'],
  hours: number,
  [category, symbol, size]: readonly [OrderCategory, string, string],
): Deed => ({ kind, before: hours * hour, category, symbol, size });

// No order rests on BTCUSDT, so that a new ladder there is alone in the list.
const deeds: readonly Deed[] = [
  deed('open', 10, ['USDT-FUTURES', 'BTCUSDT', '0.05']), // lasts over at least one funding
  deed('rest', 10, ['USDT-FUTURES', 'BTCUSDT', '0.02']),
  deed('cancel', 9, ['USDT-FUTURES', 'BTCUSDT', '0']),
  deed('close', 9, ['USDT-FUTURES', 'BTCUSDT', '0.03']),
  deed('open', 2, ['USDT-FUTURES', 'ETHUSDT', '1.5']),
  deed('open', 2, ['COIN-FUTURES', 'BTCUSD', '0.02']),
  deed('open', 2, ['USDC-FUTURES', 'BTCPERP', '0.02']),
  deed('open', 2, ['SPOT', 'BTCUSDT', '0.01']),
  deed('rest', 1, ['USDT-FUTURES', 'SOLUSDT', '5']),
  deed('rest', 1, ['SPOT', 'ETHUSDT', '0.5']),
];

const restingBelow = 0.92; // of the fair price: below any move of a day

/** Executes the history of every funded account, in chronological order. */
export function liveThrough(world: World): void {
  const actors = founders.filter(({ isFunded }) => isFunded);
  for (const next of deeds) {
    const at = world.origin.born - next.before;
    settle(world, at, () => undefined);
    for (const { uid, mode } of actors) act(world, next, { uid, mode, at });
  }
}

function act(
  world: World,
  { kind, category, symbol, size }: Deed,
  { uid, mode, at }: { uid: string; mode: PositionMode; at: Millis },
): void {
  if (kind === 'cancel') {
    world.command({ kind: 'cancel-all', uid, category, symbol }, at);
    return;
  }
  const market = world.market(marketOf(category), symbol);
  if (market === undefined) throw new RangeError(`no market ${symbol}`);
  bring(world, market, at);
  const resting = { orderType: 'limit', price: lowPrice(market, at) } as const;
  const terms = kind === 'rest' ? resting : ({ orderType: 'market' } as const);
  const direction = directionOf(kind, category, mode);
  world.command({ kind: 'place', uid, category, symbol, size, ...terms, ...direction }, at);
}

/**
 * The direction of an order: closing a long is `buy` with `close` in hedge mode, `sell` in one-way
 * mode.
 */
function directionOf(
  kind: Deed['kind'],
  category: OrderCategory,
  mode: PositionMode,
): Pick<PlaceFields, 'side' | 'tradeSide' | 'reduceOnly'> {
  const isFutures = category !== 'SPOT' && category !== 'MARGIN';
  if (isFutures && mode === 'hedge_mode') {
    return { side: 'buy', tradeSide: kind === 'close' ? 'close' : 'open' };
  }
  return kind === 'close' ? { side: 'sell', reduceOnly: 'YES' } : { side: 'buy' };
}

function lowPrice(market: Market, at: Millis): string {
  const ticks = Math.floor(market.ticksAt(at) * restingBelow);
  return scaled(ticks, market.instrument.priceScale);
}
