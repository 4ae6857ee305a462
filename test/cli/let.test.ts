/** The example of values with a name on the language's page: what its plan shows, and what ends it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deskhand, folderWith } from './deskhand.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'playbook.md'), 'utf8');
const body = page.split('```yaml\n').find((text) => text.startsWith('# sized.yaml')) ?? '';
const files = { 'sized.yaml': body.split('```')[0] ?? '' };

test('a plan has the values of the top, and shows them in full', async () => {
  const cwd = folderWith(files);
  const json = await deskhand(['plan', 'sized.yaml', '-o', 'json'], { cwd });
  expect(JSON.parse(json.stdout).let).toEqual({ symbol: 'BTCUSDT', share: '500' });
  for (const flag of ['--full', '-v']) {
    const { stdout } = await deskhand(['plan', 'sized.yaml', flag], { cwd });
    expect(stdout).toContain('  let.symbol = BTCUSDT\n  let.share = 500\n');
  }
});

test('a time is shown with its date', async () => {
  const text = `playbook: 1
name: dated
inputs: { day: { type: time, default: 2026-03-01T12:00:00Z } }
let: { month: "{{ startOfMonth inputs.day tz='Europe/Berlin' }}" }
steps: [{ id: read, uses: market/list-tickers, with: { category: SPOT }, if: "{{ eq run.time let.month }}" }]
`;
  const cwd = folderWith({ 'dated.yaml': text });
  const { code, stdout, stderr } = await deskhand(['plan', 'dated.yaml', '--full'], { cwd });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('  let.month = 2026-02-28T23:00:00.000Z\n');
});

test('a run evaluates those of a step after the step that they read', async () => {
  const cwd = folderWith(files);
  expect((await deskhand(['run', 'sized.yaml'], { cwd })).code).toBe(0);
  const written = readFileSync(join(cwd, 'out', 'size.md'), 'utf8');
  expect(written).toMatch(/job for BTCUSDT: 0\.\d{3} at \d+/);
});

test('required ends a plan with its message and place', async () => {
  const words = ['plan', 'sized.yaml', '--var', 'symbol='];
  const { code, stderr } = await deskhand(words, { cwd: folderWith(files) });
  expect([code, stderr]).toEqual([3, expect.stringContaining('ticker: name a symbol')]);
  expect(stderr).toContain('sized.yaml:9:12');
});
