/** The difference between an expectation and the result: as text for a person, and as a change that corrects it. */
import { decimal, isDecimalText } from '../../base/decimal.ts';
import { isRecord, type Json } from '../../base/json.ts';
import type { SourceNode } from '../../language/text/node.ts';

/** Keys from the root of the expectation to a value, such as `['plan', 'writes', 'ladder[1]', 'price']`. */
export type Path = readonly (string | number)[];

export interface Mismatch {
  readonly path: Path;
  /** The node in the test file and its location. */
  readonly node: SourceNode;
  /** The expected and the actual value, as text. */
  readonly expected: string;
  readonly got: string;
  /** The change that makes the expectation true; absent if a person must write the change. */
  readonly fix?: Fix;
}

export type Fix =
  | { readonly kind: 'set'; readonly value: Json }
  | { readonly kind: 'delete' }
  /** Adds a value at the path: below a new key of the map, or at the end of the list. */
  | { readonly kind: 'add'; readonly key?: string; readonly value: Json };

/** The actual value; undefined if it is missing, which is not the same as null. */
export type Got = Json | undefined;

/**
 * Compares an expectation with the result. In a map only the listed keys count, a list must match member by
 * member, and decimals are compared by value.
 */
export function differences(node: SourceNode, got: Got, path: Path): Mismatch[] {
  switch (node.kind) {
    case 'scalar':
      return isSame(node, got) ? [] : [scalarMismatch(node, got, path)];
    case 'map': {
      if (!isRecord(got)) return [wholeMismatch(node, got, path)];
      return [...node.entries].flatMap(([key, { key: name, value }]) => {
        const found = ownValue(got, key);
        if (found !== undefined) return differences(value, found, [...path, key]);
        const [expected, fix] = [worded(value), { kind: 'delete' }] as const;
        return [{ path: [...path, key], node: name, expected, got: 'nothing', fix }];
      });
    }
    case 'list': {
      if (!Array.isArray(got) || got.length !== node.items.length) {
        return [wholeMismatch(node, got, path)];
      }
      return node.items.flatMap((item, place) => differences(item, got[place], [...path, place]));
    }
  }
}

/** A member of a record with its type; undefined if it is missing. */
export function ownValue(record: Readonly<Record<string, unknown>>, key: string): Got {
  const value = Object.hasOwn(record, key) ? record[key] : undefined;
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function scalarMismatch(node: SourceNode, got: Got, path: Path): Mismatch {
  const mismatch = { path, node, expected: worded(node), got: wordsOf(got) };
  return got === undefined ? mismatch : { ...mismatch, fix: { kind: 'set', value: got } };
}

function wholeMismatch(node: SourceNode, got: Got, path: Path): Mismatch {
  const mismatch = { path, node, expected: worded(node), got: wordsOf(got) };
  return { ...mismatch, fix: got === undefined ? { kind: 'delete' } : { kind: 'set', value: got } };
}

/**
 * Whether a value is the expected one. A number is compared by its digits, so that 0.10 equals 0.1;
 * everything else as text.
 */
function isSame(node: Extract<SourceNode, { kind: 'scalar' }>, got: Got): boolean {
  if (got === undefined || typeof got === 'object') return got === null && node.value === null;
  const [wanted, came] = [node.text, String(got)];
  if (isDecimalText(wanted) && isDecimalText(came)) return decimal(wanted).eq(decimal(came));
  return wanted === came;
}

/** An expectation as text on one line. */
export function worded(node: SourceNode): string {
  switch (node.kind) {
    case 'scalar':
      return node.text === '' ? '""' : node.text;
    case 'list':
      return `[${node.items.map(worded).join(', ')}]`;
    case 'map':
      return bracedWords([...node.entries].map(([key, { value }]) => [key, worded(value)]));
  }
}

/** An actual value as text, in the notation of expectations. */
export function wordsOf(value: Got): string {
  if (value === undefined) return 'nothing';
  if (value === '') return '""';
  if (Array.isArray(value)) return `[${value.map(wordsOf).join(', ')}]`;
  if (isRecord(value)) {
    return bracedWords(Object.keys(value).map((key) => [key, wordsOf(ownValue(value, key))]));
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function bracedWords(pairs: readonly (readonly [string, string])[]): string {
  return pairs.length === 0 ? '{}' : `{ ${pairs.map((pair) => pair.join(': ')).join(', ')} }`;
}
