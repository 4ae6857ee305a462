/** Strict JSON: no duplicate keys, no unsafe integers, no deep nesting; and canonical output. */
import { hash } from 'node:crypto';

export type Json = string | number | boolean | null | readonly Json[] | JsonRecord;

export type JsonRecord = { readonly [key: string]: Json };

/** A text that is not accepted as JSON; the message never quotes the text. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
}

const depthMax = 32; // no response or body of the exchange is deeper than 5

/**
 * Parses JSON and refuses what `JSON.parse` accepts: a duplicate key (it keeps the last), an
 * integer beyond 2^53 (it rounds), nesting deeper than 32.
 * @throws JsonError
 */
export function parseJson(text: string): Json {
  const { value, numbers } = parseUnique(text);
  if (numbers.some(isRounded)) {
    throw new JsonError('an integer is larger than 2^53 and would lose digits');
  }
  return value;
}

/** JSON in which each number keeps its written form. */
export interface ExactJson {
  /** The parsed JSON; a number that JavaScript would print differently is kept as its text. */
  readonly value: Json;
  /** The parsed JSON with all numbers as JavaScript reads them. */
  readonly rounded: Json;
}

/**
 * Parses JSON without losing a digit of a number; the rest is as in `parseJson`.
 * @param expected how many numbers JavaScript certainly shows in their written form
 * @throws JsonError
 */
export function parseExact(text: string, expected: (value: Json) => number): ExactJson {
  const { value: rounded, numbers } = parseUnique(text);
  if (numbers.length <= expected(rounded)) return { value: rounded, rounded };
  const quoted = text.replace(stringOrNumber, (token) =>
    token.startsWith('"') || String(Number(token)) === token ? token : `"${token}"`,
  );
  return { value: quoted === text ? rounded : JSON.parse(quoted), rounded };
}

/** The strings and the numbers of a valid JSON text. */
export const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Parses JSON without duplicate keys, and lists its numbers. */
function parseUnique(text: string): { readonly value: Json; readonly numbers: readonly number[] } {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new JsonError('not valid JSON', { cause: error });
  }
  const numbers: number[] = [];
  const keys = countKeys(value, depthMax, numbers);
  // A colon follows every key and is in some texts: if there are as many colons as keys, all keys
  // are unique.
  if (countColons(text) !== keys && scanKeys(text) !== keys) {
    throw new JsonError('duplicate key in an object');
  }
  return { value, numbers };
}

/**
 * Parses JSON of which only some fields are used: a used field must not be duplicated; the others
 * may have any JSON nested at most 32 deep.
 * @throws JsonError
 */
export function parseFields(text: string, isRead: (field: string) => boolean): Json {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new JsonError('not valid JSON', { cause: error });
  }
  refuseDeep(value, depthMax);
  // As many colons as keys prove that no key is duplicated.
  if (!isRecord(value) || countColons(text) === Object.keys(value).length) return value;
  const seen = new Set<string>();
  for (const key of outerKeys(text)) {
    if (isRead(key) && seen.has(key)) throw new JsonError('duplicate key in an object');
    seen.add(key);
  }
  return value;
}

/** Decodes bytes as UTF-8. @throws JsonError */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw new JsonError('not valid UTF-8', { cause: error });
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** JSON with sorted keys and without spaces: equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(withSortedKeys(value));
}

/** A copy, because a replacer takes twice as long. Integer keys come first, as in every object. */
function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (!isRecord(value)) return value;
  if (typeof value['toJSON'] === 'function') return withSortedKeys(value['toJSON']());
  const sorted: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) {
    const item = withSortedKeys(value[key]);
    if (key === '__proto__') Object.defineProperty(sorted, key, { value: item, enumerable: true });
    else sorted[key] = item;
  }
  return sorted;
}

/** Formats a value as indented JSON text. */
export function readableJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** `sha256` of a text, in hex. */
export function sha256(text: string | Uint8Array): string {
  return hash('sha256', text); // takes half the time of an incremental hash
}

/** Digest of a JSON value, independent of the order of its keys. */
export function digestOf(value: unknown): string {
  return sha256(canonicalJson(value));
}

/** Types a value that is JSON by construction. */
export function plainJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value));
}

/** Whether a value is an object with keys: not null, not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** Whether a value that is known to be JSON is an object. */
export function isJsonRecord(value: Json): value is JsonRecord {
  return isRecord(value);
}

export function isJsonList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** An own property of an object; undefined for anything else. */
export function fieldOf(value: unknown, key: string): unknown {
  return value !== null && typeof value === 'object' && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;
}

/**
 * A reader of the named fields of objects, which passes through the fields of an object once. It looks up
 * no name while fields are in the order of the names, as nearly all are.
 * @returns a function that puts each value at the position of its name, and undefined where a field is
 * absent; it returns the number of fields with other names
 */
export function fieldsReader(
  names: readonly string[],
): (object: JsonRecord, values: (Json | undefined)[]) => number {
  const positions = new Map(names.map((name, at) => [name, at]));
  return (object, values) => {
    for (let at = 0; at < names.length; at++) values[at] = undefined;
    let others = 0;
    let next = 0;
    for (const name in object) {
      const at = name === names[next] ? next : positions.get(name);
      if (at === undefined) {
        others += 1;
        continue;
      }
      values[at] = object[name];
      next = at + 1;
    }
    return others;
  };
}

/** Counts the keys of a parsed value, collects its numbers, and refuses one that is too deep. */
function countKeys(value: Json, deeper: number, numbers: number[]): number {
  if (typeof value === 'number') numbers.push(value);
  if (value === null || typeof value !== 'object') return 0;
  if (deeper === 0) throw new JsonError(`nested deeper than ${depthMax}`);
  let keys = 0;
  if (isJsonList(value)) {
    for (const item of value) keys += countKeys(item, deeper - 1, numbers);
    return keys;
  }
  for (const key in value) {
    const field = value[key];
    keys += 1;
    if (typeof field !== 'string' && field !== undefined) {
      keys += countKeys(field, deeper - 1, numbers);
    }
  }
  return keys;
}

/** Whether JSON is nested deeper than so many levels. */
export function isNestedDeeper(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  return levels === 0 || Object.values(value).some((item) => isNestedDeeper(item, levels - 1));
}

function refuseDeep(value: Json, deeper: number): void {
  if (value === null || typeof value !== 'object') return;
  if (deeper === 0) throw new JsonError(`nested deeper than ${depthMax}`);
  for (const item of Object.values(value)) refuseDeep(item, deeper - 1);
}

/** Keys of the outermost object of a JSON text, with duplicates. */
function* outerKeys(text: string): Generator<string> {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at);
    if (letter === 0x7b || letter === 0x5b) depth++;
    else if (letter === 0x7d || letter === 0x5d) depth--;
    if (letter !== 0x22) continue;
    const start = at;
    at = endOfString(text, at);
    if (depth !== 1 || nextVisible(text, at + 1) !== 0x3a) continue;
    yield String(JSON.parse(text.slice(start, at + 1)));
  }
}

function countColons(text: string): number {
  let colons = 0;
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) colons++;
  return colons;
}

/** Counts the keys of a JSON text, with duplicates. */
function scanKeys(text: string): number {
  let keys = 0;
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) !== 0x22) continue;
    at = endOfString(text, at);
    if (nextVisible(text, at + 1) === 0x3a) keys++;
  }
  return keys;
}

/**
 * The position of the quote that ends a string. Texts are short, so a character loop is faster than a
 * search.
 */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (let letter = text.charCodeAt(at); letter !== 0x22; letter = text.charCodeAt(at)) {
    at += letter === 0x5c ? 2 : 1; // any character after a backslash is part of the text
  }
  return at;
}

function nextVisible(text: string, at: number): number {
  let next = at;
  while (text.charCodeAt(next) <= 0x20) next++;
  return text.charCodeAt(next);
}

/** Whether JavaScript rounds a number when it parses it: `1e400` parses as infinity. */
function isRounded(value: number): boolean {
  return Number.isInteger(value) ? !Number.isSafeInteger(value) : !Number.isFinite(value);
}
