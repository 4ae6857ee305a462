/** Steps as a graph: their order, circles among them, and files as full of steps as they may be. */
import { describe, expect, test } from 'vitest';
import { loadPlaybook } from '../../src/language/load.ts';

/** A playbook of steps that read nothing in particular; each line is `id: needs`. */
function playbookOf(steps: Readonly<Record<string, readonly string[]>>): string {
  const lines = Object.entries(steps).map(
    ([id, needs]) =>
      `  - { id: ${id}, ${needs.length > 0 ? `needs: [${needs.join(', ')}], ` : ''}uses: market/list-discount-rates }`,
  );
  return `playbook: 1\nname: test\nsteps:\n${lines.join('\n')}\n`;
}

const orderOf = (steps: Readonly<Record<string, readonly string[]>>): string | undefined =>
  loadPlaybook(playbookOf(steps), 'graph.yaml')
    .playbook?.steps.map(({ id }) => id)
    .join(' ');

const circlesIn = (steps: Readonly<Record<string, readonly string[]>>): string[] =>
  loadPlaybook(playbookOf(steps), 'graph.yaml').problems.map(
    ({ code, at, message }) => `${code}@${at.start.line} ${message}`,
  );

describe('the order of steps', () => {
  test('is that of the file by default', () => {
    expect(orderOf({ b: [], a: [], c: [] })).toBe('b a c');
  });

  test('moves a step only behind those it needs', () => {
    expect(orderOf({ a: ['c'], b: [], c: [], d: ['a'] })).toBe('b c a d');
    expect(orderOf({ a: ['d'], b: ['d'], c: [], d: [], e: [] })).toBe('c d a b e');
  });
});

describe('a cycle in needs', () => {
  test('is reported once, at its first step', () => {
    expect(circlesIn({ a: [], b: ['c'], c: ['d'], d: ['b'] })).toEqual([
      'PB403@5 cycle in needs: b → c → d → b',
    ]);
  });

  test('is reported for every cycle, even behind another one', () => {
    expect(circlesIn({ a: ['b'], b: ['a'], c: ['a', 'd'], d: ['c'], e: ['e'] })).toEqual([
      'PB403@4 cycle in needs: a → b → a',
      'PB403@6 cycle in needs: c → d → c',
      'PB403@8 cycle in needs: e → e',
    ]);
  });
});

// Time that grows with the square of the steps would make each of these take minutes.
describe('a file with the maximum number of steps', () => {
  const ids = Array.from({ length: 2_000 }, (_, place) => `s${place}`);

  test('is sorted when each step needs the next', () => {
    const steps = Object.fromEntries(ids.map((id, place) => [id, ids.slice(place + 1, place + 2)]));
    expect(orderOf(steps) === ids.toReversed().join(' ')).toBe(true);
  });

  test('is reported as one cycle', () => {
    const steps = Object.fromEntries(ids.map((id, place) => [id, [ids[place + 1] ?? 's0']]));
    const [problem, ...more] = circlesIn(steps);
    expect(problem).toMatch(/^PB403@4 cycle in needs: s0 → s1 → /);
    expect(more).toEqual([]);
  });
});
