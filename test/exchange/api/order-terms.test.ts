/** A plan and its limits read the terms of each order several times, so reading them makes nothing else. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { orderTerms } from '../../../src/exchange/api/meant-order.ts';

const input = {
  symbol: 'BTCUSDT',
  productType: 'USDT-FUTURES',
  marginMode: 'crossed',
  side: 'buy',
  tradeSide: 'open',
  orderType: 'limit',
  price: '98',
  size: '1',
};

test('the terms of an order are read without lists of what its operation declares', () => {
  const entries = vi.spyOn(Object, 'entries');
  const keys = vi.spyOn(Object, 'keys');
  onTestFinished(() => {
    entries.mockRestore();
    keys.mockRestore();
  });
  const terms = orderTerms('futures/place-order', input);
  expect({ entries: entries.mock.calls.length, keys: keys.mock.calls.length }).toEqual({
    entries: 0,
    keys: 0,
  });
  expect(terms).toStrictEqual({
    line: 'USDT-FUTURES',
    market: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    side: 'buy',
    size: '1',
    price: '98',
    isLimit: true,
    isClosing: false,
    isOnEitherSide: false,
    isInQuoteCoin: false,
    mayRest: true,
  });
});

test('a term that is not given or not known is absent', () => {
  const { symbol: _symbol, ...rest } = input;
  const terms = orderTerms('futures/place-order', { ...rest, orderType: 'market', size: 1 });
  expect(Object.keys(terms ?? {}).sort()).toEqual([
    'isClosing',
    'isInQuoteCoin',
    'isLimit',
    'isOnEitherSide',
    'line',
    'market',
    'mayRest',
    'side',
  ]);
});
