/** Runs the commands of the pages in docs, and compares those that are printed from the code. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
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

test('the site has every picture of its pages', () => {
  const site = join(import.meta.dirname, '..', '..', 'site');
  execFileSync(process.execPath, [join(site, 'pages.mjs')]);
  const pages = readdirSync(join(site, '.pages')).filter((name) => name.endsWith('.md'));
  const shown = pages.flatMap((page) => {
    const text = readFileSync(join(site, '.pages', page), 'utf8');
    const outsideCode = text.replaceAll(/^```[^]*?^```|`[^`\n]*`/gm, '');
    return [...outsideCode.matchAll(/!\[[^\]]*\]\(([^)]*)\)/g)].flatMap(([, path = '']) => path);
  });
  expect(shown.length).toBeGreaterThan(5);
  expect(shown.filter((path) => !existsSync(join(site, '.pages', path)))).toEqual([]);
});
