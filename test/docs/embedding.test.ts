import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { expect, inject, test } from 'vitest';
import { envOf, folderWith } from '../cli/deskhand.ts';
import { openOrders } from '../cli/ladder.ts';
import { examplesIn } from './examples.ts';

const root = join(import.meta.dirname, '..', '..');
const ladder = 'playbooks/order-ladder.yaml';
const examples = new Map(examplesIn('docs/embedding.md').map(({ name, text }) => [name, text]));

/** Runs a program of the page in a folder. */
function ran(name: string, cwd: string, env: Readonly<Record<string, string>> = {}) {
  const text = examples.get(name) ?? '';
  const { code } = transformSync(text.replace("'deskhand'", `'${inject('library')}'`), {
    loader: 'ts',
  });
  const file = name.replace('.ts', '.mjs');
  writeFileSync(join(cwd, file), code);
  const words = [file];
  const options = { cwd, env: envOf({ cwd, env }), encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, words, options);
  return { status, stderr, lines: stdout.trimEnd().split('\n') };
}

function folder(): string {
  const text = readFileSync(join(root, 'workflows/order-ladder.yaml'), 'utf8');
  return folderWith({ [ladder]: text });
}

/** How many orders of the ladder rest on the exchange of a folder. */
async function rungs(cwd: string): Promise<number> {
  return (await openOrders(cwd, {}, 'ETHUSDT')).length;
}

test('has these programs', () => {
  expect([...examples.keys()]).toEqual([
    'review.ts',
    'follow.ts',
    'stop.ts',
    'crash.ts',
    'private.ts',
    'values.ts',
  ]);
});

test('review.ts shows a plan and runs it', async () => {
  const cwd = folder();
  const { status, stderr, lines } = ran('review.ts', cwd);
  expect([status, stderr]).toEqual([0, '']);
  expect(lines.slice(0, 6)).toEqual([
    expect.stringMatching(/^4 orders worth 1\d{3}\.\d+$/),
    expect.stringMatching(/ market$/),
    'create ladder[rung-0]',
    'create ladder[rung-1]',
    'create ladder[rung-2]',
    'create ladder[rung-3]',
  ]);
  expect(lines.slice(6).join('\n')).toMatch(/^.*done in .*s/m);
  expect(await rungs(cwd)).toBe(4);
});

test('follow.ts prints events', () => {
  const { status, stderr, lines } = ran('follow.ts', folder());
  expect([status, stderr]).toEqual([0, '']);
  expect(lines[0]).toBe('info: no deskhand.yaml: account main is the profile sandbox');
  expect(lines).toContain('done ladder[rung-3]');
  expect(lines.at(-1)).toBe('done');
});

test('stop.ts stops and resumes, and places no order twice', async () => {
  const cwd = folder();
  expect(ran('stop.ts', cwd)).toEqual({ status: 0, stderr: '', lines: ['interrupted', 'done'] });
  expect(await rungs(cwd)).toBe(4);
});

test.each([2, 8])('crash.ts, killed at file action %i, finishes the same run', async (at) => {
  const cwd = folder();
  const mortal = join(root, 'test/support/mortal.mjs');
  const dying = { NODE_OPTIONS: `--import=${mortal}`, DIE_AT: String(at), DIE_UNDER: '/runs/' };
  expect(ran('crash.ts', cwd, dying).status).toBe(null);
  for (const _ of ['again', 'and when it is done']) {
    expect(ran('crash.ts', cwd)).toEqual({ status: 0, stderr: '', lines: ['done'] });
  }
  expect(await rungs(cwd)).toBe(4);
});

test('private.ts runs on an exchange that nothing else uses', async () => {
  const cwd = folder();
  const { status, stderr, lines } = ran('private.ts', cwd);
  expect([status, stderr, lines.length]).toEqual([0, '', 4]);
  expect(await rungs(cwd)).toBe(0);
});

test('values.ts needs no file', () => {
  const { status, stderr, lines } = ran('values.ts', folderWith());
  expect([status, stderr]).toEqual([0, '']);
  expect(lines.join(' ')).toMatch(/^\{ bid: '\d+\.\d+' \}$/);
});
