/** A daily export of several lines, of which one file was edited: the plan names it, and the others are continued. */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderWith } from './deskhand.ts';
import { inside } from './inside.ts';

const daily = (onError: string): string => `playbook: 1
name: daily
steps:
  - id: bills
    for-each: [USDT-FUTURES, COIN-FUTURES]
    on-error: ${onError}
    uses: futures/list-bills
    with: { productType: "{{ each.value }}" }
    write: { file: "out/{{ each.value }}.csv", since: last }
`;

async function edited(onError: string) {
  const cwd = folderWith({ 'daily.yaml': daily(onError) });
  expect((await inside(['run', 'daily.yaml'], { cwd })).code).toBe(0);
  appendFileSync(join(cwd, 'out', 'USDT-FUTURES.csv'), 'edited\r\n');
  return cwd;
}

test('with on-error: partial the plan shows the file that fails, and its run continues the others', async () => {
  const cwd = await edited('partial');
  const planned = await inside(['plan', 'daily.yaml', '--out', 'plan.json'], { cwd });
  expect([planned.code, planned.stderr]).toEqual([0, expect.any(String)]);
  const words = planned.stdout.replaceAll(/\s+/g, ' ');
  expect(words).toContain(
    'USDT-FUTURES failed now: out/USDT-FUTURES.csv was changed since it was written',
  );
  expect(words).toMatch(/COIN-FUTURES reads, .* continues from /);
  const before = readFileSync(join(cwd, 'out', 'COIN-FUTURES.csv.manifest.json'), 'utf8');
  const ran = await inside(['run', 'plan.json'], { cwd });
  expect([ran.code, ran.stdout]).toEqual([
    1,
    expect.stringContaining('was changed since it was written'),
  ]);
  expect(readFileSync(join(cwd, 'out', 'COIN-FUTURES.csv.manifest.json'), 'utf8')).not.toBe(before);
  expect(readFileSync(join(cwd, 'out', 'USDT-FUTURES.csv'), 'utf8')).toMatch(/edited\r\n$/);
});

test('otherwise nothing is planned, and the message names the step and the file', async () => {
  const cwd = await edited('stop');
  const { code, stderr } = await inside(['plan', 'daily.yaml'], { cwd });
  expect(code).not.toBe(0);
  expect(stderr).toContain(
    'error[file-changed] daily.yaml:7:11 bills[USDT-FUTURES]: out/USDT-FUTURES.csv was changed',
  );
});
