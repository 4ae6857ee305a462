/** The shape of a manifest as JSON Schema, for programs that read it. */
import { operationNames } from '../contract/operations/index.ts';
import type { JsonSchema } from '../contract/schema.ts';
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
  asked: moment('What was asked for'),
  used: moment('Where the data begins or ends instead'),
  because: { enum: ['not kept', 'not over'] },
});

const ofRead = {
  operation: { enum: operationNames },
  input: { type: 'object', description: 'What was asked beside times and pages' },
  asked: span,
  covered: { type: 'array', items: span, description: 'Windows read to their end, oldest first' },
  clamps: { type: 'array', items: clamp },
  pages: count('Pages the exchange was asked for'),
  duplicatesDropped: count('Rows that came again and were kept once'),
  exchangeTime: moment('The exchange’s clock when the reading began'),
  contract: { type: 'string', description: 'Digest of the contract the answers were held against' },
} satisfies JsonSchema;

const ofTable = {
  made: { enum: ['table'] },
  of: { type: 'array', items: { type: 'object' }, description: 'Steps whose rows were taken' },
} satisfies JsonSchema;

const always = {
  manifest: { enum: [1], description: 'Version of this shape' },
  file: { type: 'string', description: 'Name of the file, without its folder' },
  format: { enum: supportedFormats },
  rows: count('Rows of the file'),
  bytes: count('Its length'),
  sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  columns: names('In their order; absent where rows have their own fields'),
  unique: names('Together they name a row'),
  sort: names('What the rows are sorted by'),
} satisfies JsonSchema;

const sometimes = ['columns', 'unique', 'sort', 'asked'];

/** One manifest: of rows that were read, or of rows made of rows. */
export const manifestSchema: JsonSchema = {
  anyOf: [
    object({ ...always, ...ofRead }, sometimes),
    object({ ...always, ...ofTable }, sometimes),
  ],
};
