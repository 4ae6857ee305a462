/** How one action of a run ended: its shape as JSON Schema, and its type. */
import { exits, type ExitCode } from '../base/error.ts';
import {
  anything,
  choice,
  described,
  oneOf,
  optional,
  record,
  text,
  type Infer,
  type Schema,
} from '../api/schema.ts';

export const exitCode: Schema<ExitCode> = { json: { type: 'integer', enum: Object.values(exits) } };
export const address = text({
  description: 'A step, or one item of a for-each step: ladder[61500.0]',
});

/** A text and its SSH signature, which anyone with the public key can check. */
const statement = record(
  { body: text(), signature: text(), key: text({ description: 'Fingerprint of the key' }) },
  { description: 'Signed statement, if the exchange cannot prove it' },
);

const person = record(
  {
    /** Their name on this machine. */
    who: text(),
    comment: optional(text()),
    statement: optional(statement),
  },
  { description: 'Recorded by a person' },
);

/** How the answer of the exchange to a write was obtained. */
const evidence = choice(['answered', 'looked-up', 'from-ledger', 'from-plan', 'by-person']);

/** The step within, when a playbook that a step uses ended as one of its steps did. */
const within = record(
  { step: text(), address },
  { description: 'The step of the nested playbook' },
);

const ended = { code: text(), message: text(), hint: optional(text()), exit: exitCode };
const at = optional(within);

export const outcome = oneOf(
  record({ kind: choice(['done']), output: anything, evidence, person: optional(person) }),
  /** With a person: it may or may not have happened, and the run gives it up. */
  record({ kind: choice(['skipped']), because: text(), person: optional(person) }),
  described(
    'The exchange refused it; nothing was executed',
    record({ kind: choice(['refused']), ...ended, at }),
  ),
  /** With a person: it may be sent again. */
  described(
    'It failed here; nothing was executed',
    record({ kind: choice(['failed']), ...ended, person: optional(person), at }),
  ),
  described(
    'It may or may not have happened',
    record({ kind: choice(['doubt']), because: text(), at }),
  ),
);

export type Outcome = Infer<typeof outcome>;
export type Evidence = Infer<typeof evidence>;
/** What settles a doubt that the exchange could not; its time is that of the entry. */
export type PersonsWord = Infer<typeof person>;
