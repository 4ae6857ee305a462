/** 1. Which symbols, at which leverage, an institutional loan product permits. */
import { second } from '../../../base/clock.ts';
import { operation } from '../operation.ts';
import { loanProduct } from '../resources/loan.ts';
import { record, text } from '../schema.ts';

export const listLoanSymbols = operation({
  number: 1,
  title: 'Get loan product symbols',
  method: 'GET',
  path: '/api/v3/ins-loan/symbols',
  access: 'signed',
  permission: 'account-read',
  limit: { permits: 3, per: second, of: 'uid' },
  effect: 'read',
  input: record({
    productId: text({ minLength: 1, maxLength: 64, description: 'Loan product' }),
  }),
  output: loanProduct,
  doubts: [
    'coinContractSymbols[].leverage is typed as an array in the field table: text and array are accepted',
    'an unknown productId: not shown',
  ],
});
