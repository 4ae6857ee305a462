/** Deviations of all calls are collected by operation and field. */
import { expect, test } from 'vitest';
import { collecting } from '../../src/exchange/api/collected.ts';
import { readAll } from '../../src/exchange/api/reading.ts';
import { scripted, startOfTest, success } from '../support/scripted.ts';

test('deviations of all pages are counted by operation, field and what came', async () => {
  const { client } = scripted((_, nth) =>
    nth === 1
      ? success({ list: [{ orderId: '2', qty: null, isNew: true }], cursor: 'next' })
      : success({ list: [{ orderId: '1', qty: null }], cursor: null }),
  );
  const { exchange, deviations } = collecting(client);
  await readAll('order/list-open', {}, { exchange, options: {}, now: startOfTest });
  const operation = 'order/list-open';
  expect(deviations()).toEqual(
    expect.arrayContaining([
      { operation, field: 'list[].qty', came: 'null', count: 2 },
      { operation, field: 'list[].isNew', came: 'undeclared', count: 1 },
      { operation, field: 'list[].symbol', came: 'absent', count: 2 },
      { operation, field: 'cursor', came: 'null', count: 1 },
    ]),
  );
});

test('a response as the interface declares it has none', async () => {
  const { client } = scripted(() => success({ list: [], cursor: '' }));
  const { exchange, deviations } = collecting(client);
  await exchange.call('order/list-open', {});
  expect(deviations()).toEqual([]);
});
