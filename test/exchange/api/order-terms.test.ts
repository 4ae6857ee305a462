/** What is read of each order several times in a run is read without making anything else. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { checkInput } from '../../../src/exchange/api/check.ts';
import { orderTerms } from '../../../src/exchange/api/meant-order.ts';
import { operationOf } from '../../../src/exchange/api/operations/index.ts';
import { limitInput } from '../../support/order.ts';

const input = limitInput({ price: '98', size: '1' });

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

test('the fields of an operation are collected once for all checks of its inputs', () => {
  const listed = vi.spyOn(Object, 'keys');
  onTestFinished(() => listed.mockRestore());
  const { properties } = operationOf('futures/place-order').input.json;
  checkInput('futures/place-order', input);
  checkInput('futures/place-order', input);
  expect(listed.mock.calls.filter(([value]) => value === properties).length).toBeLessThan(2);
});
