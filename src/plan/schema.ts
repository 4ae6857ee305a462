/** The shape of a saved plan as JSON Schema, for programs that review one. */
import {
  choice,
  described,
  integer,
  list,
  optional,
  record,
  text,
  type Schema,
} from '../contract/schema.ts';
import {
  anything,
  destinationSchema,
  guardSchema,
  millis,
  oneOf,
  operationName,
  playbookFields,
} from '../journal/schema.ts';
import type { Change, Confidence, Plan, PlannedAction, PlannedStep } from './plan.ts';

const confidence: Schema<Confidence> = oneOf(
  record({ kind: choice(['read-just-now']) }),
  record({ kind: choice(['from-ledger']), run: text() }),
  record({ kind: choice(['cannot-be-read-back']) }),
  described('Made offline, or read only while it runs', record({ kind: choice(['not-read']) })),
  record({ kind: choice(['known-after']), step: text() }),
);

const change: Schema<Change> = oneOf(
  record({ kind: choice(['read']), requests: integer(), rows: optional(integer()) }),
  described('Nothing to do', record({ kind: choice(['none']), because: text() })),
  record({ kind: choice(['create']) }),
  record({ kind: choice(['set']) }),
  record({ kind: choice(['local']) }),
  record({ kind: choice(['skip']), because: text() }),
  described('Known only after another step', record({ kind: choice(['later']) })),
);

const action: Schema<PlannedAction> = record({
  address: text({ description: 'A step, or one item of it: ladder[61500.0]' }),
  key: optional(text()),
  account: optional(text({ description: 'Profile, when it is not the run’s own' })),
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
  effect: choice(['read', 'set', 'keyed', 'once', 'local']),
  actions: list(action),
  file: optional(text({ description: 'The file a write makes' })),
});

const truth: Schema<boolean> = { json: { type: 'boolean' } };

const marks: Schema<Readonly<Record<string, string>>> = {
  json: { type: 'object', additionalProperties: { type: 'string' } },
};

const positions: Schema<Readonly<Record<string, readonly string[]>>> = {
  json: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
};

const one: Schema<1> = { json: { type: 'integer', enum: [1] } };

/** A plan. */
export const planSchema: Schema<Plan> = record({
  version: one,
  id: text({ pattern: '^p-[0-9a-f]{8}$' }),
  nonce: text({ description: 'Drawn for this plan: no two plans name the same writes' }),
  run: text({ description: 'The run it may become; its writes are named by it' }),
  contract: text({ description: 'Digest of the contract it was held against' }),
  isOffline: truth,
  playbook: playbookFields,
  destination: destinationSchema,
  accounts: optional(list(destinationSchema, { description: 'Other accounts that steps name' })),
  unlisted: optional(
    list(text(), { description: 'Profiles whose lists do not show the orders placed on them' }),
  ),
  authors: list(text(), { description: 'Who wrote the playbook, by Git, and who made the plan' }),
  commit: optional(text({ description: 'The commit it was made at' })),
  inputs: anything,
  scheduledFor: optional(millis('The time of its schedule a run of it is for')),
  observedAt: millis('The exchange’s clock when the reads were made'),
  expiresAt: millis('Not to be run after this'),
  steps: list(step),
  totals: record({
    create: integer(),
    set: integer(),
    unchanged: integer(),
    later: optional(integer({ description: 'Steps that may write, and only the run knows what' })),
    requests: integer(),
    seconds: millis('At the limits of the contract, in seconds'),
    orders: integer(),
    notional: text(),
    farthest: optional(text({ description: 'Largest distance from a mark, as a ratio' })),
    openOrdersAfter: optional(integer()),
  }),
  guards: list(guardSchema),
  marks,
  positions,
  digest: text({ description: 'sha256 of everything above but the id' }),
});
