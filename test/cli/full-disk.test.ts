/** Full disks: the run reports them and sends nothing afterwards, and a resume loses nothing. */
import { execFile } from 'node:child_process';
import { chmodSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { deskhand, folderWith, type Ended } from './deskhand.ts';
import { startSandbox, type Started } from './sandbox.ts';
import { limitOrder } from '../support/order.ts';

const rungs = 12;
const ladder = `playbook: 1
name: ladder
steps:
  - id: ladder
    for-each: "{{ range 30001 ${30_000 + rungs} }}"
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}' })}
`;

/** How often each of our orders exists on the exchange. */
async function ordersOf({ controlUrl }: Started): Promise<number[]> {
  const accounts = Object(await (await fetch(`${controlUrl}/accounts`)).json()).data;
  const times = new Map<string, number>();
  for (const { uid } of accounts) {
    const { open, closed } = Object(
      await (await fetch(`${controlUrl}/orders?uid=${uid}`)).json(),
    ).data;
    for (const { clientOid } of [...open, ...closed]) {
      if (clientOid.startsWith('dh')) times.set(clientOid, (times.get(clientOid) ?? 0) + 1);
    }
  }
  return [...times.values()];
}

/** Limits the size of files: a larger write fails, as on a full disk. */
const filled = (kib: number): string => `ulimit -f ${kib}; exec "$@"`;

/** Files that even root cannot write. */
const obedient =
  process.getuid?.() === 0
    ? 'exec setpriv --bounding-set -dac_override --inh-caps -dac_override "$@"'
    : 'exec "$@"';

/** Runs a command that bash starts. */
async function limited(
  line: string,
  words: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const all = ['-c', line, 'bash', process.execPath, inject('launcher'), ...words];
  const { PATH = '', HOME = '' } = process.env;
  const options = {
    cwd,
    env: { PATH, HOME, TMPDIR: tmpdir(), XDG_CONFIG_HOME: join(cwd, '.config'), ...env },
  };
  return new Promise((resolve) => {
    const child = execFile('bash', all, options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

test('a disk that fills up during a run stops it, and nothing is lost or sent twice', async () => {
  const sandbox = await startSandbox();
  const cwd = folderWith({ 'ladder.yaml': ladder });
  const env = sandbox.env('hedge');
  const full = await limited(filled(7), ['run', 'ladder.yaml'], cwd, env);
  expect([1, 6]).toContain(full.code);
  expect(full.stderr).toMatch(/the journal (could not be written|ended during a write)/);
  expect(full.stderr).toMatch(/disk/);
  const before = await ordersOf(sandbox);
  expect(before.length).toBeGreaterThan(0);
  expect(before.length).toBeLessThan(rungs);
  const [run = ''] = readdirSync(join(cwd, '.deskhand', 'runs'));
  const resumed = await deskhand(['resume', run], { cwd, env });
  expect(resumed.code, resumed.stderr).toBe(0);
  expect(await ordersOf(sandbox)).toEqual(Array.from({ length: rungs }, () => 1));
});

test('a state folder that cannot be created is reported before anything is sent', async () => {
  const sandbox = await startSandbox();
  const cwd = folderWith({ 'ladder.yaml': ladder });
  const env = { ...sandbox.env('hedge'), DESKHAND_STATE_DIR: '/proc/deskhand' };
  const { code, stderr } = await deskhand(['run', 'ladder.yaml'], { cwd, env });
  expect(code).toBe(1);
  expect(stderr).toMatch(/\/proc\/deskhand/);
  expect(await ordersOf(sandbox)).toEqual([]);
});

test('a read-only state folder is reported before anything is sent, and nothing is lost', async () => {
  const sandbox = await startSandbox();
  const failing = `${ladder}    expect: [{ that: "{{ eq 1 2 }}" }]\n`;
  const cwd = folderWith({ 'ladder.yaml': ladder, 'failing.yaml': failing });
  const env = sandbox.env('hedge');
  const stopped = await deskhand(['run', 'failing.yaml'], { cwd, env });
  expect(stopped.code, stopped.stderr).toBe(1);
  const before = await ordersOf(sandbox);
  const state = join(cwd, '.deskhand');
  const [run = ''] = readdirSync(join(state, 'runs'));
  allow(cwd, { folders: 0o555, files: 0o444 });
  for (const words of [
    ['run', 'ladder.yaml'],
    ['resume', run],
  ]) {
    const { code, stderr } = await limited(obedient, words, cwd, env);
    expect([words, code]).toEqual([words, 1]);
    expect(stderr).toMatch(/error\[\w+\] .*\.deskhand/);
    expect(stderr).not.toMatch(/\n +at /);
  }
  expect(await ordersOf(sandbox)).toEqual(before);
  allow(cwd, { folders: 0o700, files: 0o600 });
  const resumed = await deskhand(['resume', run], { cwd, env });
  expect([resumed.code, await ordersOf(sandbox)]).toEqual([1, before]);
  expect((await deskhand(['runs', 'verify', run], { cwd, env })).code).toBe(0);
});

function allow(
  folder: string,
  { folders, files }: { readonly folders: number; readonly files: number },
): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? folders : files);
  }
  chmodSync(folder, folders);
}
