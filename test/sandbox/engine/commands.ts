/** Random commands for property tests: few prices, few accounts, little money, so that all meet. */
import fc from 'fast-check';
import type { Command } from '../../../src/sandbox/engine/command.ts';
import { createEngine } from '../../../src/sandbox/engine/create.ts';
import type { Engine } from '../../../src/sandbox/engine/engine.ts';
import { btc, coin, delivered, eth, spot, start } from './support.ts';

/** Small positions reach the second tier. */
const tiers = [
  { from: '0', rate: '0.005' },
  { from: '400', rate: '0.02' },
];

/** A command, and how long after the one before. */
export interface Timed {
  readonly command: Command;
  readonly after: number;
}

const oneWay = ['10', '11', '12'];
const hedged = ['20', '21'];
const uids = [...oneWay, ...hedged, '90'];

/** The exchange every run begins with. */
export function beginning(): Command[] {
  const opened = uids.map((uid): Command => {
    const mode = hedged.includes(uid) ? 'hedge_mode' : 'one_way_mode';
    return {
      kind: 'open-account',
      uid,
      accountKind: uid === '90' ? 'maker' : 'main',
      positionModes: { 'USDT-FUTURES': mode, 'COIN-FUTURES': mode },
    };
  });
  const money = uids.flatMap((uid, place): Command[] => [
    credit(uid, 'USDT-FUTURES', 'USDT', place === 5 ? '100000' : String(20 + 60 * place)),
    credit(uid, 'COIN-FUTURES', 'BTC', '3'),
    credit(uid, 'SPOT', 'USDT', '500'),
    credit(uid, 'SPOT', 'BTC', '5'),
  ]);
  return [
    { kind: 'list-instrument', instrument: { ...btc, tiers }, price: '100' },
    { kind: 'list-instrument', instrument: { ...eth, tiers }, price: '100' },
    { kind: 'list-instrument', instrument: { ...coin, tiers }, price: '100' },
    { kind: 'list-instrument', instrument: { ...delivered, tiers }, price: '100' },
    { kind: 'list-instrument', instrument: spot },
    ...opened,
    ...money,
    { kind: 'fund-reserve', productType: 'USDT-FUTURES', coin: 'USDT', amount: '30' },
  ];
}

function credit(
  uid: string,
  walletType: 'USDT-FUTURES' | 'COIN-FUTURES' | 'SPOT',
  coinName: string,
  amount: string,
): Command {
  return { kind: 'credit', uid, walletType, coin: coinName, amount };
}

const uid = fc.constantFrom(...uids);
const market = fc.constantFrom(
  { category: 'USDT-FUTURES', symbol: 'BTCUSDT' } as const,
  { category: 'USDT-FUTURES', symbol: 'BTCUSDT' } as const,
  { category: 'USDT-FUTURES', symbol: 'BTCUSDT' } as const,
  { category: 'USDT-FUTURES', symbol: 'BTCUSDT' } as const,
  { category: 'USDT-FUTURES', symbol: 'ETHUSDT' } as const,
  { category: 'USDT-FUTURES', symbol: 'ETHUSDT' } as const,
  { category: 'COIN-FUTURES', symbol: 'BTCUSD' } as const,
  { category: 'USDT-FUTURES', symbol: 'BTCUSDT_D' } as const,
  { category: 'SPOT', symbol: 'BTCUSDT' } as const,
);
const price = fc.integer({ min: 850, max: 1150 }).map((ticks) => (ticks / 10).toFixed(1));
const nearPrice = fc.integer({ min: 996, max: 1004 }).map((ticks) => (ticks / 10).toFixed(1));
const size = fc.integer({ min: 1, max: 60 }).map((tenths) => (tenths / 10).toFixed(1));
const side = fc.constantFrom('buy' as const, 'sell' as const);

const placing = fc
  .record({
    uid,
    market,
    side,
    size,
    price: fc.oneof(nearPrice, nearPrice, price),
    force: fc.constantFrom('gtc', 'gtc', 'gtc', 'gtc', 'gtc', 'ioc', 'fok', 'post_only' as const),
    stpMode: fc.constantFrom(
      'none',
      'none',
      'none',
      'cancel_taker',
      'cancel_maker',
      'cancel_both' as const,
    ),
    orderType: fc.constantFrom('limit', 'limit', 'limit', 'market' as const),
    strays: fc.integer({ min: 0, max: 9 }),
    closes: fc.integer({ min: 0, max: 2 }),
    guards: fc.integer({ min: 0, max: 5 }),
  })
  .map(({ market: { category, symbol }, closes, guards, strays, ...order }): Command => {
    const isIsolated = (symbol === 'ETHUSDT') !== (strays === 0);
    const isHedge = hedged.includes(order.uid) && category !== 'SPOT';
    const isUp = order.side === 'buy';
    return {
      kind: 'place',
      category,
      symbol,
      ...order,
      marginMode: isIsolated ? 'isolated' : 'crossed',
      ...(isHedge && { tradeSide: closes === 0 ? 'close' : 'open' }),
      ...(!isHedge && closes === 0 && { reduceOnly: 'YES' }),
      ...(guards === 0 && {
        presetStopSurplusPrice: isUp ? '104.0' : '96.0',
        presetStopLossPrice: isUp ? '97.0' : '103.0',
        presetStopSurplusExecutePrice: isUp ? '103.0' : '97.0',
      }),
    };
  });

const futures = market.filter(({ category }) => category !== 'SPOT');
const leverage = fc.constantFrom('1', '5', '20', '100');

const pricing: fc.Arbitrary<Command> = fc
  .record({ market: futures, mark: fc.oneof(nearPrice, price) })
  .map(({ market: { category, symbol }, mark }) => {
    return { kind: 'set-price', category, symbol, mark, index: mark };
  });

const other: fc.Arbitrary<Command> = fc.oneof(
  fc
    .integer({ min: 1, max: 60 })
    .map((count): Command => ({ kind: 'cancel', orderId: `13${String(count).padStart(17, '0')}` })),
  uid.map((who): Command => ({ kind: 'cancel-all', uid: who, category: 'SPOT' })),
  fc.constant<Command>({ kind: 'cancel-all', uid: '90', symbol: 'ETHUSDT' }),
  fc.record({
    kind: fc.constant('set-all-leverage' as const),
    uid,
    productType: fc.constant('USDT-FUTURES' as const),
    leverage,
  }),
  fc
    .record({ uid, market: futures, leverage })
    .map(({ uid: who, market: { category, symbol }, leverage: times }): Command => ({
      kind: 'set-leverage',
      uid: who,
      category,
      symbol,
      leverage: times,
    })),
  fc
    .record({ uid, market: futures, amount: fc.constantFrom('3', '-2') })
    .map(({ uid: who, market: { category, symbol }, amount }): Command => ({
      kind: 'adjust-margin',
      uid: who,
      category,
      symbol,
      amount,
    })),
  fc
    .record({ market: futures, rate: fc.constantFrom('0.0001', '-0.000333', '0') })
    .map(({ market: { category, symbol }, rate }): Command => ({
      kind: 'set-funding-rate',
      category,
      symbol,
      rate,
    })),
  fc.record({ uid, amount: fc.constantFrom('5', '40') }).map(({ uid: who, amount }): Command => ({
    kind: 'transfer',
    uid: who,
    from: 'SPOT',
    to: 'USDT-FUTURES',
    coin: 'USDT',
    amount,
  })),
  fc.constantFrom<Command[]>(
    { kind: 'configure', matchDelayMs: 0 },
    { kind: 'configure', matchDelayMs: 40 },
  ),
  fc.constant<Command>({ kind: 'advance' }),
);

const line = fc.constantFrom('USDT-FUTURES' as const, 'COIN-FUTURES' as const);

/** What happens seldom: deliveries, also those called off, other modes, other wallets. */
const rare: fc.Arbitrary<Command> = fc.oneof(
  fc
    .record({
      market: futures,
      status: fc.constantFrom('', '', '', 'delivery_before', 'delivery_period' as const),
    })
    .map(({ market: { category, symbol }, status }): Command => ({
      kind: 'set-delivery-status',
      category,
      symbol,
      status,
    })),
  fc.constant<Command>({ kind: 'deliver', category: 'USDT-FUTURES', symbol: 'ETHUSDT' }),
  fc.record({
    kind: fc.constant('set-position-mode' as const),
    uid,
    productTypes: line.map((one) => [one]),
    positionMode: fc.constantFrom('one_way_mode' as const, 'hedge_mode' as const),
  }),
  fc.record({
    kind: fc.constant('credit' as const),
    uid,
    walletType: fc.constantFrom('USDT-FUTURES' as const, 'MARGIN' as const),
    coin: fc.constant('USDT'),
    amount: fc.constantFrom('-5', '-140', '90'),
  }),
  fc.record({
    kind: fc.constant('place' as const),
    category: fc.constant('MARGIN' as const),
    symbol: fc.constant('BTCUSDT'),
    orderType: fc.constantFrom('limit' as const, 'market' as const),
    uid,
    side,
    size,
    price: nearPrice,
  }),
);

/** A step of a random history. */
export const timed: fc.Arbitrary<Timed> = fc.record({
  command: fc.oneof(
    { weight: 14, arbitrary: placing },
    { weight: 2, arbitrary: pricing },
    { weight: 2, arbitrary: other },
    { weight: 1, arbitrary: rare },
  ),
  after: fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: 0, max: 100 }) },
    { weight: 1, arbitrary: fc.constantFrom(600_000, 3_600_000, 28_800_000) },
  ),
});

/** A new engine after the beginning. */
export function begun(): Engine {
  const engine = createEngine();
  for (const command of beginning()) engine.apply(command, start);
  return engine;
}
