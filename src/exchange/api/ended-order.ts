/** The result of a write that ends an order: the order as it ended, in the same words for both account families. */
import { choice, record, type Infer } from './schema.ts';
import { decimalText, plainWord } from './vocabulary.ts';

export const endedOrder = record({
  orderId: plainWord('Order id'),
  clientOid: plainWord('Client order id'),
  status: choice(['cancelled', 'filled'], {
    description: 'How it ended: filled, if it was executed before it could be cancelled',
  }),
  filled: decimalText('Executed quantity, base coin'),
  size: decimalText('Order quantity'),
});

export type EndedOrder = Infer<typeof endedOrder>;
