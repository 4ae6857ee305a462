/** A fault rule in a scenario: which requests go wrong, and how. */
import { operationNames } from '../../contract/operations/index.ts';
import { choice, integer, optional, record, text } from '../../contract/schema.ts';
import { faultKinds } from '../faults/rules.ts';
import { closed, number, required, uid } from './words.ts';

const match = record(
  {
    operation: optional(choice(operationNames, { description: 'Only requests of this operation' })),
    uid: optional(uid),
    nth: optional(integer({ minimum: 1, description: 'Only the n-th of them, from 1' })),
    probability: optional(
      number({ minimum: 0, maximum: 1, description: 'Chance of a match, drawn from the seed' }),
    ),
  },
  { ...closed, description: 'Which requests; all of them when absent' },
);

const action = record(
  {
    kind: choice(faultKinds, { description: 'What goes wrong' }),
    status: optional(
      integer({ minimum: 200, maximum: 599, description: 'HTTP status, of kind status' }),
    ),
    code: optional(text({ description: 'Code of the exchange in the answer, of kind status' })),
    ms: optional(
      integer({
        minimum: 0,
        description: 'Milliseconds, of delay, never, late-commit and stale-reads',
      }),
    ),
    everyMs: optional(
      integer({ minimum: 0, description: 'Milliseconds for each byte, of slow-drip' }),
    ),
  },
  {
    ...closed,
    allOf: [
      required('ms', { kind: ['delay', 'late-commit', 'stale-reads'] }),
      required('everyMs', { kind: ['slow-drip'] }),
      required('status', { kind: ['status'] }),
    ],
    description: 'What becomes of the request',
  },
);

export const fault = record(
  {
    match: optional(match),
    when: optional(
      choice(['before', 'after-commit'], {
        description:
          'before: the request is lost on its way in; after-commit: it is executed, then its answer is harmed',
      }),
    ),
    times: optional(
      integer({ minimum: 1, description: 'How often it strikes; for ever when absent' }),
    ),
    action,
  },
  closed,
);
