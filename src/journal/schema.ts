/** The shape of an entry as JSON Schema, for programs that read `-o ndjson` or a journal. */
import { exits, type ExitCode } from '../base/error.ts';
import type { Json } from '../base/json.ts';
import { operationNames, type OperationName } from '../contract/operations/index.ts';
import {
  choice,
  described,
  integer,
  list,
  optional,
  record,
  text,
  type Infer,
  type Schema,
} from '../contract/schema.ts';
import type { Destination, Entry, GuardResult, Outcome } from './entry.ts';

/** A value of any shape: what a playbook or the exchange put there. */
export const anything: Schema<Json> = { json: {} };

/** One of several shapes, told apart by their `kind`. */
export const oneOf = <S extends readonly Schema<unknown>[]>(
  ...shapes: S
): Schema<Infer<S[number]>> => ({ json: { anyOf: shapes.map(({ json }) => json) } });

const isTrue: Schema<true> = { json: { type: 'boolean', enum: [true] } };

export const millis = (description: string): Schema<number> => ({
  json: { type: 'number', description },
});

export const operationName: Schema<OperationName> = {
  json: { type: 'string', enum: operationNames },
};

const exitCode: Schema<ExitCode> = { json: { type: 'integer', enum: Object.values(exits) } };
const address = text({ description: 'A step, or one item of a for-each step: ladder[61500.0]' });

export const destinationSchema: Schema<Destination> = record({
  profile: text(),
  target: choice(['sandbox', 'live']),
  host: text({
    description: 'Where requests go; in-process and its world for the embedded sandbox',
  }),
  keyFingerprint: optional(text({ description: 'First 8 hex digits of the key’s sha256' })),
});

const truth: Schema<boolean> = { json: { type: 'boolean' } };

export const guardSchema: Schema<GuardResult> = record({
  guard: text(),
  limit: text(),
  used: text(),
  isKept: truth,
  message: text({ description: 'What broke it first; empty while it is kept' }),
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

const ended = { code: text(), message: text(), hint: optional(text()), exit: exitCode };

const person = optional(
  record(
    { who: text(), comment: optional(text()) },
    { description: 'A person said so, when the exchange could not' },
  ),
);

const at = optional(
  record({ step: text(), address }, { description: 'The step within, of a playbook it uses' }),
);

const outcome: Schema<Outcome> = oneOf(
  record({
    kind: choice(['done']),
    output: anything,
    evidence: choice(['answered', 'looked-up', 'from-ledger', 'by-person']),
    person,
  }),
  record({ kind: choice(['skipped']), because: text(), person }),
  described(
    'The exchange said no; nothing happened',
    record({ kind: choice(['refused']), ...ended, at }),
  ),
  described(
    'It failed here; nothing was executed',
    record({ kind: choice(['failed']), ...ended, person, at }),
  ),
  described(
    'It may or may not have happened',
    record({ kind: choice(['doubt']), because: text(), at }),
  ),
);

const digest = text({ description: 'Digest of what was asked' });

const place = {
  seq: integer({ minimum: 1, description: 'Place in the journal' }),
  at: millis('The machine’s wall clock, Unix milliseconds'),
};

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
      description: 'Whose signed word the plan has',
    }),
  ),
  inputs: anything,
  time: millis('The frozen time of the run, by the exchange’s clock'),
  scheduledFor: optional(millis('The time of its schedule the run is for')),
  program: text(),
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
  clamped: optional(record({ asked: millis('Asked from'), from: millis('Data begins') })),
  replaces: optional(integer({ description: 'Rows of the earlier export it took the place of' })),
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
    time: millis('The exchange’s clock that its windows are counted from'),
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
        againUntil: optional(millis('Rows up to here came already')),
      }),
    ),
    kept: record({ bytes: count, crc: count, names: record({ bytes: count, crc: count }) }),
  }),
);

/** One entry of a journal. */
export const entrySchema: Schema<Entry> = oneOf(
  started,
  record({ ...place, kind: choice(['resumed']) }),
  record({
    ...place,
    kind: choice(['taken-over']),
    host: text({ description: 'The machine that had the run and never reported back' }),
    since: millis('It may have signed from here on, by the exchange’s clock'),
    until: millis('It signed nothing after, by the exchange’s clock'),
  }),
  record({
    ...place,
    kind: choice(['opened']),
    step: text(),
    uses: optional(text({ description: 'What it does, when the start does not list it' })),
    items: optional(list(text())),
  }),
  record({
    ...place,
    kind: choice(['intended']),
    address,
    operation: operationName,
    input: anything,
    identity: text({ description: 'What names this action for ever' }),
    attempt: integer({ minimum: 1 }),
    signedAt: millis('Time the signature carries'),
    since: optional(millis('Signed on another machine, if at all, from this time on')),
    of: optional(digest),
  }),
  record({ ...place, kind: choice(['settled']), address, outcome, of: optional(digest) }),
  record({
    ...place,
    kind: choice(['clock']),
    address,
    time: millis('The exchange’s time when a wait began'),
  }),
  described(
    'Whether the lists of an account show its orders, learned by looking one up',
    record({
      ...place,
      kind: choice(['visibility']),
      account: text({ description: 'The account, as its lock is named' }),
      profile: text(),
      orders: choice(['listed', 'unlisted', 'unknown']),
      order: record(
        { run: text(), address, clientOid: text(), orderId: optional(text()) },
        { description: 'The order it was learned of' },
      ),
      time: millis('The exchange’s time when it was learned'),
      because: optional(text()),
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
    count: optional(integer({ minimum: 2, description: 'So many answers alike, told together' })),
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
  }),
  record({
    ...place,
    kind: choice(['finished']),
    status: choice(['done', 'stopped', 'doubt', 'interrupted']),
    exit: exitCode,
    outputs: anything,
    guards: optional(list(guardSchema, { description: 'What was used of every limit' })),
  }),
);
