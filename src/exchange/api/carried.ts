/** Reads values of a response that no decision uses: each is kept as received, and deviations from its
 * schema are reported.
 */
import {
  fieldOf,
  fieldsReader,
  isJsonRecord,
  isJsonList,
  type Json,
  type JsonRecord,
} from '../../base/json.ts';
import type { Came } from './deviation.ts';
import { choicesIn, isSchema, propertiesOf, propertyOf, type JsonSchema } from './schema.ts';
import { formats } from './vocabulary.ts';

/** Receives each deviation, with its path in the response. */
export type Note = (field: string, came: Came, count?: number) => void;

/**
 * Reads a value; undefined is an absent field.
 * @param rounded the same with numbers as JavaScript reads them
 */
export type Read = (value: Json | undefined, rounded: unknown, note: Note) => Json | undefined;

/**
 * A reader of values of a schema. It changes two things: a number where a text is declared becomes
 * the text with its digits, and a time that is not set (null, -1, 0) becomes an empty text.
 * @param special readers of some fields of the object, which are called for an absent field, too
 */
export function carriedReader(
  schema: JsonSchema,
  path: string,
  special: ReadonlyMap<string, Read> = new Map(),
): Read {
  const choices = choicesIn(schema);
  const texts = choices.find(({ type }) => type === 'string');
  const hasFormat = texts && formatCheck(texts);
  const isOfTime = isTime(texts);
  const items = choices.map((choice) => choice['items']).find(isSchema);
  const readItem = items && carriedReader(items, `${path}[]`);
  const fields = choices.find(({ type }) => type === 'object');
  const readFields = fields && recordReader(fields, path, special);
  return (value, rounded, note) => {
    if (value === undefined) return value;
    const isNumber = typeof rounded === 'number';
    if (hasFormat && typeof value === 'string' && !isNumber) {
      if (!hasFormat(value)) note(path, value === '' ? 'empty' : 'text');
      return isOfTime ? timeIn(value) : value;
    }
    const came = isNumber ? 'number' : kindOf(value);
    if (!choices.some((choice) => isKind(choice, came))) note(path, came);
    if (hasFormat && (typeof value === 'string' || typeof value === 'number')) {
      return isOfTime ? timeIn(String(value)) : String(value);
    }
    if (value === null) return isOfTime ? '' : value;
    if (readItem && isJsonList(value)) return readItems(value, rounded, readItem, note);
    return readFields && isJsonRecord(value) ? readFields(value, rounded, note) : value;
  };
}

/** The text of a time; empty if the time is not set. */
function timeIn(text: string): string {
  return text === '0' || text === '-1' ? '' : text;
}

function isTime(schema: JsonSchema | undefined): boolean {
  const format = schema?.['format'];
  return format === 'millis' || format === 'millis-or-empty';
}

/** Reads each item of a list; the list itself if none is changed. */
export function readItems(
  items: readonly Json[],
  rounded: unknown,
  read: Read,
  note: Note,
): readonly Json[] {
  let changed: Json[] | undefined;
  for (let at = 0; at < items.length; at++) {
    const item = items[at] ?? null;
    const rough = rounded === items ? item : fieldOf(rounded, String(at));
    const result = read(item, rough, note) ?? null;
    if (result !== item) (changed ??= [...items])[at] = result;
  }
  return changed ?? items;
}

/** Reads objects by their schema; another value becomes an object with the field `value`. */
export function objectReader(
  schema: JsonSchema,
  path: string,
  special?: ReadonlyMap<string, Read>,
): Read {
  const read = carriedReader(schema, path, special);
  return (value = null, rounded, note) => {
    const result = read(value, rounded, note) ?? null;
    if (isJsonRecord(result)) return result;
    return result === null ? {} : { value: result };
  };
}

/** A reader of objects, which copies an object only if a field is changed: nearly none is. */
function recordReader(
  schema: JsonSchema,
  path: string,
  special: ReadonlyMap<string, Read>,
): (value: JsonRecord, rounded: unknown, note: Note) => JsonRecord {
  const declared = Object.keys(propertiesOf(schema));
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const { required } = schema;
  const needed: ReadonlySet<unknown> = new Set(Array.isArray(required) ? required : []);
  const readers = declared.map((name) => ({
    name,
    isRequired: needed.has(name),
    read: special.get(name) ?? carriedReader(propertyOf(schema, name), at(name)),
  }));
  const valuesIn = fieldsReader(declared);
  const values: (Json | undefined)[] = declared.map(() => undefined); // of one object after the other
  return (value, rounded, note) => {
    let changed: Record<string, Json> | undefined;
    const others = valuesIn(value, values);
    for (let place = 0; place < readers.length; place++) {
      const reader = readers[place];
      if (reader === undefined) continue;
      const { name, isRequired, read } = reader;
      const field = values[place];
      if (field === undefined && isRequired) note(at(name), 'absent');
      const result = read(field, rounded === value ? field : fieldOf(rounded, name), note);
      if (result !== undefined && result !== field) (changed ??= {})[name] = result;
    }
    if (others > 0) {
      for (const name in value) if (!declared.includes(name)) note(at(name), 'undeclared');
    }
    return changed === undefined ? value : { ...value, ...changed };
  };
}

/** The kind of a value, as precisely as a schema distinguishes kinds. */
export function kindOf(value: Json): Came {
  if (value === null) return 'null';
  if (isJsonList(value)) return 'list';
  switch (typeof value) {
    case 'string':
      return 'text';
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    default:
      return 'object';
  }
}

const kinds: Readonly<Record<string, Came>> = {
  string: 'text',
  integer: 'number',
  null: 'null',
  array: 'list',
  object: 'object',
  boolean: 'boolean',
};

function isKind({ type }: JsonSchema, came: Came): boolean {
  return typeof type !== 'string' || kinds[type] === came;
}

/** Makes the check whether a text has the declared format and length. */
function formatCheck({ format, minLength, maxLength }: JsonSchema): (text: string) => boolean {
  const [least, most] = [Number(minLength ?? 0), Number(maxLength ?? Infinity)];
  const [name, orEmpty] = typeof format === 'string' ? format.split('-or-') : [];
  const pattern = name === undefined ? undefined : patterns.get(name);
  return (text) => {
    if (text.length < least || text.length > most) return false;
    return (orEmpty !== undefined && text === '') || pattern === undefined || pattern.test(text);
  };
}

const patterns: ReadonlyMap<string, RegExp> = new Map(Object.entries(formats));
