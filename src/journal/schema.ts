/** The shape of an entry as JSON Schema, for programs that read `-o ndjson` or a journal. */
import {
  choice,
  described,
  integer,
  list,
  optional,
  record,
  text,
  type Schema,
} from '../api/schema.ts';
import type { Entry } from './entry.ts';
import { frozenReads } from './frozen.ts';
import { guardSchema } from './guard-schema.ts';
import { orphansSchema } from './orphan.ts';
import { address, anything, exitCode, oneOf, outcome } from './outcome-schema.ts';
import { destinationSchema, millis, operationName, playbookFields } from './shared-schema.ts';
import { visibilityFields } from './visible.ts';

const isTrue: Schema<true> = { json: { type: 'boolean', enum: [true] } };

const digest = text({ description: 'Digest of the request' });
const place = {
  seq: integer({ minimum: 1, description: 'Position in the journal' }),
  at: millis('The machine’s wall clock, Unix milliseconds'),
};

const two: Schema<2> = {
  json: { type: 'integer', enum: [2], description: 'Naming of its writes (default 1)' },
};

const imported: Schema<'named' | 'unnamed'> = choice(['named', 'unnamed'], {
  description: 'It imported an existing order; who named it',
});

const started = record({
  ...place,
  kind: choice(['started']),
  run: text(),
  playbook: playbookFields,
  destination: destinationSchema,
  accounts: optional(list(destinationSchema, { description: 'Other accounts that steps name' })),
  plan: optional(text()),
  commit: optional(text({ description: 'The commit the plan was made at' })),
  approvals: optional(
    list(record({ who: text(), key: text(), at: millis('When it was signed') }), {
      description: 'Approvals of the plan',
    }),
  ),
  inputs: anything,
  reads: optional(frozenReads),
  orphans: optional(orphansSchema),
  time: millis('Time of the run, by the exchange’s clock'),
  scheduledFor: optional(millis('The scheduled time the run is for')),
  program: text(),
  imported: optional(imported),
  naming: optional(two),
  steps: list(
    record({ id: text(), uses: text(), name: optional(text()), line: integer({ minimum: 1 }) }),
  ),
});

const wrote = record({
  ...place,
  kind: choice(['wrote']),
  step: text(),
  file: text(),
  rows: integer(),
  bytes: integer(),
  sha256: text(),
  pages: integer(),
  clamped: optional(record({ asked: millis('Requested from'), from: millis('Data begins') })),
  replaces: optional(integer({ description: 'Rows of the earlier export it replaced' })),
});
const span = record({ from: millis('First moment'), to: millis('Last moment') });
const count = integer({ minimum: 0 });

const reading = described(
  'An export begins to read',
  record({
    ...place,
    kind: choice(['reading']),
    address,
    operation: operationName,
    file: text(),
    time: millis('The exchange’s clock from which its windows are counted'),
    asked: optional(span),
    replaces: optional(integer({ description: 'Rows of the earlier export of this name' })),
  }),
);

const places: Schema<Readonly<Record<string, string>>> = {
  json: { type: 'object', additionalProperties: { type: 'string' } },
};

const paged = described(
  'The rows of an export are kept up to this page; counts are of all its pages so far',
  record({
    ...place,
    kind: choice(['paged']),
    address,
    page: integer({ minimum: 1 }),
    rows: count,
    duplicates: count,
    window: optional(span),
    isLast: optional(isTrue),
    reached: optional(millis('Time of the oldest row of the page')),
    columns: optional(list(text(), { description: 'Columns not seen before' })),
    next: optional(
      record({
        window: optional(record({ start: millis('First moment'), end: millis('Last moment') })),
        place: places,
        isEnd: optional(isTrue),
        againUntil: optional(millis('Rows up to here were already read')),
      }),
    ),
    kept: record({ bytes: count, crc: count, names: record({ bytes: count, crc: count }) }),
  }),
);

const identity = text({ description: 'Permanent key of this action' });
const account = optional(text({ description: 'Profile of the account, in a run with several' }));
const write = { address, operation: operationName, input: anything, identity, account };

/** One entry of a journal. */
export const entrySchema: Schema<Entry> = oneOf(
  started,
  record({
    ...place,
    kind: choice(['resumed']),
    accounts: optional(
      list(destinationSchema, { description: 'Accounts with another key or address than before' }),
    ),
  }),
  record({
    ...place,
    kind: choice(['taken-over']),
    host: text({ description: 'The machine that had the run and did not report its end' }),
    since: millis('Start of the time in which it may have signed, by the exchange’s clock'),
    until: millis('End of the time in which it may have signed, by the exchange’s clock'),
    isListed: optional(
      described('Writes that it may have sent have an intent before this', isTrue),
    ),
  }),
  record({
    ...place,
    kind: choice(['opened']),
    step: text(),
    uses: optional(text({ description: 'Its effect, if the start does not list it' })),
    items: optional(list(text())),
    writes: optional(list(record(write), { description: 'All writes it may send' })),
    failure: optional(
      record(
        { step: text(), code: text(), message: text() },
        { description: 'The failure that on-failure handles' },
      ),
    ),
  }),
  record({
    ...place,
    ...write,
    kind: choice(['intended']),
    attempt: integer({ minimum: 1 }),
    signedAt: millis('Time the signature carries'),
    since: optional(millis('Earliest time at which another machine may have signed')),
    mark: optional(text({ description: 'Mark price of its limit check' })),
    worth: optional(text({ description: 'Its maximum value in dollars' })),
    of: optional(digest),
  }),
  record({ ...place, kind: choice(['settled']), address, outcome, of: optional(digest) }),
  record({
    ...place,
    kind: choice(['clock']),
    address,
    time: millis('The exchange’s time when a wait began'),
    ms: optional(integer({ minimum: 0, description: 'How long is waited from then on' })),
  }),
  described(
    'Whether the lists of an account show its orders of a product line, from a lookup',
    record({ ...place, kind: choice(['visibility']), ...visibilityFields }),
  ),
  described(
    'Two responses of a lookup had contradicting times',
    record({
      ...place,
      kind: choice(['clock-outlier']),
      address,
      ms: millis('How far one was ahead of the other'),
    }),
  ),
  record({ ...place, kind: choice(['signalled']), name: text(), payload: anything }),
  record({
    ...place,
    kind: choice(['waited']),
    address,
    operation: operationName,
    why: choice(['limit', 'retry', 'poll', 'look-up']),
    ms: millis('Length of the wait'),
    because: optional(text()),
  }),
  record({
    ...place,
    kind: choice(['answered']),
    address,
    operation: operationName,
    attempt: integer({ minimum: 1 }),
    ms: millis('Time to the answer'),
    status: integer(),
    code: text(),
    count: optional(
      integer({ minimum: 2, description: 'Number of identical responses in this entry' }),
    ),
  }),
  record({
    ...place,
    kind: choice(['unmet']),
    address,
    level: choice(['error', 'warn']),
    message: text(),
    line: integer(),
  }),
  reading,
  paged,
  wrote,
  record({
    ...place,
    kind: choice(['closed']),
    step: text(),
    status: choice(['done', 'skipped', 'refused', 'failed', 'doubt', 'interrupted']),
    because: optional(text()),
    hint: optional(text({ description: 'What to do about it' })),
    missing: optional(text({ description: 'The step it needs that was not done' })),
    continues: optional(described('It failed, and the run continues: on-error', isTrue)),
  }),
  record({
    ...place,
    kind: choice(['finished']),
    status: choice(['done', 'stopped', 'doubt', 'interrupted']),
    exit: exitCode,
    outputs: anything,
    guards: optional(list(guardSchema, { description: 'Usage of every limit' })),
  }),
);
