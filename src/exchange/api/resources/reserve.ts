/** The risk reserve fund, and an account's rank in the auto-deleveraging queue. */
import { list, needed, optional, record } from '../schema.ts';
import { decimalOrEmpty, decimalText, millisText, plainWord, symbolName } from '../vocabulary.ts';

export const riskReserve = record({
  totalBalance: optional(decimalOrEmpty('Deprecated; may be empty')),
  coin: plainWord('Settlement coin'),
  // String in the field table; the payload is an array.
  riskReserveRecords: list(
    record({
      type: optional(plainWord('Deprecated; may be empty')),
      amount: decimalText('Adjustment'),
      balance: decimalText('Balance of the fund'),
      ts: millisText('Unix milliseconds'),
    }),
  ),
});

export const adlRank = record({
  symbol: needed(symbolName),
  marginCoin: plainWord('Margin coin'),
  adlRank: decimalText('Place in the queue as a ratio: 0.1000 is the top tenth'),
});
