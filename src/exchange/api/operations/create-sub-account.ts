/** 18. Creates a virtual sub-account. No list shows them afterwards. */
import { second } from '../../../base/clock.ts';
import { operation } from '../operation.ts';
import { subAccount } from '../resources/sub-account.ts';
import { choice, optional, record, text } from '../schema.ts';

export const createSubAccount = operation({
  number: 18,
  title: 'Create sub-account',
  method: 'POST',
  path: '/api/v3/user/create-sub',
  access: 'signed',
  permission: 'account-write',
  isMainOnly: true,
  limit: { permits: 10, per: second, of: 'uid' },
  effect: 'once',
  uniqueBy: 'username',
  input: record({
    username: text({
      pattern: '^[a-z]{1,20}$',
      patternErrorMessage: 'must be 1 to 20 lower-case letters',
      description: 'Base of the virtual e-mail address: lower-case letters, at most 20',
      examples: ['alpha'],
    }),
    accountMode: optional(
      choice(['classic', 'unified'], { description: 'Account mode; the default is not shown' }),
    ),
    note: optional(text({ maxLength: 50, description: 'Note, at most 50 characters' })),
  }),
  output: subAccount,
  doubts: [
    'accountMode lists classic although only unified sub-accounts can be created: both are sent on',
    'default of accountMode: not shown; the sandbox takes unified',
  ],
});
