/** The playbook's JSON Schema (draft-07): the structure check and editors read the same one. */
import { operationNames } from '../contract/operations/index.ts';
import type { JsonSchema } from '../contract/schema.ts';
import { builtIns, writeFormats } from './playbook.ts';
import { guards, input, members, retry, schedule } from './schema/top.ts';
import { duration, map, templates, text } from './schema/words.ts';
import { partRules, usesDescriptions, withRules } from './schema/with.ts';

/** With `operations`, a step's `with` is described for each operation; the checker does that itself, but for the parts of reports. */
export function playbookSchema({ operations = true } = {}): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'deskhand playbook',
    ...map('What should be done on an account.', {
      required: ['playbook', 'name', 'steps'],
      properties: {
        playbook: { const: 1, description: 'Version of the language.' },
        name: {
          type: 'string',
          pattern: '^[a-z0-9][a-z0-9-]{0,63}$',
          patternErrorMessage:
            'must be at most 64 lower-case letters, digits and dashes, and begin with no dash',
          description: 'Its name for ever: the ledger knows its writes by it.',
        },
        description: text('What it is for.'),
        inputs: {
          type: 'object',
          description: 'Typed values given by --var, --var-file or the environment.',
          additionalProperties: input(),
        },
        account: text('A profile of deskhand.yaml. A playbook never holds a key.'),
        guards: guards(),
        schedule: { type: 'array', items: schedule(), description: 'When it runs by itself.' },
        defaults: map('What every step has unless it says otherwise.', {
          properties: { timeout: duration('Whole time of one call.'), retry: retry() },
        }),
        parallel: {
          type: 'integer',
          minimum: 1,
          maximum: 20,
          description: 'Steps under way at once when neither waits for the other.',
        },
        steps: {
          type: 'array',
          minItems: 1,
          items: step(operations),
          description: 'What is done, in order.',
        },
        'on-failure': {
          type: 'array',
          items: step(operations),
          description: 'Done when the run stops.',
        },
        finally: {
          type: 'array',
          items: step(operations),
          description: 'Done at the end in any case.',
        },
        outputs: templates('Values a person or another playbook reads at the end.'),
      },
      definitions: { members: members() },
    }),
  };
}

function step(operations: boolean): JsonSchema {
  const base = {
    title: 'A step',
    ...map('One step.', { required: ['uses'], properties: stepProperties() }),
  };
  return { ...base, allOf: operations ? withRules() : partRules() };
}

/** Names of the keys of a step. */
export const stepKeys: readonly string[] = Object.keys(stepProperties());

function stepProperties(): Readonly<Record<string, JsonSchema>> {
  return {
    id: {
      type: 'string',
      pattern: '^[a-z][a-z0-9-]{0,63}$',
      patternErrorMessage:
        'must be at most 64 lower-case letters, digits and dashes, and begin with a letter',
      description: 'Its name in steps.ID, needs and the journal.',
    },
    name: text('A line for people.'),
    account: text('A profile of its own, on the same exchange; known before the run.'),
    needs: {
      type: 'array',
      items: { type: 'string' },
      description: 'Steps that must be finished before.',
    },
    'for-each': {
      type: ['string', 'array', 'object'],
      description: 'A list or map: the step is done once for each member.',
    },
    key: text('Names an item for ever: resume, plan and clientOid use it.'),
    if: text('One expression that is true or false; false skips the step.'),
    uses: {
      type: 'string',
      anyOf: [
        { enum: [...operationNames, ...builtIns], enumDescriptions: usesDescriptions() },
        { pattern: '^\\.{1,2}/.+\\.ya?ml$' },
      ],
      description:
        'An operation of the exchange, a built-in step, or another playbook as ./x.yaml.',
    },
    with: { type: 'object', description: 'Its fields, named as the exchange names them.' },
    outputs: templates('What later steps may use; without it the whole answer.'),
    expect: { type: 'array', items: expectation(), description: 'What must hold of the answer.' },
    until: text('One expression; the read is repeated while it is false.'),
    poll: map('How often and how long until is asked.', {
      required: ['every', 'for'],
      properties: {
        every: duration('Pause between two reads.'),
        for: duration('When to give up.'),
      },
    }),
    write: write(),
    'once-per': {
      enum: ['run', 'playbook'],
      description: 'playbook: never again, whichever run does it.',
    },
    'on-error': {
      enum: ['stop', 'continue'],
      description: 'What a refusal does to the steps after it.',
    },
    timeout: duration('Whole time of one call.'),
    retry: retry(),
    parallel: {
      type: 'integer',
      minimum: 1,
      maximum: 50,
      description: 'Items under way at once.',
    },
  };
}

function write(): JsonSchema {
  return map('The rows of the answer as a file.', {
    required: ['file'],
    properties: {
      file: text('Its name under the workspace; the ending gives the format.'),
      format: {
        enum: [...writeFormats],
        description: 'When the ending does not say it.',
      },
      columns: templates('Columns by name, each over row.'),
      unique: {
        type: 'array',
        items: { type: 'string' },
        description: 'Columns that together name a row.',
      },
      sort: { type: 'array', items: { type: 'string' }, description: 'Columns to sort by.' },
      overwrite: {
        type: 'boolean',
        description: 'Whatever stands there; unless said, only an earlier export that is whole.',
      },
    },
  });
}

function expectation(): JsonSchema {
  return map('One expectation.', {
    required: ['that'],
    properties: {
      that: text('One expression that is true or false.'),
      message: text('What to say when it is false.'),
      level: { enum: ['error', 'warn'], description: 'error stops the step.' },
    },
  });
}
