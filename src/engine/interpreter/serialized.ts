/** Expression values as JSON that keeps their types, for evaluation in another process. */
import { decimalText, isDecimal, writtenDecimal } from '../../base/decimal.ts';
import { isJsonRecord, type Json, type JsonRecord } from '../../base/json.ts';
import { isPlainMap } from '../../language/expression/helpers/define.ts';
import {
  isList,
  Moment,
  Span,
  Unknown,
  type Scope,
  type Value,
} from '../../language/expression/value.ts';
import type { Reference } from '../../language/playbook.ts';

/** A type that JSON lacks becomes an object with one key, which starts with a dollar sign. */
export function serialize(value: Value): Json {
  if (value === null || typeof value !== 'object') return value;
  if (isDecimal(value)) return { $decimal: decimalText(value) };
  if (value instanceof Moment) return { $moment: value.ms };
  if (value instanceof Span) return { $span: value.ms };
  if (value instanceof Unknown) return { $unknown: value.after };
  if (isList(value)) return value.map(serialize);
  const entries = Object.entries(value).map(([key, item]): [string, Json] => [
    key,
    serialize(item),
  ]);
  const isMarked = entries.some(([key]) => key.startsWith('$'));
  return isMarked ? { $map: entries } : Object.fromEntries(entries);
}

export function deserialize(json: Json): Value {
  if (json === null || typeof json !== 'object') return json;
  if (!isJsonRecord(json)) return json.map(deserialize);
  const [mark, stored = null] = Object.entries(json)[0] ?? [];
  if (mark?.startsWith('$') !== true) return fieldsOf(json);
  switch (mark) {
    case '$decimal':
      return writtenDecimal(textOf(stored));
    case '$moment':
      return new Moment(Number(stored));
    case '$span':
      return new Span(Number(stored));
    case '$unknown':
      return new Unknown(textOf(stored));
    default:
      return Array.isArray(stored) ? fieldsOf(Object.fromEntries(stored)) : null;
  }
}

function textOf(stored: Json): string {
  return typeof stored === 'string' ? stored : '';
}

/** The parts of a scope that are read; always with `run`, because helpers get the time from it. */
export function serializeScope(
  reads: readonly Pick<Reference, 'root' | 'path'>[],
  scope: Scope,
): JsonRecord {
  const { run } = scope;
  const picked = new Map<string, Value>(run === undefined ? [] : [['run', run]]);
  for (const { root, path } of reads) {
    const found = new Map(Object.entries(scope)).get(root);
    if (found === undefined) continue;
    picked.set(root, joined(picked.get(root), alone(found, path)));
  }
  return Object.fromEntries([...picked].map(([root, value]) => [root, serialize(value)]));
}

export function deserializeScope(fields: JsonRecord): Scope {
  return fieldsOf(fields);
}

function fieldsOf(json: JsonRecord): { readonly [key: string]: Value } {
  return Object.fromEntries(Object.entries(json).map(([key, item]) => [key, deserialize(item)]));
}

/** A copy of a value that contains only the part that a path selects. */
function alone(value: Value, [word, ...rest]: readonly string[]): Value {
  if (word === undefined || !isPlainMap(value)) return value;
  const inner = Object.hasOwn(value, word) ? value[word] : undefined;
  return inner === undefined ? {} : { [word]: alone(inner, rest) };
}

/** Merges two selections of the same value. */
function joined(a: Value | undefined, b: Value | undefined): Value {
  if (a === undefined || b === undefined) return a ?? b ?? null;
  if (!isPlainMap(a) || !isPlainMap(b)) return b;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...keys].map((key) => [key, joined(a[key], b[key])]));
}
