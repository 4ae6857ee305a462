/** 17. How much of a coin's value counts as collateral, by tier. */
import { second } from '../../../base/clock.ts';
import { operation } from '../operation.ts';
import { discountRate } from '../resources/rates.ts';
import { list, record } from '../schema.ts';

export const listDiscountRates = operation({
  number: 17,
  title: 'Get discount rate',
  method: 'GET',
  path: '/api/v3/market/discount-rate',
  access: 'public',
  limit: { permits: 20, per: second, of: 'ip' },
  effect: 'read',
  rows: '',
  id: ['coin'],
  input: record({}),
  output: list(discountRate),
  doubts: [],
});
