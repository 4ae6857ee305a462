/** The playbook's JSON Schema (draft-07), for the structure check and for editors. */
import { typeNamesHint } from '../exchange/api/column-types.ts';
import { csvDelimiters } from '../base/csv-style.ts';
import { fieldOf, isRecord } from '../base/json.ts';
import { operationNames } from '../exchange/api/operations/index.ts';
import type { JsonSchema } from '../exchange/api/schema.ts';
import { builtIns, writeFormats } from './playbook.ts';
import { failures, forEach } from './schema/items.ts';
import { field, guards, input, members, retry, schedule } from './schema/top.ts';
import { duration, map, templates, text } from './schema/words.ts';
import { partRules, usesDescriptions, withRules } from './schema/with.ts';

/**
 * With `operations`, a step's `with` is described for each operation; the checker validates that
 * itself, except for the parts of reports.
 */
export function playbookSchema({ operations = true } = {}): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'deskhand playbook',
    ...map('Steps to run on an account.', {
      required: ['playbook', 'name', 'steps'],
      properties: playbookProperties(),
      definitions: { members: members(), field: field(), step: step(operations) },
    }),
  };
}

function playbookProperties(): Readonly<Record<string, JsonSchema>> {
  return {
    playbook: { const: 1, description: 'Version of the language.' },
    name: {
      type: 'string',
      pattern: '^[a-z0-9][a-z0-9-]{0,63}$',
      patternErrorMessage:
        'must be at most 64 lower-case letters, digits and dashes, and must not start with a dash',
      description: 'Its permanent name, which identifies its writes in the ledger.',
    },
    description: text('What it is for.'),
    inputs: {
      type: 'object',
      description: 'Typed values given by --var, --var-file or the environment.',
      additionalProperties: input(),
    },
    let: templates('Values by name, as let.NAME below the inputs; each may use those above it.', [
      'half',
      '{{ div inputs.size 2 }}',
    ]),
    account: {
      ...text('A profile of deskhand.yaml. A playbook never contains a key.'),
      pattern: '^[^{]*$',
      patternErrorMessage:
        'must be the name of a profile: only the account of a step may be an expression',
    },
    guards: guards(),
    schedule: { type: 'array', items: schedule(), description: 'When it runs automatically.' },
    defaults: map('Defaults for all steps.', {
      properties: {
        timeout: duration('Timeout of one call, including retries.'),
        retry: retry(),
      },
    }),
    parallel: {
      type: 'integer',
      minimum: 1,
      maximum: 20,
      description: 'Number of independent steps that run at the same time.',
    },
    steps: steps('Steps, in order.', { minItems: 1 }),
    'on-failure': steps('Steps to run when the run stops.'),
    finally: steps('Steps to run at the end in any case.'),
    outputs: templates('Results of the playbook.', ['placed', '{{ length steps.orders.outputs }}']),
  };
}

function steps(description: string, size: { readonly minItems?: number } = {}): JsonSchema {
  return { type: 'array', ...size, items: { $ref: '#/definitions/step' }, description };
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

/** The keys of a step whose mapping has a key: `write` for `since`. */
export function ownersOf(key: string): readonly string[] {
  return Object.entries(stepProperties()).flatMap(([owner, schema]) => {
    const properties = fieldOf(schema, 'properties');
    return isRecord(properties) && Object.hasOwn(properties, key) ? [owner] : [];
  });
}

function stepProperties(): Readonly<Record<string, JsonSchema>> {
  return {
    id: {
      type: 'string',
      pattern: '^[a-z][a-z0-9-]{0,63}$',
      patternErrorMessage:
        'must be at most 64 lower-case letters, digits and dashes, and start with a letter',
      description: 'Its name in steps.ID, needs and the journal.',
    },
    name: text('A display name.'),
    account: text('Another profile on the same exchange; known before the run.'),
    needs: {
      type: 'array',
      items: { type: 'string' },
      description: 'Steps that must finish first.',
    },
    'for-each': forEach(),
    key: text('Identifies an item permanently in resume, plan and clientOid.'),
    let: templates('Values by name, as let.NAME in the other keys of the step, for each item.', [
      'half',
      '{{ div each.value.size 2 }}',
    ]),
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
    with: { type: 'object', description: 'Its fields, with the names of the exchange.' },
    outputs: templates('Values for later steps (default: the whole response).', [
      'id',
      '{{ response.orderId }}',
    ]),
    expect: { type: 'array', items: expectation(), description: 'Conditions on the response.' },
    until: text('One expression; the read is repeated while it is false.'),
    poll: poll(),
    write: write(),
    'once-per': {
      enum: ['run', 'playbook'],
      description: 'playbook: once in any number of runs.',
    },
    ...failures(),
    timeout: duration('Timeout of one call, including retries.'),
    retry: retry(),
    parallel: {
      type: 'integer',
      minimum: 1,
      maximum: 50,
      description: 'Number of items that run at the same time.',
    },
  };
}

function poll(): JsonSchema {
  return map('How often and how long until is checked.', {
    required: ['every', 'for'],
    properties: {
      every: duration('Pause between two reads.'),
      for: duration('When to give up.'),
    },
  });
}

function write(): JsonSchema {
  return map('Write the rows of the response to a file.', {
    required: ['file'],
    properties: {
      file: text('Its name in the workspace; the extension is the format.'),
      format: {
        enum: [...writeFormats],
        description: 'Format, if the extension does not name it.',
      },
      columns: templates(
        `Columns by name, each over row: "{{ row.amount }}", or { value: "{{ row.amount }}", type: "decimal(38,8)" } for Parquet and XLSX. ${typeNamesHint}.`,
        ['amount', '{{ row.amount }}'],
      ),
      csv: map('How a CSV file is written.', {
        properties: {
          bom: {
            type: 'boolean',
            description: 'Start with a byte order mark, as some spreadsheets need.',
          },
          delimiter: { enum: [...csvDelimiters], description: 'Between fields; default: a comma.' },
        },
      }),
      unique: {
        type: 'array',
        items: { type: 'string' },
        description: 'Columns that identify a row.',
      },
      sort: { type: 'array', items: { type: 'string' }, description: 'Columns to sort by.' },
      sheets: text('A column of a workbook: each of its values is a sheet with its rows.'),
      overwrite: {
        type: 'boolean',
        description:
          'true replaces any file, false none; default: replace only a complete earlier export.',
      },
      since: {
        enum: ['last'],
        description:
          'last continues the files of earlier runs: rows are read from where these end, and added.',
      },
      overlap: duration(
        'With since: how much before that is read again, for late and changed rows; default: 1d.',
      ),
    },
  });
}

function expectation(): JsonSchema {
  return map('One expectation.', {
    required: ['that'],
    properties: {
      that: text('One expression that is true or false.'),
      message: text('Message if it is false.'),
      level: { enum: ['error', 'warn'], description: 'error stops the step.' },
    },
  });
}
