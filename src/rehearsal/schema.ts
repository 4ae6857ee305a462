/** The shape of a `*.test.yaml` file: the reader's check and editors use the same one. */
import {
  choice,
  described,
  list,
  optional,
  record,
  text,
  type JsonSchema,
} from '../contract/schema.ts';
import { fault } from '../sandbox/scenario/fault.ts';
import { closed } from '../sandbox/scenario/words.ts';
import { amount, mapOf, worldSchema } from './world-schema.ts';

/** How a run ends; `not-started` when it was refused before its first step. */
export const outcomes = ['done', 'stopped', 'doubt', 'not-started'] as const;

/** How an address stands in the journal at the end. */
const standings = [
  'done',
  'found',
  'skipped',
  'refused',
  'failed',
  'doubt',
  'interrupted',
  'not-sent',
] as const;

const writes = 'Addresses, as ladder[61500.0], with the fields to look at';
const plan = record(
  {
    writes: optional(mapOf(`Everything the plan would write: ${writes}`, { type: 'object' })),
    includes: optional(mapOf(`Some of what the plan would write: ${writes}`, { type: 'object' })),
    unchanged: optional(list(text(), { description: 'Addresses that were done before and stay' })),
    later: optional(
      list(text(), { description: 'Steps whose items are known only after another' }),
    ),
  },
  { ...closed, description: 'What the plan says before anything is sent' },
);

const file: JsonSchema = {
  type: ['object', 'string'],
  pattern: '^absent$',
  patternErrorMessage: 'must be the word absent, or say what stands in it: text, contains or lines',
  additionalProperties: false,
  description: '«absent», or what stands in it',
  properties: {
    text: { type: 'string', description: 'Its whole text' },
    contains: {
      type: ['string', 'array'],
      items: { type: 'string' },
      description: 'Texts that stand somewhere in it',
    },
    lines: { type: 'integer', minimum: 0, description: 'How many lines it has, the head included' },
  },
};

const expectation = record(
  {
    outcome: optional(choice(outcomes, { description: 'How it ends' })),
    exit: optional({
      json: {
        type: 'integer',
        enum: [0, 1, 3, 4, 5, 6],
        description: 'Exit code «deskhand run» would leave with',
      },
    }),
    error: optional(amount('Code of what stopped it: one of the exchange, expectation, guard …')),
    plan: optional(plan),
    journal: optional(
      mapOf('How steps and their items stand at the end, by address', {
        type: 'string',
        enum: standings,
      }),
    ),
    orders: optional(
      list(
        { json: { type: 'object' } },
        {
          description:
            'All orders that were not there before, in any order, with the fields to look at',
        },
      ),
    ),
    files: optional(mapOf('Files under the workspace, by name', file)),
    outputs: optional(mapOf('Outputs of the playbook')),
    notices: optional(
      list(text(), { description: 'Texts given to notify/webhook, which reach nobody' }),
    ),
  },
  { ...closed, description: 'What must come of it; what is not named is not looked at' },
);

const inputs = mapOf('Values of the playbook’s inputs');

/**
 * A file of tests for one playbook.
 * @param details as editors want it; the reader leaves the scenario's parts to their own check
 */
export function playbookTestSchema({ details }: { readonly details: boolean }): JsonSchema {
  const world = worldSchema(details);
  const test = record(
    {
      name: text({ description: 'What it shows, as a sentence' }),
      world: optional(described('The world of this test, laid over that of the file', world)),
      inputs: optional(inputs),
      faults: optional(list(fault, { description: 'What goes wrong while the playbook runs' })),
      expect: optional(expectation),
      again: optional(
        described('What must come of a second run in the same world, without faults', expectation),
      ),
    },
    { ...closed, description: 'One test' },
  );
  return record(
    {
      'playbook-test': { json: { const: 1, description: 'Version of this format' } },
      playbook: text({ description: 'The playbook, relative to this file' }),
      world: optional(described('The world of every test here', world)),
      inputs: optional(described('Inputs of every test here', inputs)),
      tests: list(test, { minItems: 1, description: 'The tests, each in a world of its own' }),
    },
    {
      ...closed,
      $schema: 'http://json-schema.org/draft-07/schema#',
      title: 'deskhand playbook test',
    },
  ).json;
}
