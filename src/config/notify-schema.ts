/** The schema of `notify` of a profile, for editors; `notify.ts` reads it. */
import { choice, described, either, list, optional, record, text } from '../api/schema.ts';
import { noticeEvents } from '../notification/event.ts';
import { usualEvents } from './notify.ts';

const closed = { additionalProperties: false };

/** One secret: in a variable, a file, or printed by a program. */
const secret = record(
  {
    env: optional(text({ description: 'Name of the variable' })),
    file: optional(text({ description: 'File with the secret, mode 0600' })),
    exec: optional(
      described(
        'Program that prints the secret; run without a shell, in this folder',
        either(text(), list(text())),
      ),
    ),
  },
  { ...closed, minProperties: 1, maxProperties: 1 },
);

const on = optional(
  list(choice(noticeEvents), {
    description: `Events (default: ${usualEvents.join(', ')})`,
  }),
);
const posted = record({ url: described('Source of the address', secret), on }, closed);

export const recipients = record(
  {
    slack: optional(described('A Slack channel, by its incoming webhook', posted)),
    teams: optional(described('A Teams channel, by the address of its workflow', posted)),
    email: optional(
      described(
        'Mailboxes',
        record(
          {
            url: described(
              'Source of the address: smtps://USER:PASSWORD@HOST?from=ADDRESS&to=ADDRESS',
              secret,
            ),
            on,
          },
          closed,
        ),
      ),
    ),
    webhook: optional(
      described(
        'A server that takes JSON',
        record(
          {
            url: described('Source of the address', secret),
            on,
            'sign-with': optional(described('Source of the key that signs the body', secret)),
          },
          closed,
        ),
      ),
    ),
  },
  { ...closed, minProperties: 1 },
);
