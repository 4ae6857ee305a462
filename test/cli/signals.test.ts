/** A run interrupted while an order is in progress: nothing is reported as failed, nothing is sent twice. */
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { begin, deskhand, folderWith } from './deskhand.ts';
import { files } from './ladder.ts';
import { startSandbox, type Started } from './sandbox.ts';

const lost = {
  rules: [
    {
      match: { operation: 'futures/place-order', nth: 2 },
      when: 'after-commit',
      times: 1,
      action: { kind: 'never', ms: 60_000 },
    },
  ],
};

/** A run whose second order is executed without a response. */
async function underWay(sandbox: Started) {
  await fetch(`${sandbox.controlUrl}/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(lost),
  });
  const cwd = folderWith(files);
  const child = begin(['run', 'ladder.yaml'], { cwd, env: sandbox.env('hedge') });
  let said = '';
  child.stdout.resume();
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  while (!(await faultsOf(sandbox)).includes('"struck":1')) expect(child.exitCode).toBe(null);
  return { cwd, child, said: () => said };
}

async function faultsOf({ controlUrl }: Started): Promise<string> {
  return (await fetch(`${controlUrl}/faults`)).text();
}

test.each([
  ['SIGINT', 'SIGINT', 130],
  ['SIGTERM', 'SIGINT', 130],
  ['SIGHUP', 'SIGTERM', 143],
] as const)(
  '%s, then %s: it exits immediately with %i, and the order is found again',
  async (first, second, exit) => {
    const sandbox = await startSandbox();
    const { cwd, child, said } = await underWay(sandbox);
    child.kill(first);
    while (!said().includes('stopping: ')) await once(child.stderr, 'data');
    child.kill(second);
    const [code] = await once(child, 'exit');
    expect(code).toBe(exit);
    expect(said()).toContain('exited immediately; the journal is intact');
    const env = sandbox.env('hedge');
    const { stdout } = await deskhand(['runs', 'list', '-o', 'json'], { cwd, env });
    const [{ run }] = JSON.parse(stdout).runs;
    const shown = await deskhand(['runs', 'show', run], { cwd, env });
    expect(shown.stdout).toContain('In doubt  ? BTCUSDT open long 0.010 @ 39,500.0');
    expect(shown.stdout).not.toMatch(/✖|failed|Refused +[^n ]/);
    const resumed = await deskhand(['resume', run, '-o', 'json'], { cwd, env });
    expect([resumed.code, resumed.stderr]).toEqual([0, expect.any(String)]);
    expect(await placedOn(sandbox, cwd)).toBe(3);
  },
);

test('it finishes its work even if its shell exits with the terminal', async () => {
  const sandbox = await startSandbox();
  const cwd = folderWith(files);
  const env = sandbox.env('hedge');
  const child = begin(['run', 'ladder.yaml', '-v'], { cwd, env });
  child.stdout.destroy();
  child.stderr.destroy();
  child.stdin.destroy();
  const [code] = await once(child, 'exit');
  expect([code, await placedOn(sandbox, cwd)]).toEqual([0, 3]);
});

/** How many of our orders rest, each under a different name. */
async function placedOn(sandbox: Started, cwd: string): Promise<number> {
  const words = ['call', 'order/list-open', 'category=USDT-FUTURES', 'symbol=BTCUSDT'];
  const env = sandbox.env('hedge');
  const { stdout } = await deskhand([...words, '-o', 'json'], { cwd, env });
  const list: readonly { clientOid: string }[] = JSON.parse(stdout).answer.list;
  const ours = list.filter(({ clientOid }) => clientOid.startsWith('dh'));
  expect(new Set(ours.map(({ clientOid }) => clientOid)).size).toBe(ours.length);
  return ours.length;
}
