/** The type of every column follows from the contract, also of a value within a field. */
import { expect, test } from 'vitest';
import { fieldTypeAt, typeName } from '../../src/exchange/api/column-types.ts';
import type { OperationName } from '../../src/exchange/api/operations/index.ts';

test.each<[OperationName, string, string | undefined]>([
  ['order/list-history', 'feeDetail.0.fee', 'decimal(38,18)'],
  ['order/list-history', 'feeDetail.0.feeCoin', 'text'],
  ['order/list-history', 'createdTime', 'time'],
  ['order/list-history', 'feeDetail', 'text'],
  ['order/list-history', 'feeDetail.0.other', undefined],
  ['order/list-history', 'qty.0', undefined],
  ['market/list-discount-rates', 'list.2.discountRate', 'decimal(38,18)'],
  ['loan/list-symbols', 'usdtContractSymbols.0.leverage', 'text'],
])('%s %s is %s', (operation, path, expected) => {
  const type = fieldTypeAt(operation, path.split('.'));
  expect(type && typeName(type)).toBe(expected);
});
