/** Rules of single endpoints, as a client meets them through the whole pipeline. */
import { beforeEach, describe, expect, test } from 'vitest';
import { standingClock, type StandingClock } from '../../src/base/clock.ts';
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

type Role = keyof Sandbox['accounts'];

const ask = (role: Role, name: OperationName, input: object): Answer =>
  askIn(sandbox, role, name, input);

const order = { ...marketOrder, symbol: 'SOLUSDT', size: '10' };
const place = (role: Role, changes: object): Answer =>
  ask(role, 'futures/place-order', { ...order, ...changes });

const mark = (): number => {
  const input = { category: 'USDT-FUTURES', symbol: 'SOLUSDT' };
  const { data } = opened(sandbox.handle(unsigned('market/list-tickers', input)));
  return Number(Object(data)[0].markPrice);
};
const above = (): string => (mark() * 1.05).toFixed(3);

describe('placing orders', () => {
  test('requires tradeSide in hedge mode and refuses it in one-way mode', () => {
    expect(place('oneway', { tradeSide: 'open' })).toMatchObject({ code: '40774', status: 400 });
    expect(place('hedge', {}).code).toBe('400172');
  });

  test('a leader may trade only its symbols', () => {
    expect(place('leader', { tradeSide: 'open' }).code).toBe('31021');
    clock.advance(1_000);
    const lead = { tradeSide: 'open', symbol: 'BTCUSDT', size: '0.01' };
    expect(place('leader', lead).code).toBe('00000');
    expect(place('leader', lead).code).toBe('429'); // one a second
  });

  test('a read-only key may not place orders, a sub-account may', () => {
    expect(place('readonly', {})).toMatchObject({ code: '40014' });
    expect(place('sub', {}).code).toBe('00000');
  });

  test('a reduce-only order that cancels others has no orderId in its response', () => {
    expect(place('oneway', {}).code).toBe('00000');
    const reduce = { side: 'sell', reduceOnly: 'YES', orderType: 'limit', price: above() };
    expect(place('oneway', { ...reduce, size: '6', clientOid: 'first' }).data).toEqual({
      orderId: expect.stringMatching(/^\d{19}$/),
      clientOid: 'first',
    });
    expect(place('oneway', { ...reduce, size: '7', clientOid: 'second' }).data).toEqual({
      clientOid: 'second',
    });
    const { list } = Object(ask('oneway', 'order/list-open', { symbol: 'SOLUSDT' }).data);
    const reducing = list.filter(({ reduceOnly }: { reduceOnly: string }) => reduceOnly === 'YES');
    expect(reducing).toMatchObject([{ clientOid: 'second', qty: '7.0' }]);
  });

  test('a market close takes the remainder of a limit close (interface, endpoint 6, rule 3)', () => {
    place('hedge', { tradeSide: 'open' });
    const close = { tradeSide: 'close' };
    place('hedge', { ...close, orderType: 'limit', price: above(), size: '7', clientOid: 'rest' });
    expect(place('hedge', { ...close, size: '5', clientOid: 'now' }).code).toBe('00000');
    const { list } = Object(ask('hedge', 'order/list-history', { symbol: 'SOLUSDT' }).data);
    expect(list[0]).toMatchObject({ clientOid: 'now', cumExecQty: '3.0', posSide: 'long' });
    const open = Object(ask('hedge', 'order/list-open', { symbol: 'SOLUSDT' }).data).list;
    expect(open[0]).toMatchObject({ clientOid: 'rest', side: 'sell', posSide: 'long' });
  });

  test('a clientOid is accepted once', () => {
    expect(place('oneway', { clientOid: 'mine' }).code).toBe('00000');
    expect(place('oneway', { clientOid: 'mine' }).code).toBe('45034');
    sandbox.control('POST', 'config', { duplicateClientOid: 'accept' });
    expect(place('oneway', { clientOid: 'mine' }).code).toBe('00000');
  });

  test.each<[object, string]>([
    [{ symbol: 'NOPE' }, '40102'],
    [{ symbol: 'BTCPERP' }, '22012'],
    [{ marginCoin: 'USDC' }, '40778'],
    [{ size: '0' }, '40808'],
    [{ size: '0.05' }, '40808'],
    [{ size: '100000' }, '45112'],
    [{ symbol: 'BTCUSDT', size: '500', orderType: 'limit', price: '75000' }, '40762'],
    [{ orderType: 'limit', price: '100.00001' }, '40808'],
    [{ reduceOnly: 'YES' }, '22002'],
  ])('%j is refused with %s', (changes, code) => {
    expect(place('oneway', changes)).toMatchObject({ code, status: 400, data: null });
  });
});

describe('leverage of a product line', () => {
  const set = (leverage: string) =>
    ask('hedge', 'futures/set-all-leverage', { productType: 'USDT-FUTURES', leverage });
  const leverages = (): number[] =>
    Object(sandbox.control('GET', 'positions', { uid: sandbox.accounts.hedge.uid }))
      .filter(({ category }: { category: string }) => category === 'USDT-FUTURES')
      .map(({ leverage }: { leverage: number }) => leverage);

  test('changes every symbol with a position', () => {
    expect(set('5')).toMatchObject({ code: '00000', data: 'success' });
    expect(leverages()).toEqual([5, 5]);
  });

  test('changes no symbol if one of them cannot be changed', () => {
    expect(set('110')).toMatchObject({ code: '00000', data: 'failure' }); // ETHUSDT: at most 100
    expect(leverages()).toEqual([20, 20]);
  });

  test('with an invalid value is refused', () => {
    expect(set('0').code).toBe('40020');
    expect(set('2.5').code).toBe('40020');
  });
});

describe('sub-accounts', () => {
  const create = (role: Role, input: object) => ask(role, 'account/create-sub', input);

  test('have unique names within a main account', () => {
    expect(create('oneway', { username: 'alpha', note: 'first' })).toMatchObject({
      code: '00000',
      data: {
        username: 'alpha@virtual.example',
        subUid: '7100000001',
        status: 'normal',
        note: 'first',
        createdTime: String(born),
        updatedTime: String(born),
      },
    });
    expect(create('oneway', { username: 'alpha' }).code).toBe('40107');
    expect(create('hedge', { username: 'alpha' })).toMatchObject({
      data: { subUid: '7100000002' },
    });
  });

  test('get unused uids, also after the control interface opened accounts', () => {
    sandbox.control('POST', 'accounts', { uid: '7100000001' });
    expect(create('oneway', { username: 'alpha' })).toMatchObject({
      data: { subUid: '7100000002' },
    });
    expect(create('oneway', { username: 'beta' })).toMatchObject({
      data: { subUid: '7100000003' },
    });
  });

  test('cannot create sub-accounts', () => {
    expect(create('sub', { username: 'alpha' }).code).toBe('40068');
  });

  test('have names of lower-case letters and short notes', () => {
    expect(create('oneway', { username: 'Alpha' }).code).toBe('25200');
    expect(create('oneway', { username: 'a'.repeat(21) }).code).toBe('25200');
    expect(create('oneway', { username: 'beta', note: '€'.repeat(51) }).code).toBe('25200');
    expect(create('oneway', { username: 'beta', note: '😀'.repeat(50) }).code).toBe('00000');
  });
});

test('lists for agents are refused for other accounts', () => {
  for (const name of ['agent/list-customers', 'agent/list-assets'] as const) {
    expect(ask('sub', name, {}).code).toBe('40029');
    expect(ask('readonly', name, {}).code).toBe('40014');
  }
});

test('limits use a sliding second while the world’s clock is frozen, and restart when it advances', () => {
  const p2p = () =>
    ask('oneway', 'tax/list-p2p', { startTime: String(born - 1), endTime: String(born) }).code;
  expect([p2p(), p2p()]).toEqual(['00000', '429']);
  clock.advance(999);
  expect(p2p()).toBe('429');
  clock.advance(1);
  expect(p2p()).toBe('00000');
});

describe('quirks', () => {
  const quirk = (name: string) => sandbox.control('POST', 'config', { quirks: { [name]: true } });

  test('give the responses of the samples or of the field tables where they disagree', () => {
    const fills = () => {
      const input = { productType: 'USDT-FUTURES', symbol: 'BTCUSDT', limit: '1' };
      const { data } = opened(sandbox.handle(unsigned('market/list-fills', input)));
      return Object(data)[0].side;
    };
    expect(['Buy', 'Sell']).toContain(fills());
    quirk('lowerCaseSides');
    expect(['buy', 'sell']).toContain(fills());

    const uid = () => Object(ask('agent', 'agent/list-customers', {}).data)[0].uid;
    expect(typeof uid()).toBe('string');
    quirk('customerUidNumber');
    expect(typeof uid()).toBe('number');

    const leverage = () =>
      Object(ask('oneway', 'loan/list-symbols', { productId: '1001' }).data).coinContractSymbols;
    expect(leverage()).toEqual([{ symbol: 'BTCUSD', leverage: '5' }]);
    quirk('coinLeverageList');
    expect(leverage()).toEqual([{ symbol: 'BTCUSD', leverage: ['5'] }]);
  });

  test('split account families', () => {
    quirk('splitFamilies');
    expect(ask('oneway', 'order/list-open', {}).code).toBe('40084');
    expect(ask('oneway', 'futures/list-bills', { productType: 'USDT-FUTURES' }).code).toBe('00000');
  });
});
