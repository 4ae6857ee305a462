/** Every test and planted defect that the documents name exists. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newerVersion } from './postgres/newer-version.ts';
import { mutants } from './swarm/mutants.ts';

const root = join(import.meta.dirname, '..');
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const page = textOf('docs/no-order-twice.md');

const named = [...page.matchAll(/`(test\/[\w/.-]+\.test\.ts)` "([^"]+)"/g)].map(
  ([, file = '', title = '']) => ({ file, title }),
);

test('every claim names a test', () => {
  const table = /^\| claim \|.*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(page)?.[1] ?? '';
  const rows = table.trimEnd().split('\n');
  expect(rows.length).toBeGreaterThan(20);
  for (const row of rows) expect(row).toMatch(/`test\/[\w/.-]+\.test\.ts` "[^"]+" ?(?:;|\|$)/);
});

test.each(named)('$file has "$title"', ({ file, title }) => {
  const text = textOf(file);
  expect(["'", '"', '`'].some((mark) => text.includes(`${mark}${title}${mark}`))).toBe(true);
});

test.each([...new Set(page.match(/(?:test|bench)\/[\w/.-]+\.ts/g))])('%s exists', (file) => {
  expect(existsSync(join(root, file))).toBe(true);
});

test.each([...new Set(textOf('CONTRIBUTING.md').match(/src\/[\w/.-]+\.tsx?/g))])(
  '%s, which CONTRIBUTING names, exists',
  (file) => {
    expect(existsSync(join(root, file)) || /[A-Z]{3}/.test(file)).toBe(true); // NAME is any name
  },
);

test('every planted defect is in the table, with the test that finds it', () => {
  const figures = textOf('bench/README.md');
  for (const { name, test: file } of mutants) {
    const row = figures.split('\n').find((line) => line.startsWith(`| ${name} |`));
    expect(row, name).toBeDefined();
    if (file !== undefined) expect(row).toContain(`\`${file}\``);
    else expect(row).toMatch(/\| the swarm, within \d+ seeds +\|$/);
  }
});

test.each(mutants.flatMap(({ test: file }) => file ?? []))('%s exists', (file) => {
  expect(existsSync(join(root, file))).toBe(true);
});

test.each(newerVersion)('a newer version can change $file: $from', ({ file, from }) => {
  expect(textOf(file).split(from)).toHaveLength(2);
});
