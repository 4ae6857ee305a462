/** A run in progress while its key, address or account-id changes; and two keys at once. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accountWorld, ladderOf, rungs, said, type AccountWorld } from './account.ts';
import { begin } from './deskhand.ts';

const files = { 'ladder.yaml': rungs };
const address = ({ port }: AccountWorld, host = '127.0.0.1'): string =>
  `    base-url: "http://${host}:${port}"\n    on-doubt: ask`;
const named = (world: AccountWorld, id = '7000000002'): string =>
  `${address(world)}\n    account-id: "${id}"`;

/** Starts the ladder; its third order is executed and never answered. */
async function stuck(world: AccountWorld, key: string): Promise<ChildProcess> {
  const match = { operation: 'futures/place-order', nth: 3 };
  const action = { kind: 'never', ms: 600_000 };
  const rule = { match, when: 'after-commit', times: 1, action };
  await world.control('PUT', 'faults', { rules: [rule] });
  const child = begin(['run', 'ladder.yaml'], { cwd: world.cwd, env: world.key(key) });
  let output = '';
  for await (const chunk of child.stderr) {
    output += String(chunk);
    if (/orders\[39900\]\s+done/.test(output)) break;
  }
  while ((await world.orders()).length < 3) {
    if (child.exitCode !== null) throw new Error(`the run ended before its third order: ${output}`);
  }
  return child;
}

/** The same, then kills the process before it receives the response. @returns the run */
async function cutOff(world: AccountWorld, key: string): Promise<string> {
  const child = await stuck(world, key);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await world.control('PUT', 'faults', { rules: [] });
  const [run = ''] = readdirSync(join(world.cwd, '.deskhand', 'runs'));
  return run;
}

const prices = ['40000', '39900', '39800', '39700', '39600'];

async function stands(world: AccountWorld): Promise<void> {
  const placed = await world.orders();
  expect(placed.map(({ price }) => price).sort()).toEqual(
    prices.map((price) => `${price}.0`).sort(),
  );
}

test('a run continues with a new key of its account after the old one was removed', async () => {
  const world = await accountWorld(files);
  world.profile(named(world));
  const run = await cutOff(world, 'first');
  await world.issue('second');
  await world.revoke('first');
  const resumed = await world.at('second', 'resume', run);
  expect(said(resumed)).toEqual([
    0,
    expect.stringContaining(`key ${world.print('second')} is new`),
  ]);
  await stands(world);
  const shown = await world.at('second', 'runs', 'show', run, '-o', 'ndjson');
  expect(shown.stdout).toContain(`"keyFingerprint":"${world.print('second')}"`);
  // The next run recognizes the key by it and places nothing again.
  expect((await world.at('second', 'run', 'ladder.yaml')).code).toBe(0);
  await stands(world);
});

test('a run continues after its account got an id, or its address another spelling', async () => {
  const world = await accountWorld(files);
  const run = await cutOff(world, 'first');
  world.profile(`${named(world).replace('127.0.0.1', 'localhost')}`);
  expect((await world.at('first', 'resume', run)).code).toBe(0);
  await stands(world);
  await world.forget();
  expect((await world.at('first', 'run', 'ladder.yaml')).code).toBe(0);
  await stands(world);
});

test('a run is not continued under another account-id', async () => {
  const world = await accountWorld(files);
  world.profile(named(world));
  const run = await cutOff(world, 'first');
  world.profile(named(world, 'another'));
  const refused = await world.at('first', 'resume', run);
  expect(said(refused)).toEqual([6, expect.stringContaining('is account 7000000002')]);
  await world.issue('second');
  const other = await world.at('second', 'resume', run);
  expect(said(other)).toEqual([6, expect.stringContaining('now uses')]);
  expect(await world.orders()).toHaveLength(3);
});

test('a run of a removed key continues after a person declares whose key it was', async () => {
  const world = await accountWorld(files);
  const run = await cutOff(world, 'first');
  await world.issue('second');
  await world.revoke('first');
  const key = world.print('first');
  const refused = await world.at('second', 'resume', run);
  const command = `deskhand keys former ${key} -p main --account-id ID`;
  expect(said(refused)).toEqual([6, expect.stringContaining(command)]);
  await world.at('second', '-p', 'main', 'keys', 'former', key, '--account-id', '7000000002');
  expect((await world.at('second', 'resume', run)).code).toBe(0);
  await stands(world);
});

test('a doubt is resolved with a new key of the account', async () => {
  const world = await accountWorld(files);
  world.profile(named(world));
  const run = await cutOff(world, 'first');
  await world.issue('second');
  await world.revoke('first');
  const third = (await world.orders()).find(({ price }) => price === '39800.0');
  const words = ['resolve', run, 'orders[39800]', '--placed', third?.orderId ?? ''];
  expect(said(await world.at('second', ...words))).toEqual([
    0,
    expect.stringContaining('is there'),
  ]);
  expect((await world.at('second', 'resume', run)).code).toBe(0);
  await stands(world);
});

test('an order that an earlier run left in doubt is looked up under its original clientOid', async () => {
  const world = await accountWorld(files);
  await cutOff(world, 'first');
  world.profile(named(world)); // from here on, its orders have other names
  expect((await world.at('first', 'run', 'ladder.yaml')).code).toBe(5);
  const beside = ['run', 'ladder.yaml', '--new', '--reason', 'the same orders'];
  expect((await world.at('first', ...beside)).code).toBe(0);
  await stands(world);
});

test('two keys of one account-id never write at the same time', async () => {
  const world = await accountWorld(files);
  world.profile(named(world));
  const child = await stuck(world, 'first');
  await world.issue('second');
  world.put('other.yaml', ladderOf(['38000']).replace('name: ladder', 'name: other'));
  const second = await world.at('second', 'run', 'other.yaml');
  expect(said(second)).toEqual([5, expect.stringContaining('is writing to this account')]);
  // The same for one key, with and without the account-id.
  world.profile(address(world));
  const nameless = await world.at('first', 'run', 'other.yaml');
  expect(nameless.code).toBe(5);
  expect(await world.orders()).toHaveLength(3);
  child.kill('SIGKILL');
});

test('a former key that is still in use elsewhere blocks the account for other keys', async () => {
  const world = await accountWorld(files);
  const child = await stuck(world, 'first');
  await world.issue('second');
  world.profile(`${named(world)}\n    former-keys: ["${world.print('first')}"]`);
  world.put('other.yaml', ladderOf(['38000']).replace('name: ladder', 'name: other'));
  const second = await world.at('second', 'run', 'other.yaml');
  expect(said(second)).toEqual([5, expect.stringContaining('is writing to this account')]);
  child.kill('SIGKILL');
});

test('an occurrence of a schedule runs once, with any key of the account', async () => {
  const daily = rungs.replace('account: main', 'account: main\nschedule: [{ cron: "0 8 * * *" }]');
  const once8 = daily.replace('once-per: playbook', 'once-per: run');
  const world = await accountWorld({ 'ladder.yaml': once8 });
  const words = ['run', 'ladder.yaml', '--scheduled-for', '2026-01-31T08:00:00Z'];
  expect((await world.at('first', ...words)).code).toBe(0);
  world.profile(named(world).replace('127.0.0.1', 'localhost'));
  expect(said(await world.at('first', ...words))).toEqual([
    5,
    expect.stringContaining('already ran'),
  ]);
  await world.issue('second');
  const unproved = await world.at('second', ...words);
  expect(said(unproved)).toEqual([5, expect.stringContaining('deskhand keys former')]);
  world.profile(`${named(world)}\n    former-keys: ["${world.print('first')}"]`);
  expect(said(await world.at('second', ...words))).toEqual([
    5,
    expect.stringContaining('already ran'),
  ]);
  expect(await world.orders()).toHaveLength(5);
});

test('a reviewed plan runs with another key of the account, but not on another account', async () => {
  const world = await accountWorld(files);
  world.profile(named(world));
  expect((await world.at('first', 'plan', 'ladder.yaml', '--out', 'plan.json')).code).toBe(0);
  await world.issue('second');
  world.profile(named(world, 'another'));
  const moved = await world.at('second', 'run', 'plan.json');
  expect(said(moved)).toEqual([5, expect.stringContaining('the account was')]);
  world.profile(named(world));
  expect((await world.at('second', 'run', 'plan.json')).code).toBe(0);
  await stands(world);
  const again = await world.at('second', 'run', 'plan.json');
  expect(said(again)).toEqual([5, expect.stringContaining('already ran')]);
});

test('drift checks orders placed with any key of the account', async () => {
  const world = await accountWorld(files);
  world.profile(named(world));
  await world.at('first', 'run', 'ladder.yaml');
  await world.issue('second');
  const drift = await world.at('second', 'drift', 'ladder.yaml');
  expect(said(drift)).toEqual([0, expect.stringContaining('0 differences, 5 as recorded')]);
});

test('environment variables define the account as a profile does', async () => {
  const world = await accountWorld(files);
  const run = async (
    key: string,
    more: Readonly<Record<string, string>>,
  ): Promise<number | null> => {
    const parts = Object.entries(world.key(key)).map(([name, value]) => {
      return [name.replace('MAIN', 'DESKHAND'), value];
    });
    const env = { DESKHAND_BASE_URL: world.sandbox.baseUrl, ...Object.fromEntries(parts), ...more };
    const child = begin(['-p', 'environment', 'run', 'ladder.yaml'], { cwd: world.cwd, env });
    const [code] = await once(child, 'close');
    return code;
  };
  writeFileSync(join(world.cwd, 'deskhand.yaml'), 'profiles: {}\n');
  expect(await run('first', {})).toBe(0);
  await world.issue('second');
  await world.forget();
  expect(await run('second', { DESKHAND_ACCOUNT_ID: '7' })).toBe(5);
  const former = { DESKHAND_FORMER_KEYS: world.print('first') };
  expect(await run('second', { DESKHAND_ACCOUNT_ID: '7', ...former })).toBe(0);
  expect(await world.orders()).toHaveLength(5);
});
