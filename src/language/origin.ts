/** Where values were read: problems of a member name its line in the file. */
import type { Value } from './expression/value.ts';

/** The place of a member of a value, by its path: `clients.csv:7:3`. */
export type Origin = (path: readonly string[]) => string;

const origins = new WeakMap<object, Origin>();

/** Keeps where a list or a map was read, as long as the value lives. */
export function keepOrigin(value: Value, origin: Origin): void {
  if (typeof value === 'object' && value !== null) origins.set(value, origin);
}

/** Where a value was read; undefined for one that is not from a file, or a single value. */
export function originOf(value: unknown): Origin | undefined {
  return typeof value === 'object' && value !== null ? origins.get(value) : undefined;
}
