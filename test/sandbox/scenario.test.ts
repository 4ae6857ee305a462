/** Scenarios: a rehearsal's whole setting in one paper, checked before anything is done. */
import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { day, minute, standingClock, type StandingClock } from '../../src/base/clock.ts';
import type { OperationName } from '../../src/exchange/api/operations/index.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { askIn, marketOrder, opened, unsigned, type Answer } from './support.ts';

const born = Date.UTC(2026, 10, 21, 4, 0, 0);
let clock: StandingClock;
let sandbox: Sandbox;

beforeEach(async () => {
  clock = standingClock(born);
  sandbox = await openSandbox({ clock });
});

const load = (scenario: object) => sandbox.control('POST', 'scenario', { version: 1, ...scenario });

const ask = (role: keyof Sandbox['accounts'], name: OperationName, input: object): Answer =>
  askIn(sandbox, role, name, input);

const instrument = {
  category: 'USDT-FUTURES',
  symbol: 'PEPEUSDT',
  baseCoin: 'PEPE',
  quoteCoin: 'USDT',
  price: '0.012',
  priceScale: 6,
  sizeScale: 0,
  priceBand: '0.05',
};
const order = { ...marketOrder, symbol: 'PEPEUSDT', orderType: 'limit', size: '1000' };

test('a funding rate set by hand can be made random again', () => {
  const rate = (): number => {
    const tickers = unsigned('market/list-tickers', {
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
    });
    return Number(Object(opened(sandbox.handle(tickers)).data)[0].fundingRate);
  };
  const market = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' };
  const before = rate();
  load({ market: [{ ...market, fundingRate: '-0.0123' }] });
  expect(rate()).toBe(-0.0123);
  load({ market: [{ ...market, fundingRate: null }] });
  expect(rate()).toBe(before);
});

test('a listed symbol is quoted and traded, and keeps its price band', () => {
  load({ instruments: [instrument] });
  const tickers = unsigned('market/list-tickers', { category: 'USDT-FUTURES', symbol: 'PEPEUSDT' });
  const [ticker] = Object(opened(sandbox.handle(tickers)).data);
  expect(Number(ticker.markPrice)).toBeCloseTo(0.012, 2);
  expect(Number(ticker.ask1Price)).toBeGreaterThan(0);
  const place = (changes: object): string =>
    ask('oneway', 'futures/place-order', { ...order, ...changes }).code;
  const at = (factor: number): string => (Number(ticker.markPrice) * factor).toFixed(6);
  expect(place({ price: at(1.02) })).toBe('00000');
  expect(place({ price: at(1.06) })).toBe('22006');
  expect(place({ side: 'sell', price: at(0.94) })).toBe('22007');
  expect(place({ orderType: 'market' })).toBe('00000');
  expect(sandbox.control('GET', 'invariants')).toEqual([]);
});

test('a listed symbol keeps its steps in quotes, mark prices, public trades and prices set by hand', () => {
  const steps = { priceScale: 2, priceStep: 5, sizeScale: 1, sizeStep: 7, sizeMax: '100' };
  load({ instruments: [{ ...instrument, ...steps, price: '50' }] });
  const market = { category: 'USDT-FUTURES', symbol: 'PEPEUSDT' };
  const isOn = (step: number, places: number) => (text: string) =>
    Math.round(Number(text) * 10 ** places) % step === 0;
  const set = (price: string) => sandbox.control('POST', 'market', { ...market, price });
  for (let seconds = 0; seconds < 20; seconds++) {
    clock.advance(7_000);
    expect(
      ask('oneway', 'futures/place-order', { ...order, orderType: 'market', size: '0.7' }),
    ).toMatchObject({ code: '00000' });
    const [ticker] = Object(opened(sandbox.handle(unsigned('market/list-tickers', market))).data);
    const { lastPrice, markPrice, ask1Price, bid1Price, ask1Size, bid1Size } = ticker;
    expect([lastPrice, markPrice, ask1Price, bid1Price].filter(isOn(5, 2))).toHaveLength(4);
    expect([ask1Size, bid1Size].filter(isOn(7, 1))).toHaveLength(2);
  }
  const productType = 'USDT-FUTURES';
  const fills = unsigned('market/list-fills', { productType, symbol: 'PEPEUSDT', limit: '50' });
  const rows: { price: string; size: string }[] = Object(opened(sandbox.handle(fills)).data);
  expect(rows.filter(({ price, size }) => isOn(5, 2)(price) && isOn(7, 1)(size))).toHaveLength(50);
  expect(() => set('60.01')).toThrow('price');
  set('90');
  expect(sandbox.control('GET', 'invariants')).toEqual([]);
});

test('a symbol with a tiny price has a counterparty', () => {
  load({ instruments: [{ ...instrument, price: '0.000001', priceScale: 8 }] });
  const large = { ...order, orderType: 'market', size: '9000000' };
  expect(ask('oneway', 'futures/place-order', large)).toMatchObject({ code: '00000' });
});

test.each([
  ['a price below its steps', { price: '0.0000001' }],
  ['a price no clock could show', { price: '9'.repeat(40) }],
  ['more places than money has', { price: '1', priceScale: 8, sizeScale: 8 }],
  ['a size below nothing', { sizeMin: '-1' }],
])('a symbol of %s is not listed', (_what, wrong) => {
  const before = sandbox.control('GET', 'hash');
  expect(() => load({ instruments: [{ ...instrument, ...wrong }] })).toThrow();
  expect(sandbox.control('GET', 'hash')).toEqual(before);
  const all = unsigned('market/list-tickers', { category: 'USDT-FUTURES' });
  expect(opened(sandbox.handle(all)).code).toBe('00000');
});

test('an existing symbol is not listed again', () => {
  expect(() => load({ instruments: [{ ...instrument, symbol: 'BTCUSDT' }] })).toThrow(
    'USDT-FUTURES:BTCUSDT already exists',
  );
  load({ instruments: [instrument] });
  expect(() => load({ instruments: [instrument] })).toThrow('already exists');
});

test('its customers are in the agent’s lists with their trades and balances', () => {
  const volumes = [
    { time: String(born - 2 * day), volumn: '10.50' },
    { time: String(born - 2 * day + minute), volumn: '2' },
  ];
  const referral = { agent: sandbox.accounts.agent.uid, uid: '42', referralCode: 'spring' };
  load({
    referrals: [{ ...referral, registerTime: born - 5 * day, balance: '77.10', volumes }],
  });
  const window = { startTime: String(born - 6 * day), endTime: String(born) };
  const list = (name: OperationName, input: object) => ask('agent', name, input).data;
  expect(list('agent/list-customers', { ...window, referralCode: 'spring' })).toEqual([
    { uid: '42', registerTime: String(born - 5 * day) },
  ]);
  expect(list('agent/list-trade-volume', { ...window, uid: '42' })).toMatchObject([
    { uid: '42', volumn: '12.50' },
  ]);
  expect(list('agent/list-assets', { uid: '42' })).toMatchObject([{ balance: '77.10' }]);
  expect(Object(list('agent/list-assets', {})).length).toBeGreaterThan(20); // next to the others
});

test('a customer may have more than a number can represent', () => {
  const referral = { agent: sandbox.accounts.agent.uid, uid: '42', registerTime: born - 5 * day };
  load({ referrals: [{ ...referral, balance: `1${'0'.repeat(30)}` }] });
  const { data } = ask('agent', 'agent/list-assets', { uid: '42' });
  expect(data).toMatchObject([{ balance: expect.stringMatching(/^1\d{30}\.\d\d$/) }]);
});

test('loans, loan products and P2P records are listed with the generated ones, in order', () => {
  const { uid } = sandbox.accounts.oneway;
  const loan = {
    orderId: '9',
    orderProductId: '7',
    uid,
    loanTime: String(born - day),
    loanCoin: 'USDT',
    loanAmount: '5',
    unpaidAmount: '5',
    unpaidInterest: '0',
    repaidAmount: '0',
    repaidInterest: '0',
    status: 'not_paid_off',
  };
  const product = {
    productId: '7',
    spotSymbols: [],
    usdtContractLeverage: '3',
    coinContractLeverage: '',
    usdcContractLeverage: '',
    usdtContractSymbols: [],
    coinContractSymbols: [],
    usdcContractSymbols: [],
  };
  const record = { id: '990000000000000000000', coin: 'XYZ', p2pTaxType: 'buy', balance: '1' };
  load({
    loans: [loan],
    loanProducts: [product],
    p2p: [{ uid, records: [{ ...record, ts: String(born - day) }] }],
  });
  expect(Object(ask('oneway', 'loan/list-orders', {}).data)[0]).toEqual(loan);
  expect(ask('hedge', 'loan/list-orders', { orderId: '9' }).data).toEqual([]);
  expect(ask('oneway', 'loan/list-symbols', { productId: '7' }).data).toEqual(product);
  const window = { startTime: String(born - 9 * day), endTime: String(born) };
  const records = Object(ask('oneway', 'tax/list-p2p', window).data);
  expect(records[0]).toMatchObject(record);
  expect(records.length).toBeGreaterThan(1);
});

test('all its mistakes are reported at once, and nothing is applied', () => {
  const before = sandbox.control('GET', 'hash');
  const load2 = () =>
    load({
      acounts: [],
      transfers: [{ uid: '1', coin: 'USDT', amount: 'much' }],
      orders: [{ uid: '1', category: 'SPOT', symbol: 'BTCUSDT', side: 'up', orderType: 'limit' }],
      events: [{ after: 'soon' }],
    });
  expect(load2).toThrow(/acounts is not known.*amount must be a decimal.*size is missing/s);
  expect(load2).toThrow(/side must be buy or sell.*events\.0\.after/s);
  expect(sandbox.control('GET', 'hash')).toEqual(before);
});

test('missing fields of a part are reported before anything is applied', () => {
  const before = sandbox.control('GET', 'hash');
  const account = { uid: '8000000001' };
  const late = { action: { kind: 'late-commit' } };
  expect(() => load({ accounts: [account], faults: [late] })).toThrow('ms is missing');
  expect(() => load({ accounts: [account], events: [{ after: '1m', faults: [late] }] })).toThrow(
    'ms is missing',
  );
  const racing = { mode: 'accelerated' };
  expect(() => load({ accounts: [account], clock: racing })).toThrow('speed is missing');
  expect(sandbox.control('GET', 'hash')).toEqual(before);
});

test('a later price that the symbol cannot have is refused when the scenario is loaded', () => {
  const later = (price: string) => () =>
    load({ events: [{ after: '1m', price: { category: 'SPOT', symbol: 'BTCUSDT', price } }] });
  expect(later('0')).toThrow('above zero');
  expect(later('80000.55')).toThrow('too many decimal places');
  expect(later('80000.5')).not.toThrow();
});

test('numbers are accepted as texts, as YAML writes them', () => {
  load({
    accounts: [{ uid: 55 }],
    transfers: [{ uid: 55, walletType: 'USDT-FUTURES', coin: 'USDT', amount: 5000 }],
    market: [{ category: 'USDT-FUTURES', symbol: 'ETHUSDT', price: 3000.5 }],
    clock: { mode: 'frozen' },
  });
  expect(sandbox.control('GET', 'wallets', { uid: '55' })).toMatchObject([{ balance: '5000' }]);
  clock.advance(minute);
  expect(sandbox.now()).toBe(born);
});

test('its changes are part of a restored snapshot', () => {
  load({ instruments: [instrument] });
  sandbox.control('POST', 'snapshots', { name: 'here' });
  sandbox.control('POST', 'snapshots/restore', { name: 'here' });
  const ticker = unsigned('market/list-tickers', { category: 'USDT-FUTURES', symbol: 'PEPEUSDT' });
  expect(opened(sandbox.handle(ticker)).code).toBe('00000');
});

test('its schema is in schemas/, for editors', () => {
  const printed = JSON.parse(readFileSync('schemas/scenario.schema.json', 'utf8'));
  expect(Object.keys(printed.properties)).toContain('referrals');
});
