/** `with` for editors: for each operation and built-in step its own fields. */
import { isRecord, type Json, type JsonRecord } from '../../base/json.ts';
import {
  operationNames,
  operationOf,
  type OperationName,
} from '../../exchange/api/operations/index.ts';
import type { JsonSchema } from '../../exchange/api/schema.ts';
import { channelNames } from '../channels/index.ts';
import { builtIns, type BuiltIn } from '../playbook.ts';
import { ofReports } from './reports.ts';
import { map, templates, text } from './words.ts';

/** The fields of `with` depend on `uses`: one rule for each value. */
export function withRules(): readonly JsonSchema[] {
  const fields: readonly (readonly [string, FieldsSchema])[] = [
    ...operationNames.map((name) => [name, ofOperation(name)] as const),
    ...builtIns.map((name) => [name, ofBuiltIns[name]] as const),
  ];
  const needing = fields.filter(([, { required = [] }]) => required.length > 0);
  return [
    ...fields.map(([uses, schema]) => rule({ const: uses }, { properties: { with: schema } })),
    rule({ enum: needing.map(([uses]) => uses) }, { required: ['with'] }),
  ];
}

/** The parts of reports, whose fields are nested: the checker uses these as well. */
export function partRules(): readonly JsonSchema[] {
  return Object.entries(ofReports).map(([uses, { properties }]) =>
    rule({ const: uses }, { properties: { with: { type: 'object', properties } } }),
  );
}

/** The effect of each value of `uses`, for editors. */
export function usesDescriptions(): readonly string[] {
  return [
    ...operationNames.map((name) => operationOf(name).title),
    ...builtIns.map((name) => ofBuiltIns[name].title),
  ];
}

/**
 * A rule for steps with certain `uses`. An empty step is not a map yet: without `type` every rule would
 * apply to it.
 */
function rule(uses: JsonSchema, then: JsonSchema): JsonSchema {
  // oxlint-disable-next-line unicorn/no-thenable
  return { if: { type: 'object', properties: { uses }, required: ['uses'] }, then };
}

/** An operation's input, where every field may also be a template or an unquoted number. */
function ofOperation(name: OperationName): FieldsSchema {
  const { input, title, window, requiredWhen = [] } = operationOf(name);
  const properties = isRecord(input.json['properties']) ? input.json['properties'] : {};
  const needed = isJsonList(input.json['required']) ? input.json['required'].map(String) : [];
  const required = needed.filter((field) => field !== window?.end); // a read of all pages ends now
  const conditions = requiredWhen.map(({ when, require, orElse }) => {
    const words = Object.entries(when).map(([field, values]) => [field, { enum: [...values] }]);
    const condition = { properties: Object.fromEntries(words), required: Object.keys(when) };
    const then =
      orElse === undefined
        ? { required: [require] }
        : { anyOf: [{ required: [require] }, { required: [orElse] }] };
    // oxlint-disable-next-line unicorn/no-thenable
    return { if: { type: 'object', ...condition }, then };
  });
  return {
    title,
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(
      Object.entries(properties).map(([field, schema]) => [field, leaf(schema)]),
    ),
    required,
    ...(conditions.length > 0 && { allOf: conditions }),
  };
}

function leaf(schema: unknown): JsonSchema {
  if (!isRecord(schema)) return {};
  const {
    description,
    examples,
    type: _text,
    ...rest
  } = Object.fromEntries(
    Object.entries(schema).filter(([key]) => !key.startsWith('x-') && key !== 'format'),
  );
  const words = isJsonList(rest['enum']) ? rest['enum'] : isJsonList(examples) ? examples : [];
  return {
    ...(typeof description === 'string' && { description }),
    type: ['string', 'number'],
    if: { type: 'string', pattern: '\\{\\{' },
    // oxlint-disable-next-line unicorn/no-thenable
    then: true,
    else: toJson(rest),
    // Editors search values in the field itself, not in its condition. A single value would be
    // inserted automatically, which is unsafe for leverage or symbol.
    ...(words.length > 1 && {
      defaultSnippets: words.map((word) => ({ label: word, body: word })),
    }),
  };
}

/** A map with named fields. */
type FieldsSchema = JsonSchema & {
  readonly title: string;
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
};

/** The schema of a built-in step: every part has a description. */
type BuiltInSchema = FieldsSchema & {
  readonly description: string;
  readonly properties: Readonly<Record<string, { readonly description: string }>>;
};

/** The fields of built-in steps. */
export const ofBuiltIns: Readonly<Record<BuiltIn, BuiltInSchema>> = {
  wait: {
    title: 'Wait',
    ...map('How long, or until when.', {
      properties: {
        for: text('A duration such as 10s, or a template.'),
        until: text('A moment, usually a template.'),
      },
    }),
  },
  approve: {
    title: 'Wait until people approve what follows',
    ...map('What they are asked, who may answer, and for how long.', {
      required: ['text', 'for'],
      properties: {
        text: text('What they are asked; above the effects that their approval lets go.'),
        by: {
          type: ['string', 'array'],
          items: { type: 'string' },
          description:
            'other: not an author of the playbook or who started the run; or the people who may approve. Default: as the profile’s approve.',
        },
        count: {
          type: ['integer', 'string'],
          minimum: 1,
          maximum: 20,
          description: 'Number of approvals; default: as the profile’s approve.',
        },
        for: text('How long they have, such as 2h, at most 7d; then the step fails.'),
      },
    }),
  },
  ...ofReports,
  'notify/webhook': {
    title: 'Send a notice: by e-mail, to a chat, or as JSON by one HTTPS POST',
    ...map('What is reported, and where.', {
      required: ['url', 'text'],
      properties: {
        url: text(
          'An https:// address, or smtps:// or smtp:// for e-mail; usually a secret: {{ secrets.NAME }}.',
        ),
        text: text('What is reported.'),
        subject: text('The subject of an e-mail, and a heading elsewhere.'),
        table: text('A step whose rows follow the text, in every format.'),
        rows: {
          type: 'integer',
          minimum: 1,
          maximum: 100,
          description: 'Maximum number of rows of the table; default 20.',
        },
        page: text('A report/page step: the page is the HTML of an e-mail, and follows its text.'),
        attach: {
          type: ['array', 'string'],
          description:
            'Files of this run for an e-mail, such as {{ steps.bills.file }}; 10 MB together.',
        },
        link: {
          type: 'boolean',
          description: 'Whether the address of the run follows, or the command that shows it.',
        },
        format: text(`${channelNames.join(', ')}; default: derived from the address.`),
        'sign-with': text('A secret the body is signed with: {{ secrets.NAME }}.'),
      },
    }),
  },
  'shell/run': {
    title: 'Run a program',
    ...map('A program and its arguments, without a shell; a profile must allow it.', {
      required: ['command'],
      properties: {
        command: {
          type: ['array', 'string'],
          items: { type: ['string', 'number'] },
          description: 'The program and its arguments, as a list.',
        },
        env: templates('Environment variables; may contain secrets.', [
          'TOKEN',
          '{{ secrets.TOKEN }}',
        ]),
      },
    }),
  },
};

function isJsonList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

function toJson(value: object): JsonRecord {
  return JSON.parse(JSON.stringify(value));
}
