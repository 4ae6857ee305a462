/** The outcome of one action of a run: its JSON Schema and its type. */
import { exits, type ExitCode } from '../../base/error.ts';
import {
  anything,
  choice,
  described,
  integer,
  list,
  oneOf,
  optional,
  record,
  text,
  type Infer,
  type Schema,
} from '../../exchange/api/schema.ts';
import { millis } from './shared-schema.ts';

export const exitCode: Schema<ExitCode> = { json: { type: 'integer', enum: Object.values(exits) } };
export const address = text({
  description: 'A step, or one item of a for-each step: ladder[61500.0]',
});

/** A text and its SSH signature, which anyone with the public key can verify. */
const statement = record(
  { body: text(), signature: text(), key: text({ description: 'Fingerprint of the key' }) },
  { description: 'Signed statement, if the exchange cannot prove it' },
);

const person = record(
  {
    /** The person's user name on this machine. */
    who: text(),
    comment: optional(text()),
    statement: optional(statement),
  },
  { description: 'Recorded by a person' },
);

/** The way in which the outcome of a write was determined. */
const evidence = choice(['answered', 'looked-up', 'from-ledger', 'from-plan', 'by-person']);

/** The step of the nested playbook that determined the outcome. */
const within = record(
  { step: text(), address },
  { description: 'The step of the nested playbook' },
);

/** The answer of one list in which a write was looked up. */
const listSaid = record({
  list: text({ description: 'The operation that lists the orders' }),
  until: optional(millis('The exchange’s time up to which it was read and did not show it')),
  unread: optional(text({ description: 'Why the last read failed, in its own words' })),
});

/** The result of a lookup, and why that does not settle the outcome. */
const lookup = record({
  looks: integer({ minimum: 0, description: 'Complete reads of all lists' }),
  lists: list(listSaid),
  but: optional(text({ description: 'Why what the lists said does not settle it' })),
});

const ended = { code: text(), message: text(), hint: optional(text()), exit: exitCode };
const at = optional(within);

export const outcome = oneOf(
  record({
    kind: choice(['done']),
    output: anything,
    evidence,
    person: optional(person),
    raw: optional(
      text({ description: 'The data of a response that deviates from the interface, as JSON' }),
    ),
  }),
  /** A person decided that the run abandons the write, which may or may not have been executed. */
  record({ kind: choice(['skipped']), because: text(), person: optional(person) }),
  described(
    'The exchange refused it; nothing was executed',
    record({ kind: choice(['refused']), ...ended, at }),
  ),
  /** The write failed before it was executed. If a person decided that, it may be sent again. */
  described(
    'It failed here; nothing was executed',
    record({ kind: choice(['failed']), ...ended, person: optional(person), at }),
  ),
  described(
    'It may or may not have happened',
    record({
      kind: choice(['doubt']),
      because: text({ description: 'Why the outcome is unknown' }),
      lookup: optional(lookup),
      at,
    }),
  ),
);

export type Outcome = Infer<typeof outcome>;
export type Lookup = Infer<typeof lookup>;
export type ListSaid = Infer<typeof listSaid>;
export type Evidence = Infer<typeof evidence>;
/** A person's settlement of a doubt; its time is that of the entry. */
export type PersonsWord = Infer<typeof person>;

/** An item of a for-each that failed, or was not started after too many that did. */
export const failedItem = record({ key: text(), code: text(), message: text() });
