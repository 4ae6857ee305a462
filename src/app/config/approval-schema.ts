/** The schema of `approve` in a configuration file: the approvals that a profile requires. */
import { choice, integer, list, optional, record, text } from '../../exchange/api/schema.ts';

export const approvalRules = record(
  {
    by: optional(
      choice(['other', 'anyone'], {
        description: 'other: not an author of the playbook or the plan',
      }),
    ),
    count: optional(integer({ minimum: 1, description: 'Number of approvals (default 1)' })),
    of: optional(list(text(), { description: 'People who may approve (default: all signers)' })),
    signers: text({ description: 'File of allowed signers, as Git and ssh-keygen read it' }),
    passkeys: optional(
      text({ description: 'File of passkeys that may approve in a browser: passkeys.json' }),
    ),
    expires: optional(text({ description: 'How long an approval is valid: 24h' })),
    records: optional(text({ description: 'Folder of the signed records' })),
  },
  { additionalProperties: false },
);
