/** An account is identified by its id, not by its key or the spelling of its address. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accountWorld, rungs, said, type AccountWorld } from './account.ts';
import { begin } from './deskhand.ts';

const five = { 'ladder.yaml': rungs };

const address = ({ port }: AccountWorld, host = '127.0.0.1'): string =>
  `    base-url: "http://${host}:${port}"`;
const named = (world: AccountWorld, id = '7000000002'): string =>
  `${address(world)}\n    account-id: ${id} # as the exchange shows it`;

/** The run of a summary. */
const runIn = (text: string): string => /\br-[a-z0-9]{8,}/.exec(text)?.[0] ?? '';

test('a rotated key under an account-id places no order again and is reported', async () => {
  const world = await accountWorld(five);
  world.profile(named(world));
  expect((await world.at('first', 'run', 'ladder.yaml')).code).toBe(0);
  await world.issue('second');
  await world.revoke('first');
  await world.forget(); // only by the journal: no list shows them anymore
  const news = `key ${world.print('second')} is new for account 7000000002`;
  const plan = await world.at('second', 'plan', 'ladder.yaml');
  expect(said(plan)).toEqual([0, expect.stringContaining(news)]);
  expect(plan.stdout).toContain('5 unchanged');
  const doctor = await world.at('second', '-p', 'main', 'doctor');
  expect(said(doctor)).toEqual([0, expect.stringContaining(news)]);
  const run = await world.at('second', 'run', 'ladder.yaml');
  expect(said(run)).toEqual([0, expect.stringContaining(news)]);
  expect(await world.orders()).toHaveLength(5);
  const later = await world.at('second', 'plan', 'ladder.yaml');
  expect(later.stdout).not.toContain('is new for');
});

test('a rotated key without an account-id is recognized by the orders in its lists', async () => {
  const world = await accountWorld(five);
  await world.at('first', 'run', 'ladder.yaml');
  await world.issue('second');
  const adopted = await world.at('second', 'run', 'ladder.yaml');
  expect([adopted.code, adopted.stdout]).toEqual([
    0,
    expect.stringContaining('5 writes of earlier runs found, not sent again'),
  ]);
  expect(await world.orders()).toHaveLength(5);
});

test('if no list shows the orders, the run is refused, and the message names the earlier runs and both commands', async () => {
  const world = await accountWorld(five);
  const { stdout } = await world.at('first', 'run', 'ladder.yaml');
  await world.issue('second');
  await world.forget();
  const key = world.print('first');
  for (const verb of ['plan', 'run']) {
    const refused = await world.at('second', verb, 'ladder.yaml');
    expect(refused.code).toBe(5);
    expect(refused.stderr).toContain('orders[40000] and 4 other writes');
    expect(refused.stderr).toContain(runIn(stdout));
    expect(refused.stderr).toContain(`deskhand keys former ${key} -p main --account-id ID`);
    expect(refused.stderr).toContain(`deskhand keys other ${key} -p main`);
  }
  expect(await world.orders()).toHaveLength(5);
  // An order not placed by an earlier run belongs only to this account.
  world.put('other.yaml', rungs.replaceAll('39600', '39500').replace('ladder', 'second-ladder'));
  expect((await world.at('second', 'run', 'other.yaml')).code).toBe(0);
  expect(await world.orders()).toHaveLength(10);
});

test('keys former records a former key in deskhand.yaml and keeps its comments', async () => {
  const world = await accountWorld(five);
  await world.at('first', 'run', 'ladder.yaml');
  await world.issue('second');
  await world.forget();
  const key = world.print('first');
  const nameless = await world.at('second', '-p', 'main', 'keys', 'former', key);
  expect(said(nameless)).toEqual([2, expect.stringContaining('add --account-id ID')]);
  const words = ['-p', 'main', 'keys', 'former', key, '--account-id', '7000000002'];
  expect((await world.at('second', ...words)).code).toBe(0);
  const config = readFileSync(join(world.cwd, 'deskhand.yaml'), 'utf8');
  expect(config).toContain('main: # the desk');
  expect(config).toContain('account-id: "7000000002"');
  expect(config).toContain(`former-keys: ["${key}"]`);
  const run = await world.at('second', 'run', 'ladder.yaml');
  expect(run.code).toBe(0);
  expect(await world.orders()).toHaveLength(5);
  const again = await world.at('second', '-p', 'main', 'keys', 'former', key);
  expect(again.stdout).toContain('already has this');
  const list = await world.at('second', 'keys', 'list', '-o', 'json');
  expect(JSON.parse(list.stdout)).toMatchObject({
    keys: [
      { key: world.print('second'), accountIds: ['7000000002'], runs: 1 },
      { key, runs: 1 },
    ],
  });
});

test('keys other records a key of another account, whose orders then do not block', async () => {
  const world = await accountWorld(five);
  await world.at('first', 'run', 'ladder.yaml');
  await world.issue('second');
  await world.forget();
  expect((await world.at('second', '-p', 'main', 'keys', 'other', world.print('first'))).code).toBe(
    0,
  );
  expect((await world.at('second', 'run', 'ladder.yaml')).code).toBe(0);
  expect(await world.orders()).toHaveLength(10);
});

test('runs from before the account-id count for the account by their key', async () => {
  const world = await accountWorld(five);
  await world.at('first', 'run', 'ladder.yaml');
  await world.forget();
  world.profile(named(world));
  const run = await world.at('first', 'run', 'ladder.yaml');
  expect(said(run)).toEqual([0, expect.stringContaining('1 earlier run with it count')]);
  // From here on, the next key is recognized by the id, and with it the runs of the first key.
  await world.issue('second');
  expect((await world.at('second', 'run', 'ladder.yaml')).code).toBe(0);
  expect(await world.orders()).toHaveLength(5);
});

test('without its records, an account with a new id finds its orders by their old clientOids', async () => {
  const world = await accountWorld(five);
  const state = (name: string): Readonly<Record<string, string>> => ({
    ...world.key('first'),
    DESKHAND_STATE_DIR: join(world.cwd, name),
  });
  const run = async (name: string): Promise<number | null> => {
    const child = begin(['run', 'ladder.yaml', '-q'], { cwd: world.cwd, env: state(name) });
    const [code] = await once(child, 'close');
    return code;
  };
  expect(await run('one')).toBe(0);
  world.profile(named(world));
  expect(await run('two')).toBe(0);
  expect(await world.orders()).toHaveLength(5);
});

test.each(['localhost', 'LOCALHOST', '127.1'])(
  'an address written as %s is the same exchange',
  async (host) => {
    const world = await accountWorld(five);
    await world.at('first', 'run', 'ladder.yaml');
    world.profile(address(world, host));
    await world.forget();
    const plan = await world.at('first', 'plan', 'ladder.yaml', '--exit-code');
    expect(said(plan)).toEqual([0, expect.stringContaining('5 unchanged')]);
    const run = await world.at('first', 'run', 'ladder.yaml');
    expect(run.code).toBe(0);
    expect(await world.orders()).toHaveLength(5);
  },
);

test('a live and a sandbox profile with one address are one account', async () => {
  const world = await accountWorld(five);
  await world.at('first', 'run', 'ladder.yaml');
  await world.forget();
  world.profile(`${named(world)}\n    target: live`);
  const plan = await world.at('first', 'plan', 'ladder.yaml');
  expect(said(plan)).toEqual([0, expect.stringContaining('5 unchanged')]);
});

test('two sandboxes on one machine are two exchanges even with equal keys', async () => {
  const [one, two] = [await accountWorld(five), await accountWorld(five)];
  await one.at('first', 'run', 'ladder.yaml');
  one.profile(address(two));
  expect((await one.at('first', 'run', 'ladder.yaml')).code).toBe(0);
  expect([(await one.orders()).length, (await two.orders()).length]).toEqual([5, 5]);
});

test('a key used with one account-id is refused with another until a person declares it', async () => {
  const world = await accountWorld(five);
  world.profile(named(world));
  const { stdout } = await world.at('first', 'run', 'ladder.yaml');
  world.profile(named(world, '"another"'));
  const call = ['-p', 'main', 'call', 'account/create-sub', 'username=alpha'];
  for (const words of [['plan', 'ladder.yaml'], ['run', 'ladder.yaml'], call]) {
    const refused = await world.at('first', ...words);
    expect(said(refused)).toEqual([
      5,
      expect.stringContaining(`is account 7000000002 (${runIn(stdout)})`),
    ]);
    expect(refused.stderr).toContain('former-ids: ["7000000002"]');
  }
  const doctor = await world.at('first', '-p', 'main', 'doctor');
  expect(said(doctor)).toEqual([5, expect.stringContaining('a key belongs to one account')]);
  // Without an id nothing may be written: the key is known.
  world.profile(address(world));
  const nameless = await world.at('first', 'run', 'ladder.yaml');
  expect(said(nameless)).toEqual([
    5,
    expect.stringContaining('profiles.main.account-id: "7000000002"'),
  ]);
  world.profile(`${named(world, '"another"')}\n    former-ids: [7000000002]`);
  expect((await world.at('first', 'run', 'ladder.yaml')).code).toBe(0);
  expect(await world.orders()).toHaveLength(5);
});

test('two profiles with one key must have one account-id', async () => {
  const world = await accountWorld(five);
  const other = (id: string, secrets: string): string =>
    `  other:\n${address(world)}\n    account-id: ${id}\n    secrets: { env: ${secrets} }`;
  world.profile(named(world), other('8', 'MAIN'));
  const declared = await world.at('first', 'plan', 'ladder.yaml');
  expect(said(declared)).toEqual([3, expect.stringContaining('one key and two account-ids')]);
  expect(declared.stderr).toContain('or each its own secrets, such as secrets: { env: DESKB }');
  world.profile(named(world, 'Desk'), other('desk', 'MAIN'));
  const alike = await world.at('first', 'plan', 'ladder.yaml');
  expect(said(alike)).toEqual([3, expect.stringContaining('differ only in case or spaces')]);
  // The same key under two names of variables.
  world.profile(named(world), other('8', 'OTHER'));
  const key = world.key('first');
  const twin = Object.fromEntries(
    Object.entries(key).map(([name, value]) => [name.replace('MAIN', 'OTHER'), value]),
  );
  const child = begin(['run', 'ladder.yaml'], { cwd: world.cwd, env: { ...key, ...twin } });
  let output = '';
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  const [code] = await once(child, 'close');
  expect([code, output]).toEqual([5, expect.stringContaining('(profile other)')]);
  expect(await world.orders()).toHaveLength(0);
});
