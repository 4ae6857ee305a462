/** The format of a manifest as JSON Schema, for programs that read it. */
import { operationNames } from '../../exchange/api/operations/index.ts';
import type { JsonSchema } from '../../exchange/api/schema.ts';
import { csvDelimiters } from '../../base/csv-style.ts';
import { supportedFormats } from './formats.ts';

const moment = (description: string): JsonSchema => ({ type: 'integer', description });
const count = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description });
const names = (description: string): JsonSchema => ({
  type: 'array',
  items: { type: 'string' },
  description,
});

const object = (properties: JsonSchema, optional: readonly string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});

const span = object({ from: moment('First moment, Unix ms'), to: moment('Last moment, Unix ms') });

const exception = object({
  column: { type: 'string' },
  written: {
    enum: ['null', 'text'],
    description: 'null for each of them, or the whole column as text',
  },
  rows: count('Number of such rows'),
  first: object({
    row: count('The first of them as they arrived, from 1'),
    value: { type: 'string' },
  }),
});

const clamp = object({
  bound: { enum: ['from', 'to'] },
  asked: moment('Requested bound'),
  used: moment('Bound of the available data'),
  because: { enum: ['not kept', 'not over'] },
});

const continued = object(
  {
    account: { type: 'string', description: 'Identifies the account; absent for public data' },
    of: object({ rows: count('Rows of the file before'), sha256: { type: 'string' } }),
    added: count('Rows that were added'),
    replaced: count('Rows of the overlap whose content had changed'),
  },
  ['account', 'of'],
);

const ofRead = {
  operation: { enum: operationNames },
  input: { type: 'object', description: 'Input without times and pages' },
  asked: span,
  covered: { type: 'array', items: span, description: 'Completed windows, oldest first' },
  clamps: { type: 'array', items: clamp },
  pages: count('Pages requested'),
  duplicatesDropped: count('Duplicate rows that were dropped'),
  exchangeTime: moment('The exchange’s clock at the start'),
  contract: {
    type: 'string',
    description: 'Digest of the API schema that validated the responses',
  },
  continued: { ...continued, description: 'What the last run with since: last did' },
} satisfies JsonSchema;

const ofTable = {
  made: { enum: ['table'] },
  of: { type: 'array', items: { type: 'object' }, description: 'Source steps' },
} satisfies JsonSchema;

const always = {
  manifest: { enum: [1], description: 'Version of this format' },
  file: { type: 'string', description: 'Name of the file, without its folder' },
  format: { enum: supportedFormats },
  rows: count('Rows of the file'),
  bytes: count('Its length'),
  sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  csv: object(
    {
      bom: { type: 'boolean', description: 'Whether it starts with a byte order mark' },
      delimiter: { enum: csvDelimiters, description: 'Between fields; default: a comma' },
    },
    ['bom', 'delimiter'],
  ),
  columns: names('Columns in order; absent if rows differ in their fields'),
  types: {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Types by column, in Parquet and XLSX: decimal(38,18), time or text',
  },
  exceptions: {
    type: 'array',
    items: exception,
    description: 'Columns with values that are not of their type',
  },
  unique: names('Columns that identify a row'),
  sort: names('Columns that the rows are sorted by'),
} satisfies JsonSchema;

const sometimes = ['csv', 'columns', 'types', 'exceptions', 'unique', 'sort', 'asked', 'continued'];

/** A manifest of rows that were read, or of rows derived from other rows. */
export const manifestSchema: JsonSchema = {
  anyOf: [
    object({ ...always, ...ofRead }, sometimes),
    object({ ...always, ...ofTable }, sometimes),
  ],
};
