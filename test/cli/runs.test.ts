/** Runs by a prefix of their id, the last run, and filtered lists. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runNamed } from '../../src/cli/args/run-name.ts';
import { deskhand, folderWith } from './deskhand.ts';
import { inside } from './inside.ts';

const reading = (name: string): string => `playbook: 1
name: ${name}
steps:
  - { id: prices, uses: market/list-tickers, with: { category: SPOT } }
`;
const failing = `${reading('failing')}  - { id: wrong, uses: wait, with: { for: 1ms }, expect: [{ that: "{{ eq 1 run.time }}" }] }\n`;

async function listed(cwd: string, ...words: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await deskhand(['runs', 'list', '-o', 'json', ...words], { cwd });
  return JSON.parse(stdout).runs.map(({ run }: { run: string }) => run);
}

test('a run is found by prefix and as last, and lists are filtered', async () => {
  const cwd = folderWith({ 'a.yaml': reading('first'), 'b.yaml': reading('second') });
  const none = await deskhand(['runs', 'show', 'last'], { cwd });
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('no runs yet')]);
  for (const file of ['a.yaml', 'b.yaml']) {
    expect((await deskhand(['run', file], { cwd })).code).toBe(0);
  }
  const [newest = '', oldest = ''] = await listed(cwd);
  const show = async (word: string) => (await deskhand(['runs', 'show', word], { cwd })).stdout;
  expect(await show('last')).toBe(await show(newest));
  expect(await show(newest.slice(0, 8))).toBe(await show(newest));
  expect(await show(oldest.slice(2, 9))).toBe(await show(oldest));
  for (const verb of ['verify', 'replay']) {
    const result = await deskhand(['runs', verb, 'last'], { cwd });
    expect([result.code, result.stdout]).toEqual([0, expect.stringContaining(newest)]);
  }
  const unclear = await deskhand(['runs', 'show', 'r-'], { cwd });
  expect(unclear.code).toBe(2);
  expect(unclear.stderr).toContain('"r-" is a prefix of 2 runs');
  expect(unclear.stderr).toContain(newest);

  expect(await listed(cwd, '--playbook', 'first')).toEqual([oldest]);
  expect(await listed(cwd, '--status', 'done')).toEqual([newest, oldest]);
  expect(await listed(cwd, '--status', 'doubt')).toEqual([]);
  expect(await listed(cwd, '--since', '1h')).toEqual([newest, oldest]);
  const nothing = await deskhand(['runs', 'list', '--status', 'stopped'], { cwd });
  expect([nothing.code, nothing.stdout]).toEqual([0, 'no matching runs\n']);
  const wrong = await deskhand(['runs', 'list', '--status', 'don'], { cwd });
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('did you mean done?')]);
  const late = await deskhand(['runs', 'list', '--since', 'monday'], { cwd });
  expect([late.code, late.stderr]).toEqual([2, expect.stringContaining('such as 2h or 7d')]);
});

test('a stopped run is listed by its status', async () => {
  const cwd = folderWith({ 'a.yaml': reading('first'), 'f.yaml': failing });
  expect((await deskhand(['run', 'a.yaml'], { cwd })).code).toBe(0);
  expect((await deskhand(['run', 'f.yaml'], { cwd })).code).toBe(1);
  const [newest] = await listed(cwd);
  expect(await listed(cwd, '--status', 'stopped')).toEqual([newest]);
});

test('an ambiguous prefix is never resolved to one run', async () => {
  const cwd = folderWith();
  for (const name of ['r-aaaa', 'r-aaab', 'r-b']) {
    mkdirSync(join(cwd, 'runs', name), { recursive: true });
  }
  const fetched: (string | undefined)[] = [];
  const named = (word: string): Promise<string> =>
    runNamed(cwd, word, async (run) => {
      fetched.push(run);
      if (run === undefined) mkdirSync(join(cwd, 'runs', 'r-elsewhere'), { recursive: true });
      if (run === 'r-theirs') mkdirSync(join(cwd, 'runs', run), { recursive: true });
    });
  expect(await named('r-b')).toBe('r-b');
  expect(await named('b')).toBe('r-b');
  expect(await named('r-aaaa')).toBe('r-aaaa');
  expect(await named('r-theirs')).toBe('r-theirs');
  expect(fetched).toEqual(['r-b', 'b', 'r-b', 'r-aaaa', 'r-theirs']);
  expect(await named('r-else')).toBe('r-elsewhere');
  expect(fetched.slice(5)).toEqual(['r-else', undefined, 'r-elsewhere']);
  expect(await named('r-zzz')).toBe('r-zzz');
  await expect(named('aaa')).rejects.toThrow('is a prefix of 2 runs');
});

test('a state folder that is a file is refused with its name', async () => {
  const cwd = folderWith({ state: 'text' });
  const { code, stderr } = await inside(['runs', 'list'], {
    cwd,
    env: { DESKHAND_STATE_DIR: join(cwd, 'state') },
  });
  expect([code, stderr]).toEqual([3, expect.stringMatching(/state folder \S+ is a file/)]);
});
