/** A saved plan of a playbook that only reads is run as its playbook is: it reads again what it shows and writes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith } from './deskhand.ts';
import { inside } from './inside.ts';

const root = join(import.meta.dirname, '..', '..');
const head = `playbook: 1
name: reads
steps:
  - id: ticker
    uses: market/list-tickers
    with: { category: SPOT }
`;
const page = (file: string): string =>
  `uses: report/page\n    with: { file: ${file}, parts: [{ text: "at {{ steps.ticker.response.0.lastPrice }}" }] }\n`;

/** Runs the saved plan of a playbook. */
async function ranFromPlan(files: Readonly<Record<string, string>>, file: string) {
  const cwd = folderWith(files);
  const planned = await inside(['plan', file, '--out', 'plan.json'], { cwd });
  expect([planned.code, planned.stderr]).toEqual([0, expect.any(String)]);
  const ran = await inside(['run', 'plan.json'], { cwd });
  return { ...ran, cwd };
}

describe('a value of a read', () => {
  test.each([
    ['in a page', `  - id: page\n    ${page('out/a.html')}`],
    [
      'in a condition',
      `  - id: page\n    if: "{{ gt steps.ticker.response.0.lastPrice 1 }}"\n    ${page('out/a.html')}`,
    ],
    [
      'as the items of a step',
      `  - id: pages\n    for-each: "{{ steps.ticker.response }}"\n    key: "{{ each.value.symbol }}"\n    ${page('"out/{{ each.value.symbol }}.html"')}`,
    ],
    [
      'in a program',
      `  - id: said\n    uses: shell/run\n    with: { command: [echo, "{{ steps.ticker.response.0.symbol }}"] }\n`,
    ],
  ])('%s', async (_where, step) => {
    const config = 'profiles: { sandbox: { allow: { shell: [echo] } } }\n';
    const ran = await ranFromPlan({ 'deskhand.yaml': config, 'a.yaml': head + step }, 'a.yaml');
    expect([ran.code, ran.stderr]).toEqual([0, expect.any(String)]);
    expect(ran.stdout).toContain('Done');
  });
});

const workflows = readdirSync(join(root, 'workflows')).filter(
  (name) => /(?<!\.test)\.yaml$/.test(name) && name !== 'p2p-tax-year.yaml', // half a minute at its rate limit
);

test.each(workflows)('the saved plan of %s', async (name) => {
  const text = readFileSync(join(root, 'workflows', name), 'utf8');
  const desks = ['main', 'alpha', 'bravo', 'charlie', 'delta', 'echo'];
  const config = `profiles:\n${desks.map((desk) => `  ${desk}: {}\n`).join('')}`;
  const ran = await ranFromPlan({ 'deskhand.yaml': config, [name]: text }, name);
  expect([ran.code, ran.stderr]).toEqual([0, expect.any(String)]);
});
