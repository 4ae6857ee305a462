/** `drift`, as an operator types it: what counts as a difference between the ledger and the exchange. */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { limitOrder } from '../support/order.ts';
import { deskhand, folderWith } from './deskhand.ts';
import { folderOfRuns, openedOfRuns, watched } from './opened-files.ts';

const orderOf = (with_: string): string => `playbook: 1
name: taker
account: main
steps:
  - id: take
    uses: futures/place-order
    once-per: playbook
    with:${with_}
`;

/** The last line of `drift` after a run of one order, and its exit code. */
async function driftAfter(text: string): Promise<readonly [number | null, string]> {
  const cwd = folderWith({ 'taker.yaml': text });
  expect((await deskhand(['run', 'taker.yaml'], { cwd })).code).toBe(0);
  const { code, stdout } = await deskhand(['drift', 'taker.yaml'], { cwd });
  return [code, stdout.trim().split('\n').at(-1)?.trim() ?? ''];
}

const same = [0, '0 differences, 1 as recorded, 0 cannot be read back'];

test.each(['ioc', 'fok'])('an %s order that met nobody ended as it had to', async (force) => {
  const order = limitOrder({ price: '40000.0', force });
  expect(await driftAfter(orderOf(order))).toEqual(same);
});

test('a post_only order that would have traded does not rest, so it is a difference', async () => {
  const order = limitOrder({ price: '90000.0', force: 'post_only' });
  const [code, line] = await driftAfter(orderOf(order));
  expect([code, line]).toEqual([10, '1 difference, 0 as recorded, 0 cannot be read back']);
});

test('the rest of an ioc order that is imported was not cancelled by anybody', async () => {
  const order = limitOrder({ price: '40000.0', force: 'ioc' });
  const cwd = folderWith({ 'taker.yaml': orderOf(order) });
  const fields = order
    .trim()
    .split(/\n\s+/)
    .map((line) => line.replace(/: "?([^"]*)"?$/, '=$1'));
  const call = ['call', 'futures/place-order', ...fields, 'clientOid=hand-1', '-o', 'json'];
  const { stdout } = await deskhand(call, { cwd });
  const { orderId } = JSON.parse(stdout).answer;
  const words = ['import', 'taker.yaml', 'take', '--id', orderId, '--comment', 'mine'];
  expect((await deskhand(words, { cwd })).code).toBe(0);
  expect((await deskhand(['drift', 'taker.yaml'], { cwd })).code).toBe(0);
});

test('one playbook that is not valid is named, and the others are compared', async () => {
  const good = orderOf(limitOrder({ price: '40000.0' }));
  const cwd = folderWith({
    'taker.yaml': good,
    'broken.yaml': 'playbook: 1\nname: broken\nsteps: 5\n',
  });
  expect((await deskhand(['run', 'taker.yaml'], { cwd })).code).toBe(0);
  const at = (...words: readonly string[]) => deskhand(['drift', ...words], { cwd });
  const both = await at('broken.yaml', 'taker.yaml');
  expect(both.code).toBe(3);
  expect(both.stdout).toContain('0 differences, 1 as recorded');
  expect(both.stdout).toContain('not compared  broken.yaml: broken.yaml has ');
  const { playbooks, invalid, exit } = JSON.parse(
    (await at('broken.yaml', 'taker.yaml', '-o', 'json')).stdout,
  );
  expect(playbooks).toMatchObject([{ file: 'taker.yaml' }]);
  expect(invalid).toMatchObject([{ file: 'broken.yaml', error: { code: 'invalid' } }]);
  expect(exit).toBe(3);
  expect((await at('broken.yaml', 'taker.yaml', '-o', 'markdown')).stdout).toContain(
    '### ✖ `broken.yaml`: not compared',
  );
  const alone = await at('broken.yaml', '-o', 'json');
  expect([alone.code, JSON.parse(alone.stdout)]).toMatchObject([3, { error: { code: 'invalid' } }]);
});

test('a playbook of an unknown account is named, and the others are compared', async () => {
  const good = orderOf(limitOrder({ price: '40000.0' }));
  const cwd = folderWith({
    'deskhand.yaml': 'profiles: { main: {}, other: {} }\n',
    'taker.yaml': good,
    'away.yaml': good.replace('account: main', 'account: nobody').replace('taker', 'away'),
  });
  expect((await deskhand(['run', 'taker.yaml'], { cwd })).code).toBe(0);
  const { code, stdout } = await deskhand(['drift', 'away.yaml', 'taker.yaml'], { cwd });
  expect(code).toBe(3);
  expect(stdout).toContain('0 differences, 1 as recorded');
  expect(stdout).toContain('not compared  away.yaml: unknown profile "nobody"');
});

test('journals of ended runs are opened once, by the first comparison that needs what they sent', async () => {
  const ladder = (name: string, price: string): string =>
    orderOf(limitOrder({ price })).replace('name: taker', `name: ${name}`);
  const { cwd, state } = await folderOfRuns(1);
  for (const [name, price] of [
    ['other', '41000.0'],
    ['taker', '40000.0'],
  ] as const) {
    writeFileSync(join(cwd, `${name}.yaml`), ladder(name, price));
    expect((await deskhand(['run', `${name}.yaml`], { cwd })).code).toBe(0);
  }
  await setTimeout(2_100); // until the file system would show another change
  const drift = (): ReadonlySet<string> => {
    const { status, stderr } = spawnSync(process.execPath, watched(['drift', 'taker.yaml']), {
      cwd,
      encoding: 'utf8',
    });
    expect(status).toBe(0); // the order of `other` is known
    return new Set(openedOfRuns(stderr, state).filter((path) => path.endsWith('.ndjson')));
  };
  expect(drift().size).toBe(3);
  expect(drift().size).toBe(1); // of the last run that is whole; what others sent is in the catalogue
  rmSync(join(state, 'catalogue'));
  expect(drift().size).toBe(3);
}, 30_000);
