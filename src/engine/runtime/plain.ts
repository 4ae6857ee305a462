/** Engine values are JSON: equal after a crash, and in another process. */
import { InternalError } from '../../base/error.ts';

/** @throws InternalError naming the key when a value would not survive serialization */
export function requireJson(value: unknown, key: string): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (Array.isArray(value)) {
    for (const item of value) requireJson(item, key);
    return;
  }
  if (typeof value === 'object' && isPlain(value)) {
    for (const item of Object.values(value)) requireJson(item, key);
    return;
  }
  throw new InternalError(`${key} holds ${nameOf(value)}, which is not JSON`);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function nameOf(value: unknown): string {
  return typeof value === 'object' ? `a ${value?.constructor.name}` : `a ${typeof value}`;
}
