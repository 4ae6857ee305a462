/** 16. Interest of borrowing a coin on margin. Signed, but limited by IP address. */
import { second } from '../../../base/clock.ts';
import { operation } from '../operation.ts';
import { interestRate } from '../resources/rates.ts';
import { record } from '../schema.ts';
import { coinName } from '../vocabulary.ts';

export const getInterestRate = operation({
  number: 16,
  title: 'Get margin interest rate',
  method: 'GET',
  path: '/api/v2/margin/interest-rate-record',
  access: 'signed',
  limit: { permits: 10, per: second, of: 'ip' },
  effect: 'read',
  input: record({ coin: coinName('Coin') }),
  output: interestRate,
  doubts: [
    'the field table lists quoteCoin with the meaning of the annual rate; the sample has four fields, as here',
    'permission: not shown; any key may call it',
  ],
});
