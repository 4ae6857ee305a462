/** A virtual sub-account. */
import { openChoice, record } from '../schema.ts';
import { idText, millisText, plainWord } from '../vocabulary.ts';

export const subAccount = record({
  username: plainWord('Virtual e-mail address of the sub-account'),
  subUid: idText('User id of the sub-account'),
  status: openChoice(['normal'], { description: 'State' }),
  note: plainWord('Note'),
  createdTime: millisText('Created, Unix milliseconds'),
  updatedTime: millisText('Last modified, Unix milliseconds'),
});
