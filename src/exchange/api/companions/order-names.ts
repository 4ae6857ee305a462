/** Parts of requests that several companions share. */
import { optional } from '../schema.ts';
import { idText, plainWord } from '../vocabulary.ts';

/** An order is named by its id or by the id its client gave it; the order id wins. */
export const orderNames = {
  orderId: optional(idText('Order id; it wins over clientOid')),
  clientOid: optional(plainWord('Client order id; required without orderId')),
};

export const namedOrder = [
  {
    when: {},
    require: 'clientOid',
    orElse: 'orderId',
    because: 'an order is named by orderId or by clientOid',
  },
] as const;

export const marginCoinWord = 'Margin coin, upper case';
