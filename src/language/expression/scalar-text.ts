/** A single value as people would write it. */
import { decimalText, isDecimal } from '../../base/decimal.ts';
import { Moment, type Value } from './value.ts';

/** The text of a single value; undefined for lists, maps and unknown values. */
export function scalarText(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (isDecimal(value)) return decimalText(value);
  return value instanceof Moment ? String(value.ms) : undefined;
}
