/** The schema of one secret, wherever a configuration file names one. */
import { described, either, list, optional, record, text } from '../../exchange/api/schema.ts';

/** The schema of a secret: in a variable, in a file, or printed by a program. */
export const secret = record(
  {
    env: optional(text({ description: 'Name of the variable' })),
    file: optional(
      text({
        description:
          'File with the secret, mode 0600; others may read it, with a warning, and not change it',
      }),
    ),
    exec: optional(
      described(
        'Program that prints the secret; run without a shell, in this folder',
        either(text(), list(text())),
      ),
    ),
  },
  { additionalProperties: false, minProperties: 1, maxProperties: 1 },
);
