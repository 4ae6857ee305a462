/** Values for a run's inputs: what is taken, what is refused, and in which words. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { toJson } from '../../src/language/expression/value.ts';
import { resolveInputs } from '../../src/language/inputs.ts';
import { loadPlaybook } from '../../src/language/load.ts';
import { readYaml } from '../../src/language/source.ts';

const playbookWith = (declaration: string): string =>
  `playbook: 1
name: test
inputs:
  x: ${declaration}
steps:
  - id: a
    uses: market/list-discount-rates
    expect: [{ that: "{{ ne (json inputs.x) '' }}" }]
`;

/** The value of `x`, or why it was refused. */
function resolved(declaration: string, given?: Json): unknown {
  const { playbook, problems } = loadPlaybook(playbookWith(declaration), 'inputs.yaml');
  if (playbook === undefined) throw new Error(problems.map(({ message }) => message).join('; '));
  const found = resolveInputs(playbook, new Map(given === undefined ? [] : [['x', given]]));
  const [issue] = found.problems;
  return issue === undefined ? toJson(found.inputs['x'] ?? null) : issue.message;
}

/** Problems of a declaration, with their places. */
const problemsIn = (declaration: string): string[] =>
  loadPlaybook(playbookWith(declaration), 'inputs.yaml').problems.map(
    ({ code, at, message }) => `${code}@${at.start.line}:${at.start.column} ${message}`,
  );

test('a value as a plan or a journal records it is the same value', () => {
  for (const [declaration, given] of [
    ['{ type: duration }', '90s'],
    ['{ type: list, items: { type: duration } }', ['2s', '1m']],
    ['{ type: map, items: { type: duration } }', { short: '2s' }],
    ['{ type: time }', '2026-01-31'],
    ['{ type: decimal }', '0.050'],
    ['{ type: integer }', '7'],
    ['{ type: boolean }', 'true'],
    ['{ type: list, items: { type: time } }', ['2026-01-31']],
  ] as const) {
    const recorded = resolved(declaration, given);
    const read: Json = JSON.parse(JSON.stringify(recorded));
    expect(resolved(declaration, read), declaration).toEqual(recorded);
  }
});

describe('a pattern', () => {
  test('matches within the text', () => {
    expect(resolved('{ type: string, pattern: "^[a-z]{1,20}$" }', 'alpha')).toBe('alpha');
    expect(resolved('{ type: string, pattern: "^[a-z]{1,20}$" }', 'Alpha')).toBe(
      'x: "Alpha" does not match ^[a-z]{1,20}$',
    );
  });

  test('with exponential backtracking in other engines is matched immediately', () => {
    expect(resolved('{ type: string, pattern: "^(a+)+$" }', `${'a'.repeat(255)}!`)).toContain(
      'does not match',
    );
  });

  test('is checked against at most 256 characters', () => {
    expect(resolved('{ type: string, pattern: "a" }', 'a'.repeat(256))).toHaveLength(256);
    expect(resolved('{ type: string, pattern: "a" }', 'a'.repeat(257))).toMatch(
      /^x: "a+ is longer than 256 characters$/,
    );
  });

  test('for members of a list applies to each of them', () => {
    expect(resolved('{ type: list, items: { type: string, pattern: "^a" } }', 'ab,b')).toBe(
      'x.1: "b" does not match ^a',
    );
  });

  test.each([
    ['looks ahead', '"a(?=b)"', 'invalid or unsupported Perl syntax'],
    ['refers back', '"(a)\\\\1"', 'invalid escape sequence'],
    ['is not closed', '"[a"', 'missing closing ]'],
    ['is too long', `"${'a'.repeat(257)}"`, 'longer than 256 characters'],
  ])('that %s is a problem of the playbook, with its location', (_name, pattern, why) => {
    const [problem] = problemsIn(`{ type: string, pattern: ${pattern} }`);
    expect(problem).toMatch(/^PB105@4:31 the pattern /);
    expect(problem).toContain(why);
  });
});

describe('a decimal', () => {
  test.each([
    ['as a number', '0.050'],
    ['as a text', '"0.050"'],
    ['in an expression', '"{{ 0.050 }}"'],
  ])('keeps the zeros of its default, written %s', (_name, written) => {
    expect(resolved(`{ type: decimal, default: ${written} }`)).toBe('0.050');
  });

  test('keeps the zeros of its value', () => {
    expect(resolved('{ type: decimal }', '61500.0')).toBe('61500.0');
  });

  test('keeps them within a list or map', () => {
    expect(resolved('{ type: list, default: [0.10, 2, 1.00] }')).toEqual(['0.10', 2, '1.00']);
    expect(resolved('{ type: map, items: { type: string }, default: { a: 0.10 } }')).toEqual({
      a: '0.10',
    });
  });

  test('in an input file keeps every digit', () => {
    expect(readYaml('a: 0.050\nb: [12345678901234567890, 7]\n', 'values.yaml')).toEqual({
      a: '0.050',
      b: ['12345678901234567890', 7],
    });
  });

  test('with a whole value is accepted for an integer', () => {
    expect(resolved('{ type: integer, maximum: 5 }', '5.0')).toBe(5);
    expect(resolved('{ type: integer, maximum: 5 }', '5.5')).toContain('is not a whole number');
  });
});

describe('a contradictory declaration is refused', () => {
  test.each([
    [
      '{ type: integer, maximum: 20, default: 25 }',
      'PB106@4:45 the default is not valid: 25 is above 20',
    ],
    [
      '{ type: decimal, minimum: 0.10, default: "0.099" }',
      'PB106@4:47 the default is not valid: 0.099 is below 0.10',
    ],
    [
      '{ type: string, minimum: 3 }',
      'PB106@4:22 minimum is for type: integer or decimal; this is string',
    ],
    ['{ type: integer, pattern: "^1" }', 'PB106@4:23 pattern is for type: string; this is integer'],
    ['{ type: string, values: [a] }', 'PB106@4:22 values is for type: enum; this is string'],
    ['{ type: enum }', 'PB106@4:6 an enum requires values'],
    [
      '{ type: enum, values: [a, b], default: c }',
      'PB106@4:45 the default is not valid: "c" is not a or b',
    ],
    ['{ type: decimal, minimum: 5, maximum: 3 }', 'PB106@4:32 minimum 5 is above maximum 3'],
    ['{ type: decimal, maximum: 1e3 }', 'PB106@4:32 maximum must be a plain decimal number'],
    [
      '{ type: list, items: { type: integer, minimum: 2 }, default: [1, 2] }',
      'PB106@4:67 the default is not valid at 0: 1 is below 2',
    ],
    [
      '{ type: list, items: { type: string, maximum: 2 } }',
      'PB106@4:43 maximum is for type: integer or decimal; this is string',
    ],
    ['{ type: list, items: { type: string, patern: a } }', 'PB101@4:43 "patern" is not known here'],
    [
      '{ type: string, pattern: "^a", default: b }',
      'PB106@4:46 the default is not valid: "b" does not match ^a',
    ],
    [
      '{ type: integer, default: "{{ add 1 0.5 }}" }',
      'PB106@4:32 the default is not valid: "1.5" is not a whole number',
    ],
    [
      '{ type: integer, default: "{{ daysAgo 7 }}" }',
      'PB106@4:32 the default does not fit: the input expects integer, found time',
    ],
    ['{ type: string, default: "{{ run.id }}" }', 'PB304@4:35 run has no "id"'],
  ])('%s', (declaration, problem) => {
    expect(problemsIn(declaration)).toEqual([problem]);
  });

  test.each([
    '{ type: integer, minimum: 1, maximum: 20, default: 20 }',
    '{ type: time, default: "{{ daysAgo 7 }}" }',
    '{ type: duration, default: 10s }',
    '{ type: map, items: { type: list, items: { type: decimal } }, default: { a: [0.10] } }',
    '{ type: string, default: 0.10 }',
  ])('but not %s', (declaration) => {
    expect(problemsIn(declaration)).toEqual([]);
  });
});

describe('a list or map', () => {
  const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

  test('is nested at most 24 deep, as JSON in a text, as a value and as a default', () => {
    const tooDeep = 'the value would be nested deeper than 24';
    expect(resolved('{ type: list }', nested(24))).toEqual(JSON.parse(nested(24)));
    expect(resolved('{ type: list }', nested(25))).toBe(`x: ${tooDeep}`);
    expect(resolved('{ type: list }', JSON.parse(nested(25)))).toBe(`x: ${tooDeep}`);
    expect(resolved('{ type: map }', `{"a":${nested(24)}}`)).toBe(`x: ${tooDeep}`);
    expect(problemsIn(`{ type: list, default: ${nested(25)} }`)).toEqual([
      `PB106@4:29 the default is not valid: ${tooDeep}`,
    ]);
  });

  test('of any depth ends nothing with an internal error', () => {
    expect(resolved('{ type: list }', nested(200_000))).toContain('nested deeper than 24');
  });
});
