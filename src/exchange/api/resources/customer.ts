/** An agent's referred customers: their identity, trade volume and assets. */
import { either, integer, optional, record } from '../schema.ts';
import { decimalOrEmpty, decimalText, idText, millisText, plainWord } from '../vocabulary.ts';

export const customer = record({
  // String in the field table, a number in the sample payload.
  uid: either(idText('User id'), integer({ description: 'User id' })),
  registerTime: millisText('Registered, Unix milliseconds'),
});

export const customerVolume = record({
  uid: idText('User id'),
  volumn: decimalText('Trade volume of the day; the API spells the field this way'),
  time: millisText('Start of the day (UTC+8), Unix milliseconds'),
});

export const customerAssets = record({
  uid: idText('User id'),
  balance: decimalOrEmpty('Account balance; may be empty beside a remark'),
  uTime: millisText('Updated, Unix milliseconds'),
  remark: optional(plainWord('Says why a balance is missing, for example too many sub-accounts')),
});
