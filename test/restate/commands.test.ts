/** Commands over a real Restate server, as people type them. */
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { begin, deskhand, folderWith } from '../cli/deskhand.ts';
import { ladder, ownOrders } from '../cli/ladder.ts';
import { expectOrders, folder, follow, planned, type, worker } from '../postgres/desk.ts';
import { afterEachTest } from '../support/cleanup.ts';
import { brief, restateDesk } from './desk.ts';

test('a plan is queued without a key, executed by a worker, and known on every machine', async () => {
  const all = await restateDesk();
  const [one, two] = [folder(all), folder(all)];
  const again = await type(all, one, ['store', 'upgrade']);
  expect([again.code, again.stdout]).toEqual([0, 'registered the service again, version 5\n']);
  const { file, run } = await planned(all, one);
  await worker(all);
  const followed = await follow(all, two, file);
  expect([followed.code, followed.stderr]).toEqual([0, expect.any(String)]);
  expect(followed.stdout).toContain('3 of 3 orders');
  expect((await type(all, two, ['runs', 'show', run])).stdout).toContain('3 of 3 orders');
  expect((await type(all, two, ['workers'])).stdout).toContain('main');
  expect((await type(all, two, ['run', file])).code).toBe(5);
  await expectOrders(all, 3);
  const checked = await type(all, two, ['doctor']);
  expect(checked.stdout).toMatch(
    /state store +restate .*, reachable; 0 runs in progress; server 1\./,
  );
  expect(checked.stdout).toContain('one node: its disk has the only copy of the state');
});

test('after `store restored` a run looks up each write before it sends it', async () => {
  const all = await restateDesk();
  const cwd = folder(all);
  const refused = await type(all, cwd, ['store', 'restored']);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--yes')]);
  expect((await type(all, cwd, ['store', 'restored', '--yes'])).code).toBe(0);
  const run = begin(['run', 'ladder.yaml', '-o', 'ndjson'], { cwd, env: all.keys });
  afterEachTest(() => run.kill('SIGKILL'));
  let said = '';
  run.stdout.on('data', (part) => (said += String(part)));
  while (!said.includes('taken-over')) {
    expect([run.exitCode, said]).toEqual([null, expect.any(String)]);
    await once(run.stdout, 'data');
  }
  expect(await ownOrders(cwd, all.keys)).toEqual([]);
});

test('a server without the service, or without anybody who serves it, is named with the command that helps', async () => {
  const all = await restateDesk({ lease: brief });
  const cwd = folder(all);
  await all.service.kill();
  const silent = await type(all, cwd, ['run', 'ladder.yaml']);
  expect([silent.code, silent.stderr]).toEqual([
    5,
    expect.stringContaining('deskhand store serve'),
  ]);
  const nowhere = { ...all.keys, DESKHAND_STORE: 'restate://127.0.0.1:1' };
  const gone = await deskhand(['run', 'ladder.yaml'], { cwd, env: nowhere });
  expect([gone.code, gone.stderr]).toEqual([5, expect.stringContaining('is not reachable')]);
  const unregistered = await type(all, cwd, ['store', 'upgrade']);
  expect([unregistered.code, unregistered.stderr]).toEqual([
    5,
    expect.stringContaining('could not register the service'),
  ]);
  await expectOrders(all, 0);
});

test('the service listens beyond loopback only with the key of a server', async () => {
  const cwd = folderWith({ 'ladder.yaml': ladder });
  for (const [words, message] of [
    [['--listen', '0.0.0.0:0'], '--identity-key publickeyv1_'],
    [['--listen', '[::]:0'], '--identity-key publickeyv1_'],
    [['--listen', '0.0.0.0:0', '--identity-key', 'secret'], 'is not a public key'],
    [['--listen', '9080'], 'is not an address'],
    [['--listen', 'example.com:9080'], 'is not an address'],
    [['--stream', '9081'], '--stream "9081" is not an address'],
    [['--stream', '0.0.0.0:9081'], 'does not say where other machines reach this one'],
  ] as const) {
    const { code, stderr } = await deskhand(['store', 'serve', ...words], { cwd });
    expect([words, code, stderr]).toEqual([words, 2, expect.stringContaining(message)]);
  }
});
