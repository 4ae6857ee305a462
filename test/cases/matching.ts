/** Patterns: what a response must look like, and which of its values are remembered. */
import { expect } from 'vitest';
import { decimal } from '../../src/base/decimal.ts';

/** Remembered values, by name. */
export type Memory = Map<string, string>;

export interface Scene {
  readonly memory: Memory;
  /** Business time, Unix ms. */
  readonly now: number;
}

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses `90m`, `-30d`, `+2s` and combinations such as `1h30m` as milliseconds. */
export function duration(text: string): number {
  if (!/^([+-]?\d+(ms|s|m|h|d))+$/.test(text)) throw new Error(`${text} is not a duration`);
  const parts = [...text.matchAll(/([+-]?\d+)(ms|s|m|h|d)/g)];
  return parts.reduce(
    (sum, [, number, unit]) => sum + Number(number) * units[unit as keyof typeof units],
    0,
  );
}

/** Replaces `$name` and `@-30d` by remembered values and times. */
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

/** The value of `@-30d`, `$name` or `$name+1ms`; any other text is literal. */
function text(value: string, { memory, now }: Scene): string {
  const [, at, name, offset] = /^(?:(@)|\$(\w+))((?:[+-]\d+(?:ms|s|m|h|d))*)$/.exec(value) ?? [];
  if (at === undefined && name === undefined) return value;
  const from = name === undefined ? String(now) : memory.get(name);
  if (from === undefined) throw new Error(`nothing was seen as $${name}`);
  return offset === '' || offset === undefined
    ? from
    : String(BigInt(from) + BigInt(duration(offset)));
}

/** Compares a value with a pattern; the first value of a `$name` is remembered. */
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

/** Whether a value matches; names are remembered only on a match. */
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
  const [, from, to] = /^(\S+) \.\. (\S+)$/.exec(pattern) ?? [];
  const [, other] = /^!(\$\w+)$/.exec(pattern) ?? [];
  const [, name] = /^\$(\w+)$/.exec(pattern) ?? [];
  if (expression !== undefined) expect(value, at).toMatch(new RegExp(expression));
  else if (from !== undefined && to !== undefined) {
    isBetween(value, [text(from, scene), text(to, scene)], at);
  } else if (other !== undefined) expect(value, at).not.toBe(text(other, scene));
  else if (name !== undefined && !scene.memory.has(name)) {
    expect(value, at).toBeTypeOf('string');
    scene.memory.set(name, String(value));
  } else expect(value, at).toBe(text(pattern, scene));
}

/** Whether a text is a number between two inclusive bounds; compared exactly. */
function isBetween(value: unknown, [from, to]: readonly [string, string], at: string): void {
  expect(value, at).toBeTypeOf('string');
  const number = decimal(String(value));
  const isWithin = number.gte(decimal(from)) && number.lte(decimal(to));
  expect(isWithin, `${at} is ${String(value)}, not from ${from} to ${to}`).toBe(true);
}

/** Whether a value contains no numbers or booleans. */
export function areTexts(value: unknown, at = 'data'): void {
  if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) areTexts(item, `${at}.${key}`);
  } else if (value !== null) expect(value, at).toBeTypeOf('string');
}

/** The value at a path such as `data.list`; undefined if there is none. */
export function found(answer: unknown, path: string): unknown {
  return path.split('.').reduce((value, key) => Object(value)[key], answer);
}

/** The same response with another value at a path. */
export function withAt(answer: unknown, path: string, value: unknown): unknown {
  const [key = '', ...rest] = path.split('.');
  const inner = rest.length === 0 ? value : withAt(Object(answer)[key], rest.join('.'), value);
  return { ...Object(answer), [key]: inner };
}

/** Rows at a path. */
export function rowsAt(answer: unknown, path: string): readonly unknown[] {
  const rows = found(answer, path);
  if (!Array.isArray(rows)) throw new Error(`${path} is not a list`);
  return rows;
}

/** `3` or `>= 1`. */
export function countFits(rows: readonly unknown[], wanted: number | string, path: string): void {
  const [, least] = /^>= (\d+)$/.exec(String(wanted)) ?? [];
  if (least === undefined) expect(rows, path).toHaveLength(Number(wanted));
  else expect(rows.length, path).toBeGreaterThanOrEqual(Number(least));
}

/** `uid time`: no two rows have equal values in all of these fields. */
export function areDistinct(rows: readonly unknown[], fields: string, path: string): void {
  const keys = rows.map((row) =>
    fields
      .split(' ')
      .map((field) => Object(row)[field])
      .join(' '),
  );
  expect(new Set(keys).size, `${path} by ${fields}`).toBe(rows.length);
}

/** `orderId desc`: rows are sorted this way; ids are compared exactly. */
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
