/** Values of a plan compared with current responses. */
import { minute, type Millis } from '../../base/clock.ts';
import { decimal, divide, isDecimalText, wholeDecimal, zero } from '../../base/decimal.ts';
import {
  canonicalJson,
  fieldOf,
  isJsonRecord,
  type Json,
  type JsonRecord,
} from '../../base/json.ts';
import { operationOf } from '../../exchange/api/operations/index.ts';
import { isSchema, propertyOf, type JsonSchema } from '../../exchange/api/schema.ts';
import type { FreshRead } from './recorded.ts';
import { usesOf, type Uses } from './uses.ts';

/** The allowed change of a value. */
export interface Room {
  /** The allowed change of a number, as a ratio. */
  readonly move: string;
  /** The allowed change of a time: it may be later by the time that has passed since it was read. */
  readonly passed: Millis;
}

/** A value that changed by more than allowed. */
export interface MovedValue {
  readonly path: readonly string[];
  readonly was: Json | undefined;
  readonly is: Json | undefined;
  /** Whether an expression names this value itself, not a list or a map that contains it. */
  readonly isNamed: boolean;
  /** Whether the value is a number, not a text or a time. */
  readonly isNumber: boolean;
}

/** Compares the recorded values of a read with its current response. */
export function movedValues(recorded: Json, now: FreshRead, room: Room): readonly MovedValue[] {
  const schema = operationOf(now.operation).output.json;
  const all = [now.uses];
  return compared(recorded, now.values, { path: [], schema, all, named: all, room });
}

interface ComparedField {
  readonly path: readonly string[];
  readonly schema: JsonSchema;
  readonly all: readonly Uses[];
  /** Uses that name this path literally. */
  readonly named: readonly Uses[];
  readonly room: Room;
}

function compared(was: Json | undefined, is: Json | undefined, place: ComparedField): MovedValue[] {
  if (was !== undefined && is !== undefined && isCollection(was) && isCollection(is)) {
    if (Array.isArray(was) === Array.isArray(is)) return comparedMembers(was, is, place);
  }
  if (isNear(was, is, place)) return [];
  const isNamed = place.named.some(({ isWhole }) => isWhole) || isOtherKind(was, is);
  const isNumber = kindOf(place.schema) === 'number';
  return [{ path: place.path, was, is, isNamed, isNumber }];
}

/** Whether a response has a text where it had a list or a map. */
function isOtherKind(was: Json | undefined, is: Json | undefined): boolean {
  return was !== undefined && is !== undefined && isCollection(was) !== isCollection(is);
}

/**
 * A list with another number of members is reported as a whole, because members cannot be matched.
 */
function comparedMembers(was: Collection, is: Collection, place: ComparedField): MovedValue[] {
  if (Array.isArray(was) && was.length !== Object.keys(is).length) {
    return [{ path: place.path, was, is, isNamed: false, isNumber: false }];
  }
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((name) =>
    compared(memberOf(was, name), memberOf(is, name), {
      path: [...place.path, name],
      schema: Array.isArray(was) ? itemsOf(place.schema) : fieldSchema(place.schema, name),
      all: usesOf(name, place.all),
      named: place.named.flatMap(({ members }) => members.get(name) ?? []),
      room: place.room,
    }),
  );
}

type Collection = readonly Json[] | JsonRecord;

function isCollection(value: Json): value is Collection {
  return value !== null && typeof value === 'object';
}

function memberOf(value: Json, name: string): Json | undefined {
  if (Array.isArray(value)) return value[Number(name)];
  return isJsonRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function itemsOf(schema: JsonSchema): JsonSchema {
  const shapes = shapesOf(schema).map(({ items }) => items);
  return shapes.find(isSchema) ?? {};
}

function fieldSchema(schema: JsonSchema, name: string): JsonSchema {
  const shapes = shapesOf(schema).map((shape) => propertyOf(shape, name));
  return shapes.find((shape) => Object.keys(shape).length > 0) ?? {};
}

function shapesOf(schema: JsonSchema): readonly JsonSchema[] {
  const { anyOf } = schema;
  return Array.isArray(anyOf) ? anyOf.filter(isSchema) : [schema];
}

/**
 * Whether two values are near: numbers may change slightly, times advance, and other values must be
 * equal.
 */
function isNear(
  was: Json | undefined,
  is: Json | undefined,
  { schema, room }: ComparedField,
): boolean {
  if (isUnset(was) && isUnset(is)) return true;
  if (was === undefined || is === undefined) return was === is;
  if (canonicalJson(was) === canonicalJson(is)) return true;
  if (!isScalar(was) || !isScalar(is)) return false;
  switch (kindOf(schema)) {
    case 'number':
      return isNearNumber(String(was), String(is), room.move);
    case 'time': {
      const later = Number(is) - Number(was);
      return later >= 0 && later <= room.passed + minute;
    }
    case 'word':
      return false;
  }
}

/** Whether a value is not set: responses have an empty text, null or nothing in its place. */
function isUnset(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '';
}

function isScalar(value: Json): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function kindOf(schema: JsonSchema): 'number' | 'time' | 'word' {
  const shapes = shapesOf(schema);
  const formats = shapes.map((shape) => String(fieldOf(shape, 'format')));
  if (formats.some((format) => format.startsWith('decimal'))) return 'number';
  if (formats.some((format) => format.startsWith('millis'))) return 'time';
  return shapes.some(({ type }) => type === 'integer' || type === 'number') ? 'number' : 'word';
}

/** Whether a number changed by at most a ratio. */
export function isNearNumber(was: string, is: string, move: string): boolean {
  if (was === is) return true;
  if (!isDecimalText(was) || !isDecimalText(is)) return false;
  const [before, after] = [decimal(was), decimal(is)];
  return after.minus(before).abs().lte(decimal(move).times(before.abs()));
}

/** The change of a number, as `+1.25 %`; '' if a value is not a number, or the old one is zero. */
export function moveWords(was: unknown, is: unknown): string {
  const [before, after] = [String(was), String(is)];
  if (!isDecimalText(before) || !isDecimalText(after) || decimal(before).eq(zero)) return '';
  const ratio = divide(decimal(after).minus(decimal(before)), decimal(before), {
    scale: 8,
    rounding: 'half-up',
  });
  return `${ratio.gt(zero) ? '+' : ''}${ratio.times(wholeDecimal(100)).toFixed(2)} %`;
}

/** The recorded values with some of them replaced by current ones. */
export function withValues(recorded: Json, moved: readonly MovedValue[]): Json {
  return moved.reduce<Json>((value, { path, is }) => replacedAt(value, path, is ?? null), recorded);
}

function replacedAt(value: Json, [name, ...rest]: readonly string[], by: Json): Json {
  if (name === undefined) return by;
  if (value === null || typeof value !== 'object') return value;
  if (!isJsonRecord(value)) {
    return value.map((item, at) => (String(at) === name ? replacedAt(item, rest, by) : item));
  }
  return { ...value, [name]: replacedAt(value[name] ?? null, rest, by) };
}
