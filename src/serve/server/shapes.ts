/** Schemas that several routes share: parts of documents as reports have them, and errors. */
import {
  choice,
  integer,
  isTrue,
  list,
  optional,
  record,
  text,
  truth,
} from '../../exchange/api/schema.ts';
import type { JsonSchema, Schema } from '../../exchange/api/schema.ts';
import { millis } from '../../engine/journal/shared-schema.ts';
import type { Tone } from '../../base/palette.ts';
import type { Inline, Table as BlockTable } from '../../report/blocks/block.ts';

export const inline: Schema<Inline> = { json: { $ref: '#/components/schemas/Inline' } };

export const tone: Schema<Tone> = choice(['good', 'bad', 'doubt', 'warn', 'idle']);

/** The schema of a fact: a name and its value. */
const fact: Schema<readonly [Inline, Inline]> = {
  json: { type: 'array', items: inline.json, minItems: 2, maxItems: 2 },
};
export const facts = list(fact);

/** A schema by its name among the components of the OpenAPI document, which has it once. */
export function named<S extends { readonly json: JsonSchema }>(name: string, schema: S): S {
  return { ...schema, json: { $ref: `#/components/schemas/${name}` } };
}

export const wholeTable = record({
  columns: list(record({ name: text(), isNumber: optional(isTrue), wraps: optional(isTrue) })),
  rows: list(list(inline)),
  left: integer({ minimum: 0, description: 'Number of rows that follow' }),
  rest: { ...inline, json: { ...inline.json, description: 'Where the omitted rows are' } },
  paging: optional(
    record({
      page: integer({ minimum: 1 }),
      pages: integer({ minimum: 1 }),
      before: integer({ minimum: 0, description: 'Number of rows on earlier pages' }),
    }),
  ),
});

/** A table whose cells are drawn already, or a page of it. */
export const table = named('Table', wholeTable);

export type Table = NonNullable<(typeof wholeTable)['infer']>;

export const rowsMax = 500; // rows of a page; more make it slow

/** A page of a table. */
export function tableData<Row>(
  { columns, rows, total = rows.length, rest }: BlockTable<Row>,
  wanted = 1,
): Table {
  const pages = Math.max(1, Math.ceil(rows.length / rowsMax));
  const page = Math.min(Math.max(1, wanted), pages);
  const before = (page - 1) * rowsMax;
  const shown = rows.slice(before, before + rowsMax);
  return {
    columns: columns.map(({ name, isNumber, wraps }) => ({
      name,
      ...(isNumber && { isNumber }),
      ...(wraps && { wraps }),
    })),
    rows: shown.map((row) => columns.map(({ cell }) => cell(row))),
    left: total - before - shown.length,
    rest,
    ...(pages > 1 && { paging: { page, pages, before } }),
  };
}

/** The schema of numbered lines of a playbook. */
export const codeLines = list(record({ number: text(), text: text(), isMarked: truth }));

export const moment = millis;

export const wholeFailure = record({
  error: record({ code: text(), message: text(), hint: optional(text()) }),
});

/** The schema of every answer that is not a success. */
export const failure = named('Failure', wholeFailure);
