/** The offer that a person reviews before they sign: the JSON of `approve --unsigned`. */
import {
  choice,
  exactly,
  integer,
  list,
  optional,
  record,
  text,
  type Infer,
} from '../../exchange/api/schema.ts';
import { millis } from '../journal/shared-schema.ts';
import { planSchema } from '../plan/plan-schema.ts';

const decided = list(
  record({
    who: text(),
    key: text({ description: 'Fingerprint of the key' }),
    at: millis('When it was signed'),
    comment: optional(text()),
  }),
);

/** The approvals that a profile requires of a plan, and those that the plan has. */
export const requirement = record({
  profile: text(),
  by: choice(['other', 'anyone']),
  count: integer({ minimum: 1, description: 'Number of approvals' }),
  of: optional(list(text(), { description: 'People who may approve' })),
  approved: decided,
  declined: decided,
  notes: list(text(), { description: 'Records that do not count, and what to look at' }),
  trouble: optional(text({ description: 'Why nothing can count now' })),
});

export type Requirement = Infer<typeof requirement>;

/** The passkeys that the profiles name; a browser asks for one of them. */
export const offeredPasskeys = list(
  record({ who: text(), id: text(), rpId: text(), origins: list(text()) }),
);

export const changedLines = list(
  record({ sign: choice(['+', '-', '~']), text: text(), was: optional(text()) }),
);

export const approvedLast = record({
  plan: text(),
  who: text(),
  at: millis('When it was signed'),
  changes: changedLines,
});

const fields = {
  version: exactly(1),
  record: text({ description: 'The text to sign' }),
  challenge: text({ description: 'The challenge of a passkey: SHA-256 of the text, base64url' }),
  passkeys: offeredPasskeys,
  approvedLast: optional(approvedLast),
  required: list(requirement),
};

export const offerSchema = record({ ...fields, plan: planSchema });

export type Offer = Infer<typeof offerSchema>;
