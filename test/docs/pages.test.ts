/** Runs the commands of the pages in docs, and compares those that are printed from the code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { documents } from '../../.ci/documents.ts';
import { verbs } from '../../src/cli/verbs/index.ts';
import { testCommandsOf } from './commands.ts';

describe.each([
  ['docs/sandbox.md', 7],
  ['docs/schedules.md', 5],
  ['docs/reports.md', 2],
  ['docs/plans.md', 5],
])('%s', testCommandsOf);

test.each(Object.entries(documents()))('docs/%s is printed from the code', (name, text) => {
  expect(readFileSync(join(import.meta.dirname, '..', '..', 'docs', name), 'utf8')).toBe(text);
});

test.each(verbs.map(({ name }) => name))('the command reference has %s', (name) => {
  expect(documents()['commands.md']).toContain(`\n### ${name}\n`);
});

test('every picture that a page shows exists, and every picture of docs/images is shown', () => {
  const docs = join(import.meta.dirname, '..', '..', 'docs');
  const pages = readdirSync(docs).filter((name) => name.endsWith('.md'));
  const shown = pages.flatMap((name) => {
    const text = readFileSync(join(docs, name), 'utf8');
    return [...text.matchAll(/(?:\]\(|src(?:set)?=")(images\/[^)"]+)/g)].map(([, path]) => path);
  });
  const made = readdirSync(join(docs, 'images')).map((name) => `images/${name}`);
  expect(new Set(shown)).toEqual(new Set(made));
});
