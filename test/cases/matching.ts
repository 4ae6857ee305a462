/** Patterns: what an answer must look like, and what is remembered of it. */
import { expect } from 'vitest';

/** Things seen so far, by name. */
export type Memory = Map<string, string>;

export interface Scene {
  readonly memory: Memory;
  /** Business time, Unix ms. */
  readonly now: number;
}

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Milliseconds of `90m`, `-30d`, `+2s`. */
export function duration(text: string): number {
  const [, sign = '', number = '', unit = 'ms'] = /^([+-]?)(\d+)(ms|s|m|h|d)$/.exec(text) ?? [];
  if (number === '') throw new Error(`${text} is no duration`);
  return (sign === '-' ? -1 : 1) * Number(number) * units[unit as keyof typeof units];
}

/** Puts what was seen, and times from now, in the place of `$name` and `@-30d`. */
export function filled(value: unknown, scene: Scene): unknown {
  if (typeof value === 'string') return text(value, scene);
  if (Array.isArray(value)) return value.map((item) => filled(item, scene));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, filled(item, scene)]),
    );
  }
  return value;
}

function text(value: string, { memory, now }: Scene): string {
  if (value === '@') return String(now);
  if (/^@[+-]/.test(value)) return String(now + duration(value.slice(1)));
  if (!/^\$\w+$/.test(value)) return value;
  const seen = memory.get(value.slice(1));
  if (seen === undefined) throw new Error(`nothing was seen as ${value}`);
  return seen;
}

/** Holds a value against a pattern; a `$name` met for the first time is remembered. */
export function fits(value: unknown, pattern: unknown, scene: Scene, at = 'data'): void {
  if (typeof pattern === 'string') return textFits(value, pattern, scene, at);
  if (Array.isArray(pattern)) {
    expect(value, at).toHaveLength(pattern.length);
    pattern.forEach((item, index) => fits(Object(value)[index], item, scene, `${at}.${index}`));
  } else if (typeof pattern === 'object' && pattern !== null) {
    expect(value, at).toBeTypeOf('object');
    for (const [key, item] of Object.entries(pattern)) {
      expect(value, at).toHaveProperty([key]);
      fits(Object(value)[key], item, scene, `${at}.${key}`);
    }
  } else {
    expect(value, at).toBe(pattern);
  }
}

/** Whether a value fits; a name is remembered only of one that does. */
export function doesFit(value: unknown, pattern: unknown, scene: Scene): boolean {
  const memory = new Map(scene.memory);
  try {
    fits(value, pattern, { ...scene, memory });
  } catch {
    return false;
  }
  for (const [name, seen] of memory) scene.memory.set(name, seen);
  return true;
}

function textFits(value: unknown, pattern: string, scene: Scene, at: string): void {
  const [, expression] = /^\/(.*)\/$/s.exec(pattern) ?? [];
  const [, name] = /^\$(\w+)$/.exec(pattern) ?? [];
  if (expression !== undefined) expect(value, at).toMatch(new RegExp(expression));
  else if (name !== undefined && !scene.memory.has(name)) {
    expect(value, at).toBeTypeOf('string');
    scene.memory.set(name, String(value));
  } else expect(value, at).toBe(text(pattern, scene));
}

/** What stands at `data.list` of an answer; undefined when nothing does. */
export function found(answer: unknown, path: string): unknown {
  return path.split('.').reduce((value, key) => Object(value)[key], answer);
}

/** Rows at a path. */
export function rowsAt(answer: unknown, path: string): readonly unknown[] {
  const rows = found(answer, path);
  if (!Array.isArray(rows)) throw new Error(`${path} is no list`);
  return rows;
}

/** `3` or `>= 1`. */
export function countFits(rows: readonly unknown[], wanted: number | string, path: string): void {
  const [, least] = /^>= (\d+)$/.exec(String(wanted)) ?? [];
  if (least === undefined) expect(rows, path).toHaveLength(Number(wanted));
  else expect(rows.length, path).toBeGreaterThanOrEqual(Number(least));
}

/** `orderId desc`: no row comes before one it should follow; ids are compared exactly. */
export function isSorted(rows: readonly unknown[], order: string, path: string): void {
  const [field = '', direction = ''] = order.split(' ');
  const values = rows.map((row) => BigInt(Object(row)[field]));
  for (const [index, value] of values.entries()) {
    const next = values[index + 1];
    if (next === undefined) return;
    expect(direction === 'desc' ? value >= next : value <= next, `${path}.${index} ${order}`).toBe(
      true,
    );
  }
}
