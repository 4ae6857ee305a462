/** The shape of an outcome as JSON Schema, and the small shapes it is made of. */
import { exits, type ExitCode } from '../base/error.ts';
import type { Json } from '../base/json.ts';
import {
  choice,
  described,
  optional,
  record,
  text,
  type Infer,
  type Schema,
} from '../api/schema.ts';
import type { Outcome } from './outcome.ts';

/** A value of any shape: what a playbook or the exchange put there. */
export const anything: Schema<Json> = { json: {} };

/** One of several shapes, distinguished by their `kind`. */
export const oneOf = <S extends readonly Schema<unknown>[]>(
  ...shapes: S
): Schema<Infer<S[number]>> => ({ json: { anyOf: shapes.map(({ json }) => json) } });

export const exitCode: Schema<ExitCode> = { json: { type: 'integer', enum: Object.values(exits) } };
export const address = text({
  description: 'A step, or one item of a for-each step: ladder[61500.0]',
});

const ended = { code: text(), message: text(), hint: optional(text()), exit: exitCode };

const person = optional(
  record(
    {
      who: text(),
      comment: optional(text()),
      statement: optional(
        record(
          { body: text(), signature: text(), key: text({ description: 'Fingerprint of the key' }) },
          { description: 'Signed statement, if the exchange cannot prove it' },
        ),
      ),
    },
    { description: 'Recorded by a person' },
  ),
);

const at = optional(
  record({ step: text(), address }, { description: 'The step of the nested playbook' }),
);

export const outcome: Schema<Outcome> = oneOf(
  record({
    kind: choice(['done']),
    output: anything,
    evidence: choice(['answered', 'looked-up', 'from-ledger', 'from-plan', 'by-person']),
    person,
  }),
  record({ kind: choice(['skipped']), because: text(), person }),
  described(
    'The exchange refused it; nothing was executed',
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
