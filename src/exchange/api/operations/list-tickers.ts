/** 11. The state of every market of a product type, or of one symbol. */
import { second } from '../../../base/clock.ts';
import { operation } from '../operation.ts';
import { ticker } from '../resources/ticker.ts';
import { choice, list, optional, record } from '../schema.ts';
import { symbolName, tickerCategories } from '../vocabulary.ts';

export const listTickers = operation({
  number: 11,
  title: 'Get tickers',
  method: 'GET',
  path: '/api/v3/market/tickers',
  access: 'public',
  limit: { permits: 20, per: second, of: 'ip' },
  effect: 'read',
  rows: '',
  id: ['symbol'],
  input: record({
    category: choice(tickerCategories, { description: 'Product line' }),
    symbol: optional(symbolName),
  }),
  output: list(ticker),
  doubts: ['whether category and symbol are required: not shown; other material requires category'],
});
