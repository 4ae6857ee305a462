/** The types of columns in formats with numbers and times: taken from the API, never from the rows of
 * one day.
 */
import type { Millis } from '../../base/clock.ts';
import type { OperationName } from './operations/index.ts';
import { rowFields, rowSchema } from './row-schema.ts';
import { choicesIn, isSchema, propertiesOf, type JsonSchema } from './schema.ts';

/** A decimal with a fixed number of digits, of which `scale` follow the point. */
export interface DecimalType {
  readonly kind: 'number';
  readonly precision: number;
  readonly scale: number;
}

export type ColumnType = DecimalType | { readonly kind: 'time' } | { readonly kind: 'text' };

/** Types by column name; the values decide about a column that is not here. */
export type ColumnTypes = ReadonlyMap<string, ColumnType>;

const digitsMax = 38; // of a DECIMAL, in Parquet readers and in databases

/** The type of every decimal field of the API: prices, sizes and fees have at most 18 decimal places. */
export const decimalType: DecimalType = { kind: 'number', precision: digitsMax, scale: 18 };
export const integerType: DecimalType = { kind: 'number', precision: digitsMax, scale: 0 };
export const timeType: ColumnType = { kind: 'time' };
export const textType: ColumnType = { kind: 'text' };

/** The types of the fields of an operation's rows, in the order of the API. */
export function fieldTypes(operation: OperationName): ColumnTypes {
  return new Map([...rowFields(operation)].map(([name, json]) => [name, fieldType(json)]));
}

/**
 * The type of a value within a row: `feeDetail`, `0`, `fee`.
 * @returns undefined for one that the API does not have
 */
export function fieldTypeAt(
  operation: OperationName,
  path: readonly string[],
): ColumnType | undefined {
  let schemas: readonly JsonSchema[] = [rowSchema(operation)];
  for (const name of path) {
    schemas = schemas.flatMap(choicesIn).flatMap((schema) => {
      const inside = /^\d+$/.test(name) ? schema['items'] : propertiesOf(schema)[name];
      return isSchema(inside) ? [inside] : [];
    });
  }
  const [found] = schemas.flatMap(choicesIn).filter(({ type }) => type !== 'null');
  return found && fieldType(found);
}

function fieldType({ format }: JsonSchema): ColumnType {
  switch (format) {
    case 'decimal':
    case 'decimal-or-empty':
      return decimalType;
    case 'count':
      return integerType;
    case 'millis':
    case 'millis-or-empty':
      return timeType;
    default:
      return textType;
  }
}

/** The name of a type in a playbook and in a manifest. */
export function typeName(type: ColumnType): string {
  return type.kind === 'number' ? `decimal(${type.precision},${type.scale})` : type.kind;
}

export const typeNamesHint = `write text, time, integer, decimal or decimal(P,S) with at most ${digitsMax} digits, S of them after the point`;

/** The type of a name in a playbook; undefined for any other text. */
export function typeNamed(name: string): ColumnType | undefined {
  if (name === 'text') return textType;
  if (name === 'time') return timeType;
  if (name === 'integer') return integerType;
  if (name === 'decimal') return decimalType;
  const [, first, second] = /^decimal\(([1-9]\d?), ?(0|[1-9]\d?)\)$/.exec(name) ?? [];
  const [precision, scale] = [Number(first), Number(second)];
  const isDecimal = precision <= digitsMax && scale <= precision;
  return isDecimal ? { kind: 'number', precision, scale } : undefined;
}

const number = /^([+-]?)(\d{1,64})(?:\.(\d{1,64}))?(?:[eE]([+-]?\d{1,2}))?$/;

/**
 * A number as plain decimal text, without zeros that mean nothing: `1E+3` is `1000`.
 * @returns undefined for a text that is not a number
 */
export function numberIn(text: string): string | undefined {
  const found = number.exec(text);
  if (found === null) return undefined;
  const [, sign = '', before = '', after = '', exponent = '0'] = found;
  const point = before.length + Number(exponent);
  const digits = `${'0'.repeat(Math.max(0, -point))}${before}${after}`.padEnd(point, '0');
  const whole = digits.slice(0, Math.max(0, point)).replace(/^0+/, '') || '0';
  const fraction = digits.slice(Math.max(0, point)).replace(/0+$/, '');
  const plain = fraction === '' ? whole : `${whole}.${fraction}`;
  return sign === '-' && plain !== '0' ? `-${plain}` : plain;
}

/** The digits of a number as one integer; undefined if they do not fit. */
export function unscaled(plain: string, { precision, scale }: DecimalType): bigint | undefined {
  const [whole = '', fraction = ''] = plain.split('.');
  if (fraction.length > scale) return undefined;
  const digits = BigInt(whole + fraction.padEnd(scale, '0'));
  // "-0.5" has the whole part "-0", and BigInt keeps the sign of "-05".
  return digits < 10n ** BigInt(precision) && digits > -(10n ** BigInt(precision))
    ? digits
    : undefined;
}

const latest = Date.UTC(9999, 11, 31); // ms; spreadsheets and databases have no later dates

/**
 * A time in Unix milliseconds; `none` if it is not set: the exchange writes `0` or `-1`, too.
 * @returns undefined for a text that is not a time
 */
export function timeIn(text: string): Millis | 'none' | undefined {
  if (/^(?:0|-1)?$/.test(text)) return 'none';
  const ms = /^\d{1,16}$/.test(text) ? Number(text) : Infinity;
  return ms <= latest ? ms : undefined;
}
