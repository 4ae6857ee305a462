/** The schemas of a playbook's parts other than its steps: inputs, guards, schedule. */
import { operationNames, operationOf } from '../../exchange/api/operations/index.ts';
import type { JsonSchema } from '../../exchange/api/schema.ts';
import { numberGuardList, numberSchema } from '../number-guards.ts';
import { inputTypes } from '../playbook.ts';
import { duration, map, text } from './words.ts';

export function input(): JsonSchema {
  return map('One input.', {
    required: ['type'],
    properties: {
      ...limits('Its type.', 'What it means.'),
      default: { description: 'Default value; an input without a default is required.' },
    },
  });
}

export function members(): JsonSchema {
  return map('The members of a list or map.', {
    required: ['type'],
    properties: limits('Their type.', 'What they mean.'),
  });
}

export function field(): JsonSchema {
  return map('A field of a record; required without a default, unless it is optional.', {
    required: ['type'],
    properties: {
      ...limits('Its type.', 'What it means.'),
      default: { description: 'The value where the field is absent or its cell is empty.' },
      optional: { type: 'boolean', description: 'true: the field may be missing.' },
    },
  });
}

/** The properties of an input, and of its members. */
function limits(type: string, description: string): Readonly<Record<string, JsonSchema>> {
  return {
    type: { enum: inputTypes, description: type },
    description: text(description),
    items: { $ref: '#/definitions/members' },
    fields: {
      type: 'object',
      description: 'The fields of a record, by name.',
      additionalProperties: { $ref: '#/definitions/field' },
    },
    values: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      description: 'The values of an enum.',
    },
    pattern: text('A regular expression, as RE2 reads it, that the text must match.'),
    minimum: { type: ['number', 'string'], description: 'Smallest value.' },
    maximum: { type: ['number', 'string'], description: 'Largest value.' },
  };
}

export function guards(): JsonSchema {
  return map('Limits of this playbook; they only tighten the profile’s.', {
    properties: {
      ...Object.fromEntries(
        numberGuardList.map((guard) => [
          guard.key,
          numberSchema({ ...guard, title: `${guard.title}.` }),
        ]),
      ),
      symbols: {
        type: ['array', 'string'],
        items: { type: 'string' },
        description: 'Symbols that may be traded.',
      },
      operations: {
        type: 'array',
        items: { enum: writing },
        description: 'Operations that may write.',
      },
      accounts: {
        type: 'array',
        items: { type: 'string' },
        description: 'Accounts that may be written to.',
      },
      hours: {
        type: ['array', 'string'],
        items: { type: 'string' },
        description:
          'Hours in which writes may be sent, by the exchange’s clock: mon-fri 09:00-17:30 Europe/London.',
      },
      doubts: {
        enum: ['block'],
        description:
          'block: a write of another playbook that is in doubt on the same account and symbol blocks a run.',
      },
    },
  });
}

/** Operations that write. */
const writing = operationNames.filter((name) => operationOf(name).effect !== 'read');

export function schedule(): JsonSchema {
  return map('One schedule.', {
    required: ['cron'],
    properties: {
      cron: text('Minute, hour, day, month, weekday.'),
      timezone: text('An offset such as +08:00 or a zone name.'),
      only: { type: 'array', items: { type: 'string' }, description: 'Only these steps.' },
      missed: {
        enum: ['skip', 'once', 'all'],
        description:
          'What happens to missed occurrences; default: once for playbooks that only read, skip for those that write.',
      },
      within: duration('Maximum age of a missed occurrence that still runs (1d for all).'),
      late: duration('How late a run may start without counting as missed (5m).'),
      jitter: duration('Delays every occurrence by the same fraction of this.'),
      overlap: {
        enum: ['skip', 'queue'],
        description: 'What happens while the previous run is in progress.',
      },
    },
  });
}

export function retry(): JsonSchema {
  return map('How often a call is tried.', {
    properties: {
      attempts: {
        type: 'integer',
        minimum: 1,
        maximum: 10,
        description:
          'Maximum number of attempts, including the first. Rate limits do not count: they are waited out within the timeout.',
      },
    },
  });
}
