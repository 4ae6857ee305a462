/** A small exchange for tests: a few symbols, accounts with money, short ways to trade. */
import type {
  Answer,
  Command,
  CommandKind,
  PlaceFields,
} from '../../../src/sandbox/engine/command.ts';
import { createEngine } from '../../../src/sandbox/engine/create.ts';
import type { Engine } from '../../../src/sandbox/engine/engine.ts';
import type {
  AccountKind,
  Instrument,
  PositionMode,
} from '../../../src/sandbox/engine/instrument.ts';
import type { OrderView } from '../../../src/sandbox/engine/view.ts';

export const start = Date.UTC(2024, 0, 10, 12, 30);

export const btc: Instrument = {
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  baseCoin: 'BTC',
  quoteCoin: 'USDT',
  marginCoin: 'USDT',
  priceScale: 1,
  priceStep: 1,
  sizeScale: 3,
  sizeStep: 1,
  sizeMin: '0.001',
  sizeMax: '1000',
  notionalMin: '5',
  leverageMax: 100,
  leverageInitial: 10,
  tiers: [
    { from: '0', rate: '0.005' },
    { from: '50000', rate: '0.02' },
  ],
  makerFee: '0.0002',
  takerFee: '0.0006',
};

export const eth: Instrument = {
  ...btc,
  symbol: 'ETHUSDT',
  baseCoin: 'ETH',
  sizeScale: 2,
  sizeMin: '0.01',
};

export const coin: Instrument = {
  ...btc,
  category: 'COIN-FUTURES',
  symbol: 'BTCUSD',
  quoteCoin: 'USD',
  marginCoin: 'BTC',
};

export const delivered: Instrument = {
  ...btc,
  symbol: 'BTCUSDT_D',
  delivery: { startTime: start + 3_600_000, time: start + 7_200_000 },
};

export const spot: Instrument = {
  ...btc,
  category: 'SPOT',
  leverageMax: 1,
  leverageInitial: 1,
  tiers: [],
  makerFee: '0.0005',
  takerFee: '0.001',
};

export interface TestEngine {
  readonly engine: Engine;
  /** Does a command; throws what it is refused with. */
  readonly act: <K extends CommandKind>(command: Command<K>) => Answer<K>;
  /** The code a command is refused with. */
  refusal(command: Command): string;
  place(uid: string, order: Partial<PlaceFields> & { readonly size: string }): Answer<'place'>;
  /** Lets time pass. */
  wait(ms: number): void;
  now(): number;
  open(uid: string): OrderView[];
  closed(uid: string): OrderView[];
}

export function testEngine(instruments: readonly Instrument[] = [btc]): TestEngine {
  const engine = createEngine();
  let now = start;
  const apply = <K extends CommandKind>(command: Command<K>) => engine.apply(command, now).reply;
  const act = <K extends CommandKind>(command: Command<K>): Answer<K> => {
    const reply = apply(command);
    if (reply.kind === 'refused') throw new Error(`${reply.code} ${reply.message}`);
    return reply.data;
  };
  for (const instrument of instruments) {
    const price = instrument.category === 'SPOT' ? {} : { price: '100' };
    act({ kind: 'list-instrument', instrument, ...price });
  }
  return {
    engine,
    act,
    refusal: (command) => {
      const reply = apply(command);
      return reply.kind === 'refused' ? reply.code : 'done';
    },
    place: (uid, order) => act(placing(uid, order)),
    wait: (ms) => {
      now += ms;
      engine.apply({ kind: 'advance' }, now);
    },
    now: () => now,
    open: (uid) => [...engine.openOrders(uid)],
    closed: (uid) => [...engine.closedOrders(uid)],
  };
}

/** A limit order to buy BTCUSDT at 100, by default. */
export function placing(
  uid: string,
  order: Partial<PlaceFields> & { readonly size: string },
): Command<'place'> {
  const { orderType = 'limit', ...fields } = order;
  return {
    kind: 'place',
    uid,
    category: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    side: 'buy',
    orderType,
    ...(orderType === 'limit' && { price: '100' }),
    ...fields,
  };
}

/** Opens an account with 10,000 of each coin in each walletType it may need. */
export function funded(
  { act }: TestEngine,
  uid: string,
  options: { mode?: PositionMode; kind?: AccountKind; amount?: string } = {},
): void {
  const { mode = 'one_way_mode', kind = 'main', amount = '10000' } = options;
  act({
    kind: 'open-account',
    uid,
    accountKind: kind,
    positionModes: { 'USDT-FUTURES': mode, 'COIN-FUTURES': mode },
  });
  act({ kind: 'credit', uid, walletType: 'USDT-FUTURES', coin: 'USDT', amount });
  act({ kind: 'credit', uid, walletType: 'COIN-FUTURES', coin: 'BTC', amount });
  act({ kind: 'credit', uid, walletType: 'SPOT', coin: 'USDT', amount });
  act({ kind: 'credit', uid, walletType: 'SPOT', coin: 'BTC', amount });
}

/** Position sizes as text: `long 0.070`. */
export function positions({ engine }: TestEngine, uid: string): string[] {
  return engine.positions(uid).map(({ holdSide, size }) => `${holdSide} ${size}`);
}

/** The book as people read it, best prices in the middle. */
export function ladder({ engine }: TestEngine, symbol = 'BTCUSDT'): string {
  const { bids, asks } = engine.depth('USDT-FUTURES', symbol, 10);
  const row = (side: string) => (level: { price: string; size: string }) =>
    `${side} ${level.price}  ${level.size}`;
  return [...asks.map(row('ask')).toReversed(), '---', ...bids.map(row('bid'))].join('\n');
}
