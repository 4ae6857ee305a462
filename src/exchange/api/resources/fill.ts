/** A public trade of a futures symbol. */
import { openChoice, record } from '../schema.ts';
import { decimalText, idText, millisText, symbolName } from '../vocabulary.ts';

export const fill = record({
  tradeId: idText('Trade id'),
  price: decimalText('Price'),
  size: decimalText('Quantity in the base coin'),
  side: openChoice(['buy', 'sell', 'Buy', 'Sell'], {
    description: 'Direction of the taker; the sample payload capitalises it',
  }),
  ts: millisText('Unix milliseconds'),
  symbol: symbolName,
});
