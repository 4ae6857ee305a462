/** A futures account bill: one change of a wallet, with the resulting balance. */
import { openChoice, record } from '../schema.ts';
import {
  businessTypes,
  decimalOrEmpty,
  decimalText,
  idText,
  millisText,
  plainWord,
} from '../vocabulary.ts';

export const bill = record({
  billId: idText('Bill id'),
  symbol: plainWord('Symbol; empty for transfers'),
  amount: decimalText('Amount'),
  fee: decimalOrEmpty('Fee'),
  feeByCoupon: decimalOrEmpty('Fee paid by coupon; may be empty'),
  businessType: openChoice(businessTypes, {
    description: 'What changed the balance; the exchange adds new types from time to time',
  }),
  coin: plainWord('Coin'),
  balance: decimalText('Balance after the entry'),
  cTime: millisText('Created, Unix milliseconds'),
});
