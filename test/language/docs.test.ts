/** The language's page names every helper as it is, and its examples hold. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { helperPages } from '../../src/language/expression/helpers/index.ts';
import { loadPlaybook } from '../../src/language/load.ts';
import { live, openHarness } from '../support/harness.ts';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'playbook.md'), 'utf8');

test('every helper is on the page with its usage', () => {
  const missing = helperPages.filter(({ usage }) => !page.includes(`\`${usage}\``));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

test.each(pages)('every playbook in %s is valid', (file) => {
  const text = readFileSync(join(root, file), 'utf8');
  for (const [, body = ''] of text.matchAll(/```yaml\n((?:#[^\n]*\n)?playbook: 1\n[\s\S]*?)```/g)) {
    const errors = loadPlaybook(body, file).problems.filter(({ level }) => level === 'error');
    expect(errors.map(({ at, message }) => `${at.start.line}: ${message}`)).toEqual([]);
  }
});

test.each(['docs/playbook.md', 'docs/exports.md', 'README.md'])(
  'every playbook in %s works as described',
  async (file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const playbooks = [...text.matchAll(/```yaml\n(playbook: 1[\s\S]*?)```/g)].map(
      ([, body]) => body ?? '',
    );
    expect(playbooks.length).toBeGreaterThan(0);
    for (const body of playbooks) {
      const { playbook, problems } = loadPlaybook(body, file);
      expect(problems).toEqual([]);
      if (playbook) expect((await live(await openHarness(), playbook)).status).toBe('done');
    }
  },
);
