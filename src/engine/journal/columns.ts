/** Values of one shape by columns: what they have in common is stored, and parsed, once. */
import { isRecord } from '../../base/json.ts';

/** The values that many objects have at one place. */
export type Column =
  | { readonly each: readonly unknown[] }
  /** Numbers as 64-bit floats, lowest byte first, in base64: read many times faster than digits. */
  | { readonly numbers: string }
  /** Digests of 32 bytes, in base64. */
  | { readonly digests: string }
  /** A few different values, and which of them each has; without `at` all have the first. */
  | { readonly among: readonly unknown[]; readonly at?: readonly number[] }
  | { readonly fields: Readonly<Record<string, Column>> }
  | { readonly items: readonly Column[] }
  /** A field that only the values with these numbers have. */
  | { readonly some: readonly number[]; readonly of: Column };

export function columnOf(values: readonly unknown[]): Column {
  const shared = sharedBy(values);
  if (shared !== undefined) return shared;
  const packed = numbersIn(values) ?? digestsIn(values);
  if (packed !== undefined) return packed;
  const records = values.filter(isRecord);
  if (records.length === values.length && !records.some(hasPrototypeField)) {
    const named = records.flatMap((each) => Object.keys(each));
    const keys = new Set(named);
    // Keys of which each is in a few of the records are names: a column of each would grow with their square.
    if (named.length * sharedMin < keys.size * records.length) return { each: values };
    return { fields: Object.fromEntries([...keys].map((key) => [key, fieldOf(records, key)])) };
  }
  const lists = values.filter((each): each is readonly unknown[] => Array.isArray(each));
  const [{ length } = []] = lists;
  if (length > 0 && lists.length === values.length && lists.every((each) => each.length === length))
    return {
      items: Array.from({ length }, (_none, at) => columnOf(lists.map((each) => each[at]))),
    };
  return { each: values };
}

/** The value with each number; undefined where there is none. */
export function valuesOf(column: Column): (at: number) => unknown {
  if ('each' in column) return (at) => column.each[at];
  if ('numbers' in column) {
    const numbers = floatsIn(column.numbers);
    return (at) => numbers[at];
  }
  if ('digests' in column) {
    const bytes = Buffer.from(column.digests, 'base64');
    return (at) => bytes.toString('hex', at * digestBytes, (at + 1) * digestBytes);
  }
  if ('among' in column) {
    const { among, at: numbers } = column;
    return numbers === undefined ? () => among[0] : (at) => among[numbers[at] ?? -1];
  }
  if ('items' in column) {
    const items = column.items.map(valuesOf);
    return (at) => items.map((valueOf) => valueOf(at));
  }
  if ('some' in column) {
    const places = new Map(column.some.map((at, place) => [at, place]));
    const valueOf = valuesOf(column.of);
    return (at) => {
      const place = places.get(at);
      return place === undefined ? undefined : valueOf(place);
    };
  }
  const fields = Object.entries(column.fields).map(([key, each]) => [key, valuesOf(each)] as const);
  return (at) => {
    const value: Record<string, unknown> = {};
    for (const [key, valueOf] of fields) {
      const field = valueOf(at);
      if (field !== undefined) value[key] = field;
    }
    return value;
  };
}

/** Like `valuesOf`, but nothing is decoded before a value is asked for. */
export function valueAt(column: Column): (at: number) => unknown {
  let valueOf: ((at: number) => unknown) | undefined;
  return (at) => (valueOf ??= valuesOf(column))(at);
}

/** The numbers of a column, decoded when one is asked for; undefined unless all of its values are numbers. */
export function numberAt(column: Column, count: number): ((at: number) => number) | undefined {
  if ('numbers' in column) {
    if (Buffer.byteLength(column.numbers, 'base64') !== count * floatBytes) return undefined;
    let floats: Float64Array | undefined;
    return (at) => (floats ??= floatsIn(column.numbers))[at] ?? NaN;
  }
  if (!('among' in column) && !('each' in column)) return undefined;
  const { values, numberOf } = sharedOf(column, count);
  const numbers = values.filter((value) => typeof value === 'number');
  return numbers.length === values.length ? (at) => numbers[numberOf(at)] ?? NaN : undefined;
}

/** Values of which many may be equal, and which of them each place has. */
export interface Shared {
  readonly values: readonly unknown[];
  readonly numberOf: (at: number) => number;
}

/** The values of a column, those that many have in common once. */
export function sharedOf(column: Column, count: number): Shared {
  if ('among' in column) {
    const { among: values, at: numbers } = column;
    return { values, numberOf: numbers === undefined ? () => 0 : (at) => numbers[at] ?? -1 };
  }
  const valueOf = valuesOf(column);
  return {
    values: Array.from({ length: count }, (_none, at) => valueOf(at)),
    numberOf: (at) => at,
  };
}

/** The values of a column of which many are equal, each once; undefined of others. */
export function fewIn(column: Column): readonly unknown[] | undefined {
  return 'among' in column ? column.among : undefined;
}

/** The bounds of a column of numbers; undefined of others. */
export function rangeIn(
  column: Column,
  count: number,
): { readonly least: number; readonly most: number } | undefined {
  const numberOf = count === 0 ? undefined : numberAt(column, count);
  if (numberOf === undefined) return undefined;
  let [least, most] = [Infinity, -Infinity];
  for (let at = 0; at < count; at++) {
    least = Math.min(least, numberOf(at));
    most = Math.max(most, numberOf(at));
  }
  return Number.isFinite(least) && Number.isFinite(most) ? { least, most } : undefined;
}

const floatBytes = 8;
const digestBytes = 32;
const packedMin = 4; // values: fewer are as short in digits

function numbersIn(values: readonly unknown[]): Column | undefined {
  if (values.length < packedMin || !values.every((each) => Number.isFinite(each))) return undefined;
  const bytes = Buffer.alloc(values.length * floatBytes);
  for (const [at, value] of values.entries()) bytes.writeDoubleLE(Number(value), at * floatBytes);
  return { numbers: bytes.toString('base64') };
}

function floatsIn(text: string): Float64Array {
  const bytes = Buffer.from(text, 'base64');
  const floats = new Float64Array(Math.floor(bytes.length / floatBytes));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < floats.length; at++) floats[at] = view.getFloat64(at * floatBytes, true);
  return floats;
}

function digestsIn(values: readonly unknown[]): Column | undefined {
  const isDigest = (each: unknown): each is string =>
    typeof each === 'string' && /^[0-9a-f]{64}$/.test(each);
  if (values.length < packedMin || !values.every(isDigest)) return undefined;
  return { digests: Buffer.from(values.join(''), 'hex').toString('base64') };
}

/** The column of values of which many are equal; undefined of others. */
function sharedBy(values: readonly unknown[]): Column | undefined {
  if (areDifferent(values)) return undefined;
  const known = new Map<string, number>();
  const among: unknown[] = [];
  const at: number[] = [];
  for (const value of values) {
    const text = JSON.stringify(value);
    const number = known.get(text) ?? among.push(value) - 1;
    known.set(text, number);
    at.push(number);
    if (among.length > 1 && among.length > values.length / sharedMin) return undefined;
  }
  return among.length === 1 ? { among } : { among, at };
}

const sharedMin = 4; // values for each different one
const sampleCount = 64; // values of which hardly all differ where a quarter of all are different

/** Whether a sample of many values has no two equal ones: to look at all of them takes longer. */
function areDifferent(values: readonly unknown[]): boolean {
  if (values.length < sampleCount * sharedMin) return false;
  const step = values.length / sampleCount;
  const sample = Array.from({ length: sampleCount }, (_none, at) => values[Math.floor(at * step)]);
  return new Set(sample.map((value) => JSON.stringify(value))).size === sampleCount;
}

/** Whether assigning a field would set the prototype of a record. */
function hasPrototypeField(record: Readonly<Record<string, unknown>>): boolean {
  return Object.hasOwn(record, '__proto__');
}

function fieldOf(records: readonly Readonly<Record<string, unknown>>[], key: string): Column {
  const some = [...records.keys()].filter((at) => records[at]?.[key] !== undefined);
  const of = columnOf(some.map((at) => records[at]?.[key]));
  return some.length === records.length ? of : { some, of };
}
