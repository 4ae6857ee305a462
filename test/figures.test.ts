/** Results of benches: each names a program that exists, each program has one, and goals are compared. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { areaNames, areas, plantedDefects, reached } from '../.ci/results.ts';
import { mutants } from './swarm/mutants.ts';

const root = join(import.meta.dirname, '..');
const commands = areas().flatMap(({ jobs }) => jobs.map(({ command }) => command));

test.each([...new Set(commands)])('what `%s` runs exists', (command) => {
  const programs = programsOf(command);
  expect(programs).not.toEqual([]);
  expect(programs.filter((program) => !existsSync(join(root, program)))).toEqual([]);
});

test('every program of bench has a result', () => {
  const programs = readdirSync(join(root, 'bench')).filter((name) => name.endsWith('.ts'));
  const measured = new Set(commands.flatMap(programsOf));
  expect(programs.filter((name) => !measured.has(`bench/${name}`))).toEqual([]);
});

test('every file of results is printed', () => {
  const files = readdirSync(join(root, 'bench/results')).map((name) => name.replace('.json', ''));
  expect(files.toSorted()).toEqual([...areaNames, 'planted-defects'].toSorted());
});

test('every defect that the swarm finds has a number of seeds, and no other', () => {
  const found = mutants.filter((mutant) => mutant.test === undefined).map(({ name }) => name);
  expect(Object.keys(plantedDefects().seeds).toSorted()).toEqual(found.toSorted());
});

test.each([
  ['1.13 to 1.17 ×', '≤ 1.2 ×', 'yes'],
  ['1.32 ×', '≤ 1.3 ×', 'no'],
  ['1.2 ×', '≤ 1.2 ×', 'yes'],
  ['270, 276 and 306 MB', '≤ 300 MB', 'not always'],
  ['1,712 orders per second', '≥ 1,500 orders per second', 'yes'],
  ['8.8 to 11 ×', '≥ 10 ×', 'not always'],
  ['500 MB', '< 500 MB', 'no'],
  ['≤ 20', '≤ 20', 'yes'],
  ['0', '0', 'yes'],
  ['74', '75', 'no'],
  ['0.43 s', undefined, undefined],
])('%s beside the goal %s: %s', (measured, goal, end) => {
  expect(reached({ measured, ...(goal !== undefined && { goal }) })).toBe(end);
});

test('a goal has the unit of its figure', () => {
  expect(() => reached({ measured: '42 ms', goal: '≤ 1 s' })).toThrow('other unit');
});

/** Programs of bench and model, and files of tests, that a command names. */
function programsOf(command: string): string[] {
  const [, tests = ''] = /vitest run (.+)/.exec(command) ?? [];
  return [
    ...(command.match(/\bbench\/[\w-]+\.ts|\bmodel\/\w+/g) ?? []),
    ...(tests.match(/[\w/-]+/g) ?? []).map((name) => `test/${name}.test.ts`),
  ];
}
