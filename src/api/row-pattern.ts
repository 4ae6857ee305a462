/** The text form of a response's rows: nearly always they have the fields of the first row. */
import { fieldOf, isRecord } from '../base/json.ts';
import { isSchema, propertiesOf, propertyOf, type JsonSchema } from './schema.ts';

/** A field of such rows: a text or other JSON. */
export interface PatternField {
  readonly name: string;
  readonly isText: boolean;
}

const never = '(?!)'; // the pattern cannot express this, so it never matches
const fieldsMax = 64; // no row of the interface has 40

/** The fields of this row, in its order; other rows of the list have the same. */
export function patternFields(schema: JsonSchema, row: unknown): readonly PatternField[] {
  return namesOf(schema, row).map((name) => ({
    name,
    isText: typeof fieldOf(row, name) === 'string',
  }));
}

/**
 * A sticky pattern for rows with the fields of this one, in its order. What it matches is valid
 * compact JSON of the API, and its texts are identical in JSON and in tables; it may miss some
 * valid rows.
 * @param captured fields whose values are captured: texts without quotes, all else as JSON
 */
export function rowPattern(
  schema: JsonSchema,
  row: unknown,
  captured: (name: string) => boolean,
): RegExp {
  const names = namesOf(schema, row);
  if (names.length > fieldsMax) return new RegExp(never, 'y');
  const source = objectOf(schema, names, (name) => {
    const open = captured(name) ? '(' : '(?:';
    const [choices, example] = [choicesOf(propertyOf(schema, name)), fieldOf(row, name)];
    // If a text or another type is allowed, the type of the example is used.
    const text = typeof example === 'string' ? choices.find(mayBeText) : undefined;
    if (text !== undefined) return `"${open}${textOf(text)})"`;
    return `${open}${anyOf(
      choices.filter((choice) => !mayBeText(choice)),
      example,
    )})`;
  });
  return new RegExp(source, 'y');
}

/** @param example defines the order of the fields of objects */
function valueOf(schema: JsonSchema, example: unknown): string {
  switch (schema['type']) {
    case 'string':
      return `"${textOf(schema)}"`;
    case 'null':
      return 'null';
    case 'array': {
      const { items } = schema;
      const item = anyOf(isSchema(items) ? choicesOf(items) : [], fieldOf(example, '0'));
      return `\\[(?:${item}(?:,${item})*)?\\]`;
    }
    case 'object':
      return objectOf(schema, namesOf(schema, example), (name) =>
        anyOf(choicesOf(propertyOf(schema, name)), fieldOf(example, name)),
      );
    default:
      return never;
  }
}

function anyOf(choices: readonly JsonSchema[], example: unknown): string {
  return `(?:${[never, ...choices.map((choice) => valueOf(choice, example))].join('|')})`;
}

function objectOf(
  schema: JsonSchema,
  names: readonly string[],
  valueAt: (name: string, at: number) => string,
): string {
  const { required } = schema;
  const needed = Array.isArray(required) ? required.map(String) : [];
  if (!needed.every((name) => names.includes(name))) return never;
  if (!names.every((name) => plainName.test(name))) return never;
  return `\\{${names.map((name, at) => `"${name}":${valueAt(name, at)}`).join(',')}\\}`;
}

const plainName = /^[A-Za-z]\w*$/; // no special characters of a pattern, and no number, because objects reorder those

/** Names of the fields of an object, or all possible ones without an example. */
function namesOf(schema: JsonSchema, example: unknown): readonly string[] {
  return Object.keys(isRecord(example) ? example : propertiesOf(schema));
}

/** The alternatives of a value; none if the schema has unsupported keywords. */
function choicesOf(schema: JsonSchema): readonly JsonSchema[] {
  const { anyOf: choices } = schema;
  if (!Object.keys(schema).every((word) => understood.has(word))) return [];
  return Array.isArray(choices) ? choices.filter(isSchema) : [schema];
}

const understood = new Set(
  'type properties required items anyOf format minLength maxLength description examples x-needed'.split(
    ' ',
  ),
);

/** A field unknown to the API may have any type. */
function mayBeText({ type = 'string' }: JsonSchema): boolean {
  return type === 'string';
}

/** One character of a JSON text without escapes. */
export const textUnit = String.raw`[^"\\\x00-\x1f]`;

/**
 * A text that no table quotes, and that no spreadsheet treats as a formula or as a formula mark.
 */
const plain = String.raw`[^"\\,;\x00-\x20=+\-@'\uff1d\uff0b\uff0d\uff20][^"\\,;\x00-\x1f]*`;
const decimal = '-?(?:0|[1-9]\\d{0,20})(?:\\.\\d{1,20})?';

interface Formatted {
  readonly source: string;
  readonly shortest: number;
  readonly longest: number;
}

/** Each matches only texts that its format in the vocabulary accepts. */
const formatted: ReadonlyMap<unknown, Formatted> = new Map([
  ['decimal', { source: decimal, shortest: 1, longest: 43 }],
  ['decimal-or-empty', { source: `(?:${decimal})?`, shortest: 0, longest: 43 }],
  ['millis', { source: '[1-9]\\d{0,15}', shortest: 1, longest: 16 }],
  ['millis-or-empty', { source: '(?:[1-9]\\d{0,15})?', shortest: 0, longest: 16 }],
  ['id', { source: '\\d{1,40}', shortest: 1, longest: 40 }],
  ['count', { source: '[1-9]\\d{0,8}', shortest: 1, longest: 9 }],
  ['symbol', { source: '\\w{1,40}', shortest: 1, longest: 40 }],
]);

/** The characters between the quotes. */
function textOf({ format, minLength, maxLength }: JsonSchema): string {
  const [least, most] = [Number(minLength ?? 0), Number(maxLength ?? Infinity)];
  if (format === undefined) {
    if (most !== Infinity || least > 1) return `\\w{${least},${Math.min(most, 999)}}`;
    return least === 0 ? `(?:${plain})?` : plain;
  }
  const known = formatted.get(format);
  return known && least <= known.shortest && most >= known.longest ? known.source : never;
}
