/** A key of the exchange's demo trading: each request says so, and each screen shows it. */
import { expect, test } from 'vitest';
import { accountWorld, rungs, said } from './account.ts';

test('a profile of demo trading sends the header, and is DEMO on every screen', async () => {
  const world = await accountWorld({ 'ladder.yaml': rungs });
  const key = world.key('demo');
  await world.control('POST', 'keys', {
    uid: '7000000002',
    apiKey: key['MAIN_API_KEY'],
    secretKey: key['MAIN_API_SECRET'],
    passphrase: key['MAIN_API_PASSPHRASE'],
    permissions: ['account-read', 'account-write', 'trade-read', 'trade-write'],
    environment: 'demo',
  });
  const live = `    base-url: "http://127.0.0.1:${world.port}"\n    target: live\n    account-id: 7000000002\n`;
  const positions = ['call', 'futures/list-positions', 'productType=USDT-FUTURES'];
  const read = ['-p', 'main', '-o', 'json'];
  world.profile(live);
  const refused = await world.at('demo', ...positions, ...read);
  expect(said(refused)).toEqual([4, expect.stringContaining('40099')]);

  world.profile(`${live}    demo: true\n`);
  expect((await world.at('demo', ...positions, ...read)).code).toBe(0);
  const planned = await world.at('demo', 'plan', 'ladder.yaml');
  expect([planned.code, planned.stdout]).toEqual([0, expect.stringMatching(/^ *DEMO main/)]);
  const unapproved = await world.at('demo', 'run', 'ladder.yaml');
  expect(unapproved.stderr).toContain('would send to the demo account main;');
  const id = /--approve (p-[0-9a-f]{8})/.exec(unapproved.stderr)?.[1] ?? '';
  const done = await world.at('demo', 'run', 'ladder.yaml', '--approve', id);
  expect([done.code, done.stderr + done.stdout]).toEqual([0, expect.stringContaining('DEMO')]);
  expect(await world.orders()).toHaveLength(5);
});

test('a sandbox needs no demo key', async () => {
  const world = await accountWorld({ 'ladder.yaml': rungs });
  world.profile(`    base-url: "http://127.0.0.1:${world.port}"\n    demo: true\n`);
  const refused = await world.at('first', 'validate', 'ladder.yaml');
  expect(said(refused)).toEqual([3, expect.stringContaining('demo belongs to a live profile')]);
});
