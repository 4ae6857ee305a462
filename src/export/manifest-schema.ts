/** The format of a manifest as JSON Schema, for programs that read it. */
import { operationNames } from '../api/operations/index.ts';
import type { JsonSchema } from '../api/schema.ts';
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

const clamp = object({
  bound: { enum: ['from', 'to'] },
  asked: moment('Requested bound'),
  used: moment('Bound of the available data'),
  because: { enum: ['not kept', 'not over'] },
});

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
  columns: names('Columns in order; absent if rows differ in their fields'),
  unique: names('Columns that identify a row'),
  sort: names('Columns that the rows are sorted by'),
} satisfies JsonSchema;

const sometimes = ['columns', 'unique', 'sort', 'asked'];

/** A manifest of rows that were read, or of rows derived from other rows. */
export const manifestSchema: JsonSchema = {
  anyOf: [
    object({ ...always, ...ofRead }, sometimes),
    object({ ...always, ...ofTable }, sometimes),
  ],
};
