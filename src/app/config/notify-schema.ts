/** The schema of `notify` of a profile, for editors; `notify.ts` reads it. */
import { choice, described, list, optional, record } from '../../exchange/api/schema.ts';
import { noticeEvents } from '../notification/event.ts';
import { usualEvents } from './notify.ts';
import { secret } from './secret-schema.ts';

const closed = { additionalProperties: false };

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
              'Source of the address: smtps://USER:PASSWORD@HOST?from=ADDRESS&to=ADDRESS, or smtp:// with STARTTLS',
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
