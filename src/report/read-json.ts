/** Reads JSON values whose format a journal does not guarantee. */
import { isRecord } from '../base/json.ts';

/** The text of a field; a number as its digits; undefined for other types. */
export function textAt(value: unknown, field: string): string | undefined {
  if (!isRecord(value) || !Object.hasOwn(value, field)) return undefined;
  const found = value[field];
  if (typeof found === 'string') return found;
  return typeof found === 'number' ? String(found) : undefined;
}

const depthMax = 6; // rows of an answer are at depth 2

/** Every object in a value that has all these fields, in order. */
export function* recordsWith(
  value: unknown,
  fields: readonly string[],
  depth = 0,
): Generator<Readonly<Record<string, unknown>>> {
  if (value === null || typeof value !== 'object' || depth > depthMax) return;
  if (isRecord(value) && fields.every((field) => Object.hasOwn(value, field))) yield value;
  for (const item of Object.values(value)) yield* recordsWith(item, fields, depth + 1);
}
