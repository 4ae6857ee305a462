/** The shape of a saved plan as JSON Schema, for programs that review one. */
import { schemaProblems } from '../../exchange/api/check.ts';
import type { InputProblem } from '../../exchange/api/exchange.ts';
import {
  anything,
  choice,
  described,
  exactly,
  integer,
  list,
  named,
  oneOf,
  optional,
  record,
  text,
  truth,
  type Schema,
} from '../../exchange/api/schema.ts';
import { decimalText } from '../../exchange/api/vocabulary.ts';
import { frozenReads } from '../journal/frozen.ts';
import { guardResult } from '../journal/guard-result.ts';
import { orphans } from '../journal/orphan.ts';
import { reusedSteps } from '../journal/reused.ts';
import {
  destinationSchema,
  millis,
  operationName,
  playbookFields,
} from '../journal/shared-schema.ts';
import { doubtsOfOthers } from './doubts.ts';
import { unknownOrders } from './unknown-order.ts';
import { unfinishedRuns } from './unfinished.ts';

const count = integer({ minimum: 0 });

export const confidence = oneOf(
  record({ kind: choice(['read-just-now']) }),
  record({ kind: choice(['from-ledger']), run: text() }),
  record({ kind: choice(['cannot-be-read-back']) }),
  described('Made offline, or read only while it runs', record({ kind: choice(['not-read']) })),
  record({ kind: choice(['known-after']), step: text() }),
);

export const stateBefore = record(
  {
    value: optional(text({ description: 'Absent if it is not known' })),
    because: text({ description: 'Who set it, and how long before the plan' }),
  },
  { description: 'The state before it, from the records of runs' },
);

export const change = oneOf(
  record({
    kind: choice(['read']),
    requests: count,
    rows: optional(count),
    range: optional(
      described(
        'The time range of a read of all pages; both bounds are included',
        record({ from: millis('First moment'), to: millis('Last moment') }),
      ),
    ),
    continues: optional(
      described(
        'Where a read with since: last continues, by the files of the planning machine',
        record({
          from: optional(millis('First moment that no file covers; absent without files')),
          gaps: optional(
            list(record({ from: millis('First moment'), to: millis('Last moment') }), {
              description: 'Ranges without rows that the exchange no longer keeps',
            }),
          ),
        }),
      ),
    ),
    failed: optional(text({ description: 'Why it failed now; the run reads it again' })),
  }),
  described('Nothing to do', record({ kind: choice(['none']), because: text() })),
  record({ kind: choice(['create']) }),
  record({ kind: choice(['set']), was: optional(stateBefore) }),
  record({ kind: choice(['local', 'outbound']) }),
  record({ kind: choice(['skip']), because: text() }),
  described(
    'Not executed: an earlier run did it',
    record({ kind: choice(['reused']), because: text() }),
  ),
  described('Known only after another step', record({ kind: choice(['later']) })),
);

export const action = record({
  address: text({ description: 'A step, or one item of it: ladder[61500.0]' }),
  key: optional(text()),
  account: optional(text({ description: 'Profile of its account, in a plan with several' })),
  operation: optional(operationName),
  change,
  confidence: optional(confidence),
  /** The input as it would be sent; an unknown value is `{ "known-after": step }`. */
  input: anything,
  file: optional(text({ description: 'The file that an item creates' })),
  note: optional(text()),
  /** The positions of its symbol, if a guard limits them: sizes in the base coin, or why they were not read. */
  position: optional(
    record({
      long: optional(decimalText('Size of the long position')),
      short: optional(decimalText('Size of the short position')),
      unread: optional(text()),
    }),
  ),
  /** The order's maximum value in the quote coin, the mark price, and the signed distance as a ratio. */
  order: optional(record({ notional: text(), mark: optional(text()), distance: optional(text()) })),
});

export const step = record({
  id: text(),
  uses: text(),
  name: optional(text()),
  /** The strongest possible effect of the action, even if it is known only during the run. */
  effect: choice(['read', 'set', 'keyed', 'once', 'local', 'outbound']),
  actions: list(action),
  file: optional(text({ description: 'The file that write creates' })),
});

const places = integer({ minimum: 0, maximum: 64 });

const price = text({ format: 'decimal', maxLength: 64 });

/** The prices and precision against which orders of a symbol were checked. */
export const quote = record({
  /** The mark price of the symbol; absent if it is not plausible. */
  mark: optional(price),
  /** Best bid and ask, if the value of an order depends on them. */
  bid: optional(price),
  ask: optional(price),
  unpriced: optional(text({ description: 'Why its market data was rejected' })),
  /** The maximum decimal places of the symbol's quotes, if its order precision is unknown. */
  places: optional(record({ price: places, size: places })),
});

/** Values that only the run will read, as paths into the response of an action. */
export const laterRead = record({
  address: text(),
  account: optional(text({ description: 'Profile of its account, in a plan with several' })),
  values: list(text(), {
    description: 'Paths into its response; an empty path is the whole response',
  }),
});

/** A moment after 1970, in whole milliseconds. */
const time = (description: string): Schema<number> =>
  integer({ minimum: 0, maximum: 8_640_000_000_000_000, description });

const seconds = (description: string): Schema<number> => ({
  json: { type: 'number', minimum: 0, description },
});

const sha256 = '^[0-9a-f]{64}$';

const accountTotals = record({
  account: text(),
  create: count,
  set: count,
  unchanged: count,
  orders: count,
  notional: text(),
  openOrdersAfter: optional(count),
});

/** The format of a saved plan. */
export const planSchema = record({
  version: exactly(2),
  /** `p-` and eight characters of the digest. */
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
  /** Whether nothing was read for the plan: then it can be displayed, and never run. */
  isOffline: truth,
  playbook: playbookFields,
  destination: destinationSchema,
  accounts: optional(list(destinationSchema, { description: 'Other accounts that steps name' })),
  unlisted: optional(
    list(text(), { description: 'Profiles whose lists do not show their orders' }),
  ),
  notes: optional(
    list(text(), {
      description:
        'Changes of an account: key, address, id; and what an earlier run left that was set aside or is reused',
    }),
  ),
  orphans: optional(orphans),
  reused: optional(reusedSteps),
  unfinished: optional(unfinishedRuns),
  doubts: optional(doubtsOfOthers),
  /** The authors' addresses are in lower case. */
  authors: list(text(), { description: 'Who wrote the playbook, by Git, and who made the plan' }),
  commit: optional(
    text({ pattern: '^[0-9a-f]{40,64}$', description: 'The commit it was made at' }),
  ),
  inputs: anything,
  let: optional(named(anything, { description: 'Values of let; absent without any' })),
  scheduledFor: optional(time('The scheduled time a run of it is for')),
  /** `run.time` of a run of this plan. */
  observedAt: time('The exchange’s clock at the reads'),
  /** A run of this plan evaluates with these values. Empty when the plan writes nothing. */
  reads: frozenReads,
  readLater: optional(
    list(laterRead, { description: 'Values of expressions that are read only during the run' }),
  ),
  expiresAt: time('End of its validity'),
  steps: list(step),
  unknownOrders: optional(unknownOrders),
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
    unknown: optional(
      integer({
        minimum: 0,
        description: 'Orders, or steps that may place several, of unknown value',
      }),
    ),
    several: optional(
      integer({ minimum: 0, description: 'Those of them that may place any number of orders' }),
    ),
    farthest: optional(text({ description: 'Largest distance from a mark price, as a ratio' })),
    openOrdersAfter: optional(count),
    accounts: optional(
      list(accountTotals, { description: 'Of each account, if there are several' }),
    ),
  }),
  guards: list(guardResult),
  /** Mark prices the plan was checked against, by symbol. */
  marks: named(price),
  quotes: named(quote, { description: 'Trading rules of the orders, by symbol' }),
  /**
   * Symbols with an open position, by product type: a new leverage takes effect for them. The product
   * type of another account names its profile: `USDT-FUTURES of hedge`.
   */
  positions: named(list(text())),
  /** The counts are by product type, named as in `positions`. */
  openOrders: optional(named(count, { description: 'Open orders in lines of new orders' })),
  seal: optional(
    named(text({ pattern: '^[0-9a-f]{16}$' }), {
      description:
        'Digest of each field and step, by its name: what was changed after saving is named',
    }),
  ),
  digest: text({ pattern: sha256, description: 'sha256 of everything except it and the id' }),
});

/** All values that do not have the format of a plan. */
export function planProblems(value: unknown): readonly InputProblem[] {
  return schemaProblems(planSchema.json, value);
}
