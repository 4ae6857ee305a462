/** A fault rule in a scenario: which requests fail, and how. */
import { operationNames } from '../../exchange/api/operations/index.ts';
import { choice, integer, optional, record, text } from '../../exchange/api/schema.ts';
import { faultKinds } from '../faults/rules.ts';
import { closed, number, required, uid } from './words.ts';

const match = record(
  {
    operation: optional(choice(operationNames, { description: 'Only requests of this operation' })),
    uid: optional(uid),
    nth: optional(integer({ minimum: 1, description: 'Only the n-th of them, from 1' })),
    probability: optional(
      number({
        minimum: 0,
        maximum: 1,
        description: 'Probability of a match, derived from the seed',
      }),
    ),
  },
  { ...closed, description: 'Which requests (default: all)' },
);

const action = record(
  {
    kind: choice(faultKinds, { description: 'The fault' }),
    status: optional(
      integer({ minimum: 200, maximum: 599, description: 'HTTP status, for kind status' }),
    ),
    code: optional(text({ description: 'Exchange code in the response, for kind status' })),
    retryAfter: optional(
      integer({
        minimum: 0,
        description: 'Seconds in a Retry-After header, for kind status',
      }),
    ),
    ms: optional(
      integer({
        minimum: 0,
        description: 'Milliseconds, for delay, never, late-commit and stale-reads',
      }),
    ),
    everyMs: optional(integer({ minimum: 0, description: 'Milliseconds per byte, for slow-drip' })),
  },
  {
    ...closed,
    allOf: [
      required('ms', { kind: ['delay', 'late-commit', 'stale-reads'] }),
      required('everyMs', { kind: ['slow-drip'] }),
      required('status', { kind: ['status'] }),
    ],
    description: 'What happens to the request',
  },
);

export const fault = record(
  {
    match: optional(match),
    when: optional(
      choice(['before', 'after-commit'], {
        description:
          'before: the request is lost; after-commit: it is executed, then its response is damaged',
      }),
    ),
    times: optional(integer({ minimum: 1, description: 'How often it applies (default: always)' })),
    action,
  },
  closed,
);
