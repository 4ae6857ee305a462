/** What the rows of an answer look like as text: nearly always they have the fields of the first. */
import { fieldOf, isRecord } from '../base/json.ts';
import { isSchema, propertiesOf, propertyOf, type JsonSchema } from './schema.ts';

/** A field of such rows: texts, or other JSON. */
export interface PatternField {
  readonly name: string;
  readonly isText: boolean;
}

const never = '(?!)'; // what no pattern here can say, none matches
const fieldsMax = 64; // no row of the interface has 40

/** The fields of rows that are like this one, in its order. */
export function patternFields(schema: JsonSchema, row: unknown): readonly PatternField[] {
  return namesOf(schema, row).map((name) => ({
    name,
    isText: typeof fieldOf(row, name) === 'string',
  }));
}

/**
 * Matches a row with the fields of this one, in its order, where it is asked to look. What it
 * matches is strict JSON without blanks that keeps the API, and its texts are the same as in
 * JSON and in tables; of the rows that keep it, it misses some.
 * @param captured fields whose values are captured: texts without their quotes, all else as JSON
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
    // Where a text or something else may be, it is what it is in the example.
    const text = typeof example === 'string' ? choices.find(mayBeText) : undefined;
    if (text !== undefined) return `"${open}${textOf(text)})"`;
    return `${open}${anyOf(
      choices.filter((choice) => !mayBeText(choice)),
      example,
    )})`;
  });
  return new RegExp(source, 'y');
}

/** @param example has fields of objects in the order they will have, where it shows it */
function valueOf(schema: JsonSchema, example: unknown): string {
  switch (schema['type']) {
    case 'string':
      return `"${textOf(schema)}"`;
    case 'integer':
      return '(?:0|-?[1-9]\\d{0,14})'; // safe, and as we would write it
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

const plainName = /^[A-Za-z]\w*$/; // none of a pattern's signs, and no number: objects reorder those

/** Names of the fields an object has, or of all it may have where there is none to look at. */
function namesOf(schema: JsonSchema, example: unknown): readonly string[] {
  return Object.keys(isRecord(example) ? example : propertiesOf(schema));
}

/** What a value may be instead of another; none where the schema says more than is understood. */
function choicesOf(schema: JsonSchema): readonly JsonSchema[] {
  const { anyOf: choices } = schema;
  if (!Object.keys(schema).every((word) => understood.has(word))) return [];
  return Array.isArray(choices) ? choices.filter(isSchema) : [schema];
}

const understood = new Set(
  'type properties required items anyOf format minLength maxLength description examples'.split(' '),
);

/** A field the API does not name may be anything. */
function mayBeText({ type = 'string' }: JsonSchema): boolean {
  return type === 'string';
}

/** One sign of a text in JSON without escapes. */
export const textUnit = String.raw`[^"\\\x00-\x1f]`;

/** No table quotes it, takes it for a formula, or takes its first sign for a mark against one. */
const plain = String.raw`[^"\\,;\x00-\x20=+\-@'\uff1d\uff0b\uff0d\uff20][^"\\,;\x00-\x1f]*`;
const decimal = '-?(?:0|[1-9]\\d{0,20})(?:\\.\\d{1,20})?';

interface Formatted {
  readonly source: string;
  readonly shortest: number;
  readonly longest: number;
}

/** Each matches nothing that its format in the vocabulary refuses. */
const formatted: ReadonlyMap<unknown, Formatted> = new Map([
  ['decimal', { source: decimal, shortest: 1, longest: 43 }],
  ['decimal-or-empty', { source: `(?:${decimal})?`, shortest: 0, longest: 43 }],
  ['millis', { source: '\\d{1,16}', shortest: 1, longest: 16 }],
  ['millis-or-empty', { source: '\\d{0,16}', shortest: 0, longest: 16 }],
  ['id', { source: '\\d{1,40}', shortest: 1, longest: 40 }],
  ['count', { source: '[1-9]\\d{0,8}', shortest: 1, longest: 9 }],
  ['symbol', { source: '\\w{1,40}', shortest: 1, longest: 40 }],
]);

/** The inside of a text. */
function textOf({ format, minLength, maxLength }: JsonSchema): string {
  const [least, most] = [Number(minLength ?? 0), Number(maxLength ?? Infinity)];
  if (format === undefined) {
    if (most !== Infinity || least > 1) return `\\w{${least},${Math.min(most, 999)}}`;
    return least === 0 ? `(?:${plain})?` : plain;
  }
  const known = formatted.get(format);
  return known && least <= known.shortest && most >= known.longest ? known.source : never;
}
