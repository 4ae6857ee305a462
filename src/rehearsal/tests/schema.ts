/** The format of a `*.test.yaml` file, for the reader and for editors. */
import {
  choice,
  described,
  list,
  optional,
  record,
  text,
  type JsonSchema,
} from '../../exchange/api/schema.ts';
import { fault } from '../../sandbox/scenario/fault.ts';
import { closed } from '../../sandbox/scenario/words.ts';
import { amount, mapOf, worldSchema } from './world-schema.ts';

/** How a run ends; `not-started` when it was refused before its first step. */
export const outcomes = ['done', 'stopped', 'doubt', 'not-started'] as const;

/** The possible statuses of an address at the end. */
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

const writes = 'Addresses such as ladder[61500.0], with the fields to compare';
const plan = record(
  {
    writes: optional(mapOf(`All writes of the plan: ${writes}`, { type: 'object' })),
    includes: optional(mapOf(`Some writes of the plan: ${writes}`, { type: 'object' })),
    unchanged: optional(list(text(), { description: 'Addresses that were done before' })),
    later: optional(
      list(text(), { description: 'Steps whose items are known only after another' }),
    ),
  },
  { ...closed, description: 'The plan' },
);

const file: JsonSchema = {
  type: ['object', 'string'],
  pattern: '^absent$',
  patternErrorMessage: 'must be absent, or have text, contains or lines',
  additionalProperties: false,
  description: '"absent", or its contents',
  properties: {
    text: { type: 'string', description: 'Its whole text' },
    contains: {
      type: ['string', 'array'],
      items: { type: 'string' },
      description: 'Texts that occur in it',
    },
    lines: { type: 'integer', minimum: 0, description: 'Number of lines, including the header' },
  },
};

const notice: JsonSchema = {
  type: ['string', 'object'],
  additionalProperties: false,
  description: 'Its text; or what to compare',
  properties: {
    text: { type: 'string', description: 'Its text' },
    subject: { type: 'string', description: 'Its subject' },
    page: { type: 'string', description: 'The file of its page' },
    table: {
      type: 'array',
      items: { type: 'array' },
      description: 'The rows of its table, beginning with the names of columns',
    },
    attach: { type: 'array', items: { type: 'string' }, description: 'Its attached files' },
  },
};

const expectation = record(
  {
    outcome: optional(choice(outcomes, { description: 'How it ends' })),
    exit: optional({
      json: {
        type: 'integer',
        enum: [0, 1, 3, 4, 5, 6],
        description: 'Exit code of `deskhand run FILE`',
      },
    }),
    error: optional(amount('Error code: one of the exchange, expectation, guard …')),
    plan: optional(plan),
    journal: optional(
      mapOf('How steps and their items are at the end, by address', {
        type: 'string',
        enum: standings,
      }),
    ),
    orders: optional(
      list(
        { json: { type: 'object' } },
        {
          description: 'All new orders, in any order, with the fields to compare',
        },
      ),
    ),
    positions: optional(
      list(
        { json: { type: 'object' } },
        {
          description:
            'Positions that the run changed, with their values at its end: a closed one has the total 0',
        },
      ),
    ),
    files: optional(mapOf('Files under the workspace, by name', file)),
    outputs: optional(mapOf('Outputs of the playbook')),
    notices: optional(
      list({ json: notice }, { description: 'Notices of notify/webhook, which are not delivered' }),
    ),
  },
  { ...closed, description: 'Expected results; only listed ones are compared' },
);

const inputs = mapOf('Values of the playbook’s inputs');

/**
 * The schema of a file of tests for one playbook.
 * @param details for editors; the reader validates the parts of the scenario separately
 */
export function playbookTestSchema({ details }: { readonly details: boolean }): JsonSchema {
  const world = worldSchema(details);
  const test = record(
    {
      name: text({ description: 'The rule that it tests, as a sentence' }),
      world: optional(described('The world of this test, which overrides that of the file', world)),
      inputs: optional(inputs),
      faults: optional(list(fault, { description: 'Faults during the run' })),
      expect: optional(expectation),
      again: optional(
        described(
          'Expected results of a second run in the same world, without faults',
          expectation,
        ),
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
      tests: list(test, { minItems: 1, description: 'The tests, each in its own world' }),
    },
    {
      ...closed,
      $schema: 'http://json-schema.org/draft-07/schema#',
      title: 'deskhand playbook test',
    },
  ).json;
}
