/** Parts of records shared by plans and journals, as JSON Schema. */
import { lastMoment } from '../../base/clock.ts';
import { families } from '../../exchange/api/family.ts';
import { operationNames, type OperationName } from '../../exchange/api/operations/index.ts';
import {
  choice,
  integer,
  list,
  optional,
  record,
  text,
  type Schema,
} from '../../exchange/api/schema.ts';

export const millis = (description: string): Schema<number> => ({
  json: { type: 'number', minimum: -lastMoment, maximum: lastMoment, description },
});

/** A number of things. */
export const count = integer({ minimum: 0 });

/** The account of a line, described in the same words in plans, runs, drift and reports. */
export const accountText = text({ description: 'Profile of its account, in a run with several' });

/** The position of an entry: its number in its journal. */
export const place = {
  seq: integer({ minimum: 1, description: 'Position in the journal' }),
  at: millis('The machine’s wall clock, Unix milliseconds'),
};

export const operationName: Schema<OperationName> = {
  json: { type: 'string', enum: operationNames },
};

/**
 * The target of an account: a sandbox, the exchange's demo trading, or its real market. Whatever
 * protects a real account protects one of demo trading, too.
 */
export const targets = ['sandbox', 'demo', 'live'] as const;

export type Target = (typeof targets)[number];

export const destinationSchema = record({
  profile: text(),
  target: choice(targets),
  host: text({
    description: 'Where requests go; in-process and its world for the embedded sandbox',
  }),
  keyFingerprint: optional(text({ description: 'First 8 hex digits of the key’s sha256' })),
  accountId: optional(text({ description: 'The account-id of its profile' })),
  family: optional(choice(families, { description: 'The account family of its profile' })),
});

export const playbookFields = record({
  name: text(),
  file: text(),
  digest: text({ description: 'sha256 of the text' }),
  text: text(),
  includes: optional(
    list(record({ file: text(), digest: text(), text: text() }), {
      description: 'Playbooks it uses',
    }),
  ),
});
