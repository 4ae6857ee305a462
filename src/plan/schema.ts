/** The shape of a saved plan as JSON Schema, for programs that review one. */
import { schemaProblems } from '../api/check.ts';
import type { InputProblem } from '../api/exchange.ts';
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
import { frozenReads } from '../journal/frozen.ts';
import { guardSchema } from '../journal/guard-schema.ts';
import { orphansSchema } from '../journal/orphan.ts';
import { anything, oneOf } from '../journal/outcome-schema.ts';
import { destinationSchema, operationName, playbookFields } from '../journal/shared-schema.ts';
import type {
  Change,
  Confidence,
  RecordedQuote,
  Plan,
  PlannedAction,
  PlannedStep,
} from './plan.ts';

const count = integer({ minimum: 0 });

const confidence: Schema<Confidence> = oneOf(
  record({ kind: choice(['read-just-now']) }),
  record({ kind: choice(['from-ledger']), run: text() }),
  record({ kind: choice(['cannot-be-read-back']) }),
  described('Made offline, or read only while it runs', record({ kind: choice(['not-read']) })),
  record({ kind: choice(['known-after']), step: text() }),
);

const change: Schema<Change> = oneOf(
  record({ kind: choice(['read']), requests: count, rows: optional(count) }),
  described('Nothing to do', record({ kind: choice(['none']), because: text() })),
  record({ kind: choice(['create']) }),
  record({ kind: choice(['set']) }),
  record({ kind: choice(['local', 'outbound']) }),
  record({ kind: choice(['skip']), because: text() }),
  described('Known only after another step', record({ kind: choice(['later']) })),
);

const action: Schema<PlannedAction> = record({
  address: text({ description: 'A step, or one item of it: ladder[61500.0]' }),
  key: optional(text()),
  account: optional(text({ description: 'Profile, if it is not that of the run' })),
  operation: optional(operationName),
  change,
  confidence: optional(confidence),
  input: anything,
  note: optional(text()),
  order: optional(record({ notional: text(), mark: optional(text()), distance: optional(text()) })),
});

const step: Schema<PlannedStep> = record({
  id: text(),
  uses: text(),
  name: optional(text()),
  effect: choice(['read', 'set', 'keyed', 'once', 'local', 'outbound']),
  actions: list(action),
  file: optional(text({ description: 'The file a write makes' })),
});

const truth: Schema<boolean> = { json: { type: 'boolean' } };

const marks: Schema<Readonly<Record<string, string>>> = {
  json: {
    type: 'object',
    additionalProperties: { type: 'string', format: 'decimal', maxLength: 64 },
  },
};

const positions: Schema<Readonly<Record<string, readonly string[]>>> = {
  json: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
};

const two: Schema<2> = { json: { type: 'integer', enum: [2] } };

const places = integer({ minimum: 0, maximum: 64 });

const price = text({ format: 'decimal', maxLength: 64 });

const quotes: Schema<Readonly<Record<string, RecordedQuote>>> = {
  json: {
    type: 'object',
    additionalProperties: record({
      mark: optional(price),
      bid: optional(price),
      ask: optional(price),
      unpriced: optional(text({ description: 'Why its market data was rejected' })),
      places: optional(record({ price: places, size: places })),
    }).json,
    description: 'Trading rules of the orders, by symbol',
  },
};

const laterReads = list(
  record({
    address: text(),
    values: list(text(), {
      description: 'Paths into its response; an empty path is the whole response',
    }),
  }),
  { description: 'Values of expressions that are read only during the run' },
);

/** A moment after 1970, in whole milliseconds. */
const time = (description: string): Schema<number> =>
  integer({ minimum: 0, maximum: 8_640_000_000_000_000, description });

const seconds = (description: string): Schema<number> => ({
  json: { type: 'number', minimum: 0, description },
});

const sha256 = '^[0-9a-f]{64}$';

/** A plan. */
export const planSchema: Schema<Plan> = record({
  version: two,
  id: text({ pattern: '^p-[0-9a-f]{8}$' }),
  nonce: text({
    pattern: '^[0-9a-z]{16}$',
    description: 'Unique to this plan: no two plans have the same ids of writes',
  }),
  run: text({
    pattern: '^r-[0-9a-z-]{1,40}$',
    description: 'Id of its run; ids of its writes are derived from it',
  }),
  contract: text({
    pattern: sha256,
    description: 'Digest of the API schema it was validated with',
  }),
  isOffline: truth,
  playbook: playbookFields,
  destination: destinationSchema,
  accounts: optional(list(destinationSchema, { description: 'Other accounts that steps name' })),
  unlisted: optional(
    list(text(), { description: 'Profiles whose lists do not show their orders' }),
  ),
  notes: optional(list(text(), { description: 'Changes of an account: key, address, id' })),
  orphans: optional(orphansSchema),
  authors: list(text(), { description: 'Who wrote the playbook, by Git, and who made the plan' }),
  commit: optional(
    text({ pattern: '^[0-9a-f]{40,64}$', description: 'The commit it was made at' }),
  ),
  inputs: anything,
  scheduledFor: optional(time('The scheduled time a run of it is for')),
  observedAt: time('The exchange’s clock at the reads'),
  reads: frozenReads,
  readLater: optional(laterReads),
  expiresAt: time('End of its validity'),
  steps: list(step),
  totals: record({
    create: count,
    set: count,
    unchanged: count,
    outbound: optional(described('Notices and programs; absent when none', count)),
    later: optional(
      integer({ minimum: 0, description: 'Steps whose writes are known only during the run' }),
    ),
    requests: count,
    seconds: seconds('At the limits of the API, in seconds'),
    orders: count,
    notional: text(),
    farthest: optional(text({ description: 'Largest distance from a mark, as a ratio' })),
    openOrdersAfter: optional(count),
  }),
  guards: list(guardSchema),
  marks,
  quotes,
  positions,
  digest: text({ pattern: sha256, description: 'sha256 of everything above except the id' }),
});

/** Everything in which a value does not have the form of a plan. */
export function planProblems(value: unknown): readonly InputProblem[] {
  return schemaProblems(planSchema.json, value);
}
