/** The formats of journal entries as JSON Schema: for programs that read `-o ndjson` or a journal, and for tsc. */
import {
  anything,
  choice,
  described,
  exactly,
  integer,
  isTrue,
  list,
  oneOf,
  optional,
  propertyOf,
  record,
  text,
  type JsonSchema,
} from '../../exchange/api/schema.ts';
import { approval, asked } from './asked-schema.ts';
import { deviations } from './deviations.ts';
import { document, paged, reading, wrote } from './export-schema.ts';
import { frozenReads } from './frozen.ts';
import { guardResult } from './guard-result.ts';
import { orphans } from './orphan.ts';
import { address, exitCode, failedItem, outcome } from './outcome.ts';
import {
  destinationSchema,
  millis,
  operationName,
  place,
  playbookFields,
} from './shared-schema.ts';
import { reusedSteps } from './reused.ts';
import { visibilityFields } from './visible.ts';
import { endStatuses } from './end-status.ts';

/** `address` identifies one action in a run: the digest shows whether a request is that action. */
const digest = text({ description: 'Digest of the request' });

const itemsMax = optional(
  integer({ minimum: 1, description: 'Maximum items of a for-each (default 10000)' }),
);

const started = record({
  ...place,
  kind: choice(['started']),
  run: text(),
  /** The playbook with its texts: a resumed run uses the original ones. */
  playbook: playbookFields,
  destination: destinationSchema,
  accounts: optional(list(destinationSchema, { description: 'Other accounts that steps name' })),
  plan: optional(text()),
  commit: optional(text({ description: 'The commit the plan was made at' })),
  approvals: optional(list(approval, { description: 'Approvals of the plan' })),
  authors: optional(
    list(text(), { description: 'Who wrote it or started it, if a step waits for approvals' }),
  ),
  inputs: anything,
  /** The values that the run's plan froze. */
  reads: optional(frozenReads),
  orphans: optional(orphans),
  reused: optional(reusedSteps),
  time: millis('Time of the run, by the exchange’s clock'),
  scheduledFor: optional(millis('The scheduled time the run is for')),
  program: text(),
  /** The playbook sent nothing in an imported run. `named`: the playbook sets the clientOid itself. */
  imported: optional(
    choice(['named', 'unnamed'], { description: 'It imported an existing order; who named it' }),
  ),
  /** 2: by canonical content; absent: by the input as written. */
  naming: optional(exactly(2, { description: 'Naming of its writes (default 1)' })),
  itemsMax,
  steps: list(
    record({
      id: text(),
      uses: text(),
      name: optional(text()),
      line: integer({ minimum: 1 }),
      accounts: optional(
        list(text(), { description: 'Profiles of its planned actions, in a run with several' }),
      ),
    }),
  ),
});

const resumed = record({
  ...place,
  kind: choice(['resumed']),
  accounts: optional(
    list(destinationSchema, { description: 'Accounts with another key or address than before' }),
  ),
  itemsMax,
});

/**
 * The takeover of a run from another machine that did not report its end. Between two times of the
 * exchange's clock that machine may have signed writes: those with an intent before this entry if they
 * are listed, else any keyed write that is not settled before it; and if the store forgot what it had
 * recorded, any write.
 */
const takenOver = record({
  ...place,
  kind: choice(['taken-over']),
  host: text({ description: 'The machine that had the run and did not report its end' }),
  since: millis('Start of the time in which it may have signed, by the exchange’s clock'),
  until: millis('End of the time in which it may have signed, by the exchange’s clock'),
  isListed: optional(described('Writes that it may have sent have an intent before this', isTrue)),
  forgets: optional(described('The store was restored, and may lack any of its writes', isTrue)),
});

const writeFields = {
  address,
  operation: operationName,
  input: anything,
  /** Digest of the content, for `once-per: playbook`. */
  identity: text({ description: 'Permanent key of this action' }),
  account: optional(text({ description: 'Profile of the account, in a run with several' })),
};

/** A write with its identity: enough to look it up. */
export const write = record(writeFields);

export const stepFailure = record(
  { step: text(), code: text(), message: text() },
  { description: 'The failure that on-failure handles' },
);

/** A step starts. `items` are the keys of a for-each; absent for a single action. */
const opened = record({
  ...place,
  kind: choice(['opened']),
  step: text(),
  uses: optional(text({ description: 'Its effect, if the start does not list it' })),
  items: optional(list(text())),
  accounts: optional(
    list(text(), { description: 'Profiles of its items in a run with several, or one for all' }),
  ),
  /** The writes of a step. Absent if it sends nothing itself, or if they are those of its last opening. */
  writes: optional(
    list(write, { description: 'All writes it may send, unless its last opening lists the same' }),
  ),
  failure: optional(stepFailure),
});

/**
 * Written before a write is sent; one with `since` is a write that another machine may have sent.
 */
const intended = record({
  ...place,
  ...writeFields,
  kind: choice(['intended']),
  attempt: integer({ minimum: 1 }),
  signedAt: millis('Time the signature carries'),
  since: optional(millis('Earliest time at which another machine may have signed')),
  /** The mark price is absent if no limit used it. */
  mark: optional(text({ description: 'Mark price of its limit check' })),
  worth: optional(text({ description: 'Its maximum value in dollars' })),
  of: optional(digest),
});

/** A person's statement has no digest. */
const settled = record({
  ...place,
  kind: choice(['settled']),
  address,
  outcome,
  of: optional(digest),
});

/** The recorded time of a wait, which ends at the same time however often the run is resumed. */
const clock = record({
  ...place,
  kind: choice(['clock']),
  address,
  time: millis('The exchange’s time when a wait began'),
  /** The duration is absent if nothing is awaited. */
  ms: optional(integer({ minimum: 0, description: 'How long is waited from then on' })),
});

const visibility = described(
  'Whether the lists of an account show its orders of a product line, from a lookup',
  record({ ...place, kind: choice(['visibility']), ...visibilityFields }),
);

const clockOutlier = described(
  'Two responses of a lookup had contradicting times',
  record({
    ...place,
    kind: choice(['clock-outlier']),
    address,
    ms: millis('How far one was ahead of the other'),
  }),
);

/** A signal that the run may wait for. */
const signalled = record({
  ...place,
  kind: choice(['signalled']),
  name: text(),
  payload: anything,
});

/** A wait for a rate limit slot, or before another attempt. */
const waited = record({
  ...place,
  kind: choice(['waited']),
  address,
  operation: operationName,
  why: choice(['limit', 'retry', 'poll', 'look-up']),
  ms: millis('Length of the wait'),
  because: optional(text()),
});

/** The responses of calls. With `count`, `ms` is the total time of the responses. */
const answered = record({
  ...place,
  kind: choice(['answered']),
  address,
  operation: operationName,
  attempt: integer({ minimum: 1 }),
  ms: millis('Time to the response'),
  status: integer(),
  code: text(),
  count: optional(
    integer({ minimum: 2, description: 'Number of identical responses in this entry' }),
  ),
  deviations: optional(deviations),
});

/** The failure of an expectation. */
const unmet = record({
  ...place,
  kind: choice(['unmet']),
  address,
  level: choice(['error', 'warn']),
  message: text(),
  line: integer(),
});

export const stepStatus = choice(['done', 'skipped', 'refused', 'failed', 'doubt', 'interrupted']);

const closed = record({
  ...place,
  kind: choice(['closed']),
  step: text(),
  status: stepStatus,
  because: optional(text()),
  hint: optional(text({ description: 'What to do about it' })),
  missing: optional(text({ description: 'The step it needs that was not done' })),
  continues: optional(described('It failed, and the run continues: on-error', isTrue)),
  failed: optional(
    list(failedItem, { description: 'The items without a result: on-error: partial' }),
  ),
  reused: optional(text({ description: 'The run whose results it has: it was not executed' })),
});

const finished = record({
  ...place,
  kind: choice(['finished']),
  status: choice(endStatuses),
  exit: exitCode,
  outputs: anything,
  guards: optional(list(guardResult, { description: 'Usage of every limit' })),
});

const shapes = [
  started,
  resumed,
  takenOver,
  opened,
  intended,
  settled,
  clock,
  asked,
  visibility,
  clockOutlier,
  signalled,
  waited,
  answered,
  unmet,
  reading,
  paged,
  wrote,
  document,
  closed,
  finished,
] as const;

/** One entry of a journal. */
export const entrySchema = oneOf(...shapes);

/** The format of each kind of entry. */
export const entryShapes: ReadonlyMap<string, JsonSchema> = new Map(
  shapes.map(({ json }) => [kindIn(json), json]),
);

function kindIn(shape: JsonSchema): string {
  const kinds = propertyOf(shape, 'kind')['enum'];
  return Array.isArray(kinds) ? String(kinds[0]) : '';
}
