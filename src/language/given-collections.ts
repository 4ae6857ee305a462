/** Given lists, maps and records: values, JSON, or `a,b,c`. */
import { isDecimal, isDecimalText } from '../base/decimal.ts';
import { isRecord, type Json } from '../base/json.ts';
import { EvaluationError, Moment, Span, toJson, type Value } from './expression/value.ts';

/** A list as JSON, or as `a,b,c` on the command line. */
export function listOf(given: Value | Json): readonly Value[] {
  if (isListValue(given)) return given;
  if (typeof given !== 'string') throw new EvaluationError(`${shown(given)} is not a list`);
  const parsed = given.trimStart().startsWith('[')
    ? parsedJson(given)
    : given.split(',').map((word) => word.trim());
  if (isListValue(parsed)) return parsed;
  throw new EvaluationError(`${shown(given)} is not a list`);
}

export function mapOf(
  given: Value | Json,
  type: 'map' | 'record',
): Readonly<Record<string, Value>> {
  const value = typeof given === 'string' ? parsedJson(given) : given;
  if (isJsonMap(value)) return value;
  throw new EvaluationError(`${shown(given)} is not a ${type}`, 'write it as JSON: {"a":"1"}');
}

function isListValue(value: unknown): value is readonly Value[] {
  return Array.isArray(value);
}

function isJsonMap(value: unknown): value is Readonly<Record<string, Value>> {
  return (
    isRecord(value) && !isDecimal(value) && !(value instanceof Moment) && !(value instanceof Span)
  );
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(withAllDigits(text));
  } catch {
    throw new EvaluationError(`${shown(text)} is not valid JSON`);
  }
}

/** JSON in which numbers that lose digits when parsed are texts. */
function withAllDigits(json: string): string {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (part) =>
    isDecimalText(part) && String(Number(part)) !== part ? `"${part}"` : part,
  );
}

/** A value in a message. */
export function shown(value: unknown): string {
  const json = JSON.stringify(
    isDecimal(value) || value instanceof Moment || value instanceof Span ? toJson(value) : value,
  );
  return json === undefined ? 'nothing' : json.slice(0, 60);
}
