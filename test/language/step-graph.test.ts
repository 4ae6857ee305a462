/** The tree of steps: each below the last of the steps that it needs, however long a chain of them is. */
import { expect, test } from 'vitest';
import { loadPlaybook } from '../../src/language/load.ts';
import { placedSteps } from '../../src/language/step-graph.ts';

function placesOf(needs: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const steps = Object.entries(needs).map(
    ([id, others]) =>
      `  - { id: ${id}, uses: wait, with: { for: 1s }, needs: [${others.join(', ')}] }\n`,
  );
  const { playbook } = loadPlaybook(`playbook: 1\nname: tree\nsteps:\n${steps.join('')}`, 'a.yaml');
  return placedSteps(playbook?.steps ?? []).map(
    ({ step, depth, isBelow, isLast }) =>
      `${' '.repeat(depth)}${step.id}${isBelow ? '' : ' top'}${isLast ? ' last' : ''}`,
  );
}

test('a step is below the last of the steps that it needs, in the order of the file', () => {
  const places = placesOf({ a: [], b: ['a'], c: [], d: ['a', 'c'], e: ['b'], f: ['a'] });
  expect(places).toEqual(['a top', ' b', '  e last', ' f last', 'c top last', ' d last']);
});

test('a chain of thousands of steps continues at the margin', () => {
  const ids = Array.from({ length: 3_000 }, (_, at) => `s${at}`);
  const places = placesOf(
    Object.fromEntries(ids.map((id, at) => [id, at === 0 ? [] : [`s${at - 1}`]])),
  );
  expect(places).toHaveLength(3_000);
  expect(new Set(places.map((place) => place.trim().split(' ')[0]))).toEqual(new Set(ids));
  expect(Math.max(...places.map((place) => place.search(/\S/)))).toBeLessThan(20);
});
