/** Approvals in a journal: those of a plan, and what a step of a run asks people to approve. */
import {
  anything,
  choice,
  integer,
  list,
  optional,
  record,
  text,
  type Infer,
} from '../../exchange/api/schema.ts';
import { address } from './outcome.ts';
import { accountText, destinationSchema, millis, place } from './shared-schema.ts';

export const approval = record({
  /** The signer's name in the allowed signers. */
  who: text(),
  /** The fingerprint of the signing key. */
  key: text(),
  at: millis('When it was signed'),
});

/** An effect that an approval lets go: with its input, or `after` the step that decides about it. */
const letGo = record({
  address,
  uses: text({ description: 'Its operation or built-in step' }),
  account: optional(accountText),
  input: optional(anything),
  after: optional(text({ description: 'The step after which it is known' })),
});

/** The text that people read before they approve, and whose digest they sign. */
export const askedFields = {
  text: text(),
  lasts: integer({ minimum: 1, description: 'How long they have, in milliseconds' }),
  by: optional(choice(['other', 'anyone'])),
  of: optional(list(text(), { description: 'People who may approve' })),
  count: optional(integer({ minimum: 1, description: 'Number of approvals' })),
  effects: list(letGo, { description: 'What the approval lets go' }),
};

/** A step waits for people: it ends at the same time however often the run is resumed. */
export const asked = record({
  ...place,
  kind: choice(['asked']),
  address,
  destination: destinationSchema,
  time: millis('The exchange’s time when the wait began'),
  until: millis('The exchange’s time when it ends'),
  ...askedFields,
  digest: text({ description: 'Digest of what is approved' }),
});

const askedForm = record(askedFields);

/** The question that an `approve` step shows to people. */
export type Question = Infer<typeof askedForm>;

/** An effect that an approval lets go. */
export type LetGo = Infer<typeof letGo>;
