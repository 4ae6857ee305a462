/** The JSON of `run`, `resume`, `export` and the commands before and after a run. */
import { asked as askedSchema } from '../../engine/journal/asked-schema.ts';
import { answerSchema } from '../../engine/approval/answer-record.ts';
import {
  changedLines,
  offeredPasskeys,
  offerSchema,
  requirement,
} from '../../engine/approval/offer.ts';
import { approvalSchema } from '../../engine/approval/record.ts';
import {
  anything,
  choice,
  described,
  integer,
  list,
  optional,
  record,
  recordOf,
  text,
  truth,
  type Infer,
} from '../../exchange/api/schema.ts';
import { continued, exceptions } from '../../engine/journal/export-schema.ts';
import { guardResult } from '../../engine/journal/guard-result.ts';
import { orphans } from '../../engine/journal/orphan.ts';
import { exitCode } from '../../engine/journal/outcome.ts';
import {
  accountText,
  count,
  destinationSchema,
  millis,
  operationName,
} from '../../engine/journal/shared-schema.ts';
import { driftLine } from '../../engine/plan/drift.ts';
import { planSchema } from '../../engine/plan/plan-schema.ts';
import type { Doubt, Refusal } from '../../report/answers.ts';
import type { Basis } from '../../report/assumptions.ts';
import type { FileLine } from '../../report/file-lines.ts';
import type { RunReport } from '../running/report.ts';
import { errorInWords, one, otherAccounts } from './common.ts';
import { endStatuses } from '../../engine/journal/end-status.ts';

const step = recordOf<RunReport['steps'][number]>({
  id: text(),
  account: optional(accountText),
  uses: text(),
  status: text({ description: 'done, refused, failed, doubt, skipped, open, not-sent' }),
  detail: text(),
  reused: optional(text({ description: 'The earlier run that did it: it was not executed' })),
  reusedItems: optional(
    list(record({ key: text(), run: text() }), {
      description: 'The items that an earlier run did: they were not executed',
    }),
  ),
  ms: count,
  items: list(
    record({ address: text(), account: optional(accountText), key: text(), state: text() }),
  ),
});

const order = recordOf<RunReport['orders'][number]>({
  address: text(),
  account: optional(accountText),
  symbol: text(),
  side: text(),
  size: text(),
  price: text(),
  clientOid: text(),
  orderId: text({ description: 'Empty while none is known' }),
  state: text({ description: 'placed, or what a later read showed' }),
  how: text(),
});

const file = recordOf<FileLine>({
  step: text(),
  account: optional(accountText),
  file: text(),
  rows: count,
  bytes: count,
  pages: count,
  sha256: text(),
  range: optional(
    described(
      'The time range that its rows cover; both bounds are included',
      record({ from: millis('First moment'), to: millis('Last moment') }),
    ),
  ),
  exceptions: optional(
    described('Columns with values that are not of their type, as in the manifest', exceptions),
  ),
  clamped: optional(record({ asked: millis('Asked from'), from: millis('Begins at') })),
  continued: optional(continued),
});

const doubt = recordOf<Doubt>({
  address: text(),
  account: optional(accountText),
  kind: choice(['order', 'sub-account', 'other']),
  what: text(),
  clientOid: optional(text()),
  sent: text({ description: 'When it was sent, in words' }),
  because: text({ description: 'Why its outcome is unknown' }),
  lists: list(text(), { description: 'What each list said, or how its read failed' }),
  settledBy: choice(['lists', 'resume', 'person']),
  settles: text({ description: 'What settles it' }),
  sentAt: optional(millis('When its last attempt was signed')),
  attempts: count,
});

const refusal = recordOf<Refusal>({
  address: text(),
  account: optional(accountText),
  by: choice(['exchange', 'deskhand']),
  what: text(),
  code: text(),
  message: text(),
  clientOid: optional(text()),
});

const basis = recordOf<Basis>({
  profile: text(),
  assumptions: list(
    record({
      number: count,
      statement: text(),
      state: choice(['assumed', 'proved', 'open', 'refuted']),
      because: text(),
    }),
  ),
  warning: optional(record({ text: text(), because: text() })),
});

export const runOutput = recordOf<RunReport>({
  version: one,
  run: text(),
  playbook: record({ name: text(), file: text() }),
  plan: optional(text()),
  destination: destinationSchema,
  accounts: otherAccounts,
  status: choice(endStatuses),
  exit: exitCode,
  headline: text(),
  tally: record({ done: count, refused: count, inDoubt: count, notSent: count }),
  requests: count,
  steps: list(step),
  orders: list(order),
  outputs: anything,
  files: list(file),
  guards: list(guardResult),
  bases: list(basis, { description: 'Assumptions for each account of a run with orders' }),
  orphans: optional(orphans),
  inDoubt: list(doubt),
  refused: list(refusal),
  next: list(text(), { description: 'Suggested next commands' }),
});

/** A plan that the branch commits: people sign it, and the merge runs it. */
const committed = record({
  file: text(),
  plan: optional(text()),
  required: list(requirement),
  runs: optional(truth),
  because: optional(text({ description: 'Why its run would be refused now' })),
  changes: optional(changedLines),
});

/** The output of `plan`: one plan, or with `--changed-since` one for each playbook. */
export const planOutput = {
  json: {
    anyOf: [
      planSchema.json,
      record({
        version: one,
        since: text(),
        plans: list(
          record({
            file: text(),
            plan: optional(planSchema),
            trouble: optional(text()),
            committed: optional(list(committed)),
          }),
        ),
      }).json,
    ],
  },
};

/** The answer to a step of a run that would be signed. */
const answerOffer = record({
  version: one,
  record: text({ description: 'The text to sign' }),
  challenge: text({ description: 'The challenge of a passkey: SHA-256 of the text, base64url' }),
  passkeys: offeredPasskeys,
  run: text(),
  asked: askedSchema,
  required: record({
    by: choice(['other', 'anyone']),
    count: integer({ minimum: 1, description: 'Number of approvals' }),
    of: optional(list(text(), { description: 'People who may approve' })),
    approved: list(record({ who: text(), key: text(), at: millis('When it was signed') })),
    notes: list(text(), { description: 'Records that do not count' }),
    trouble: optional(text({ description: 'Why nothing can count now' })),
  }),
});

/** Signed approvals with their signers and files, or the decision that would be signed. */
const signed = {
  json: {
    anyOf: [
      {
        ...approvalSchema.json,
        allOf: [
          record({
            who: text(),
            key: text({ description: 'Fingerprint of the key' }),
            file: text(),
            files: list(text()),
          }).json,
        ],
      },
      offerSchema.json,
      {
        ...answerSchema.json,
        allOf: [record({ who: text(), key: text(), file: text() }).json],
      },
      answerOffer.json,
    ],
  },
};

export const approveOutput = signed;
export const declineOutput = signed;

export const importOutput = record({
  version: one,
  run: text(),
  address: text(),
  operation: operationName,
  output: anything,
  evidence: choice(['looked-up', 'by-person']),
  person: { json: { type: 'object', required: ['who'] } },
});

export const driftOutput = record({
  version: one,
  isSame: truth,
  playbooks: list(
    record({
      playbook: text(),
      file: text(),
      destination: destinationSchema,
      accounts: otherAccounts,
      lines: list(driftLine),
      older: count,
      elsewhere: count,
      damages: list(text()),
    }),
  ),
  invalid: optional(
    list(record({ file: text(), error: errorInWords }), {
      description: 'Playbooks that are not valid, and were not compared',
    }),
  ),
  exit: exitCode,
});

export type DriftOutput = Infer<typeof driftOutput>;
