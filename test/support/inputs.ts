/** One valid input of each list operation. */
import { day } from '../../src/base/clock.ts';
import type { OperationName } from '../../src/exchange/api/operations/index.ts';
import { startOfTest } from './scripted.ts';

const times = { startTime: String(startOfTest - day), endTime: String(startOfTest) };

/** The list operations, each with an input and the path of its rows: '' if the data is the list. */
export const lists = {
  'order/list-open': { input: {}, rows: 'list' },
  'order/list-history': { input: times, rows: 'list' },
  'agent/list-trade-volume': { input: times, rows: '' },
  'agent/list-customers': { input: times, rows: '' },
  'loan/list-orders': { input: times, rows: '' },
  'futures/list-bills': { input: { productType: 'USDT-FUTURES', ...times }, rows: 'bills' },
  'agent/list-assets': { input: {}, rows: '' },
  'futures/list-adl-ranks': { input: { productType: 'USDT-FUTURES' }, rows: '' },
  'market/list-tickers': { input: { category: 'SPOT' }, rows: '' },
  'market/list-fills': {
    input: { symbol: 'BTCUSDT', productType: 'USDT-FUTURES', ...times },
    rows: '',
  },
  'tax/list-p2p': { input: times, rows: '' },
} satisfies Partial<
  Record<OperationName, { readonly input: Readonly<Record<string, string>>; readonly rows: string }>
>;

export type ListName = keyof typeof lists;

export const listNames: readonly ListName[] = Object.keys(lists).filter(isListName);

function isListName(name: string): name is ListName {
  return Object.hasOwn(lists, name);
}
