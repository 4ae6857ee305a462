/** The schema of `notify` of a profile, for editors; `notify.ts` reads it. */
import { choice, described, list, optional, record } from '../../exchange/api/schema.ts';
import { channels } from '../../language/channels/index.ts';
import { noticeEvents } from '../notification/event.ts';
import { usualEvents } from './notify.ts';
import { secret } from './secret-schema.ts';

const closed = { additionalProperties: false };

const key = described('Source of the key that signs the body', secret);

const on = optional(
  list(choice(noticeEvents), {
    description: `Events (default: ${usualEvents.join(', ')})`,
  }),
);

/** The schema of the recipients, one for each channel. */
export const recipients = record(
  Object.fromEntries(
    channels.map(({ recipient, describes, isSigned }) => {
      const fields = { url: described(describes.address, secret), on };
      const whole = isSigned ? { ...fields, 'sign-with': optional(key) } : fields;
      return [recipient, optional(described(describes.recipient, record(whole, closed)))];
    }),
  ),
  { ...closed, minProperties: 1 },
);
