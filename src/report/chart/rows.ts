/** Prepares rows and a spec for drawing: numbers as numbers, times in UTC on every machine. */
import { isDecimalText } from '../../base/decimal.ts';
import { isRecord } from '../../base/json.ts';
import type { Row } from '../../exchange/api/listing.ts';

export interface Prepared {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** Converts texts that contain numbers to numbers, except in columns that the spec uses as names. */
export function prepared(spec: Readonly<Record<string, unknown>>, rows: readonly Row[]): Prepared {
  const types = new Map<string, string>();
  noteTypes(spec, types);
  const ready = rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, drawn(value, types.get(name))]),
    ),
  );
  const inUtc = withUtc(spec);
  return { spec: isRecord(inUtc) ? inUtc : {}, rows: ready };
}

/** The column types in the encodings of a spec. */
function noteTypes(part: unknown, types: Map<string, string>): void {
  if (Array.isArray(part)) for (const each of part) noteTypes(each, types);
  if (!isRecord(part)) return;
  const { field, type } = part;
  if (typeof field === 'string' && typeof type === 'string') types.set(field, type);
  for (const each of Object.values(part)) noteTypes(each, types);
}

const exactDigits = 15; // longer numbers are ids, not quantities

function drawn(value: unknown, type: string | undefined): unknown {
  if (type === 'temporal') return momentOf(value) ?? value;
  if (type === 'nominal' || type === 'ordinal' || typeof value !== 'string') return value;
  const isShort = value.replace(/\D/g, '').length <= exactDigits;
  const isNumber = isDecimalText(value) && (isShort || type === 'quantitative');
  if (isNumber) return Number(value);
  return value === '' ? null : value;
}

const dateText = /^(\d{4})-(\d{2})(?:-(\d{2}))?(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?/;

/** The time in a value: a date as written, or Unix milliseconds; its time zone is ignored. */
function momentOf(value: unknown): number | undefined {
  const text = String(value);
  if (/^\d{10,16}$/.test(text)) return Number(text);
  const [found, year, month, ...rest] = dateText.exec(text) ?? [];
  if (found === undefined) return undefined;
  const [day = '1', hour = '0', minute = '0', second = '0'] = rest.map((part) => part);
  return Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
}

/** The spec with times in UTC: a drawing must not depend on the machine. */
function withUtc(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withUtc);
  if (!isRecord(part)) return part;
  const inside = Object.fromEntries(
    Object.entries(part).map(([name, each]) => [name, withUtc(each)]),
  );
  const { timeUnit, type, scale } = inside;
  const isLocal = typeof timeUnit === 'string' && !timeUnit.startsWith('utc');
  return {
    ...inside,
    ...(isLocal && { timeUnit: `utc${timeUnit}` }),
    ...(type === 'temporal' &&
      typeof inside['field'] === 'string' &&
      scale !== null && { scale: { type: 'utc', ...(isRecord(scale) ? scale : {}) } }),
  };
}
