/** A P2P transaction as the tax interface reports it. */
import { openChoice, record } from '../schema.ts';
import { decimalText, idText, millisText, plainWord } from '../vocabulary.ts';

export const p2pTypes = ['transfer_in', 'transfer_out', 'sell', 'buy'] as const;

export const taxRecord = record({
  id: idText('Record id'),
  coin: plainWord('Coin'),
  p2pTaxType: openChoice(p2pTypes, { description: 'Kind of transaction' }),
  balance: decimalText('Quantity'),
  ts: millisText('Unix milliseconds'),
});
