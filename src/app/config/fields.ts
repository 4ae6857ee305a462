/** Reads a configuration file field by field: every mistake is reported with its location. */
import { lengthIn, type Millis } from '../../base/clock.ts';
import { isDecimalText, shareText } from '../../base/decimal.ts';
import { ConfigError } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { listed, nearWord } from '../../base/text.ts';

/** A mapping of the file with its path. */
export interface Fields {
  readonly file: string;
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * A mapping whose keys are all known.
 * @throws ConfigError naming the unknown key and a suggestion
 */
export function fieldsOf(
  value: unknown,
  place: { readonly file: string; readonly path: string },
  known: readonly string[],
): Fields {
  const { file, path } = place;
  if (value === null || value === undefined) return { file, path, values: {} };
  if (!isRecord(value)) throw wrong(place, 'must be a map');
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const near = nearWord(key, known);
    const hint = near ? `did you mean ${near}?` : `known keys: ${listed(known)}`;
    throw new ConfigError(`${file}: ${at(path, key)} is not known`, hint);
  }
  return { file, path, values: value };
}

export function wordIn<W extends string>(
  fields: Fields,
  key: string,
  allowed: readonly W[],
): W | undefined {
  const value = fields.values[key];
  if (value === undefined) return undefined;
  const found = allowed.find((word) => word === value);
  if (found !== undefined) return found;
  const near = nearWord(scalarText(value), allowed);
  throw wrong(inside(fields, key), `must be ${listed(allowed, 'or')}`, near);
}

export function textIn(fields: Fields, key: string): string | undefined {
  const value = fields.values[key];
  if (value === undefined || typeof value === 'string') return value;
  throw wrong(inside(fields, key), 'must be text');
}

export function countIn(fields: Fields, key: string): number | undefined {
  const value = fields.values[key];
  if (value === undefined) return undefined;
  const text = scalarText(value);
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw wrong(inside(fields, key), 'must be a whole number');
}

/** A decimal as text; a number is taken as written. */
export function decimalIn(fields: Fields, key: string): string | undefined {
  const value = fields.values[key];
  if (value === undefined) return undefined;
  const text = scalarText(value);
  if (isDecimalText(text) && !text.startsWith('-')) return text;
  throw wrong(inside(fields, key), 'must be a decimal number such as 50000');
}

/** Parses `5%` or `0.05` as `0.05`. */
export function ratioIn(fields: Fields, key: string): string | undefined {
  const value = fields.values[key];
  if (value === undefined) return undefined;
  const share = shareText(scalarText(value));
  if (share !== undefined) return share;
  throw wrong(inside(fields, key), 'must be a percentage or ratio such as 5% or 0.05');
}

/** A duration such as `15m`, in milliseconds. */
export function lengthOf(fields: Fields, key: string): Millis | undefined {
  const value = fields.values[key];
  if (value === undefined) return undefined;
  const length = lengthIn(scalarText(value));
  if (length !== undefined && length > 0) return length;
  throw wrong(inside(fields, key), 'must be a duration such as 90s, 15m, 2h or 3d');
}

export function textsIn(fields: Fields, key: string): readonly string[] | undefined {
  const value = fields.values[key];
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw wrong(inside(fields, key), 'must be a list of texts');
}

/** A number or text as written; anything else as text that is invalid for any field. */
function scalarText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The location of a field within its mapping. */
export function inside(fields: Fields, key: string): { file: string; path: string } {
  return { file: fields.file, path: at(fields.path, key) };
}

/** The error for a mistake at a location in the file. */
export function wrong(
  place: { readonly file: string; readonly path: string },
  what: string,
  near?: string,
): ConfigError {
  return new ConfigError(
    `${place.file}: ${place.path || 'the file'} ${what}`,
    near && `did you mean ${near}?`,
  );
}

function at(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
