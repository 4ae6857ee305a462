/** Limits of a profile, from the check of a playbook to the end of its run. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deskhand, folderWith } from './deskhand.ts';
import { files, ladder, masked, resting } from './ladder.ts';

const config = 'profile: main\nprofiles: { main: { guards: ./guards.yaml } }\n';
const withGuards = (guards: string): string =>
  folderWith({ ...files, 'deskhand.yaml': config, 'guards.yaml': guards });

describe('guards in a file of their own', () => {
  test.each([
    ['symbols: [ETHUSDT]', 'BTCUSDT is not among the symbols of profile main'],
    ['operations: [account/create-sub]', 'place-order is not among the operations of profile main'],
    ['accounts: [other]', 'main is not among the accounts of profile main'],
  ])('%s is told by validate, plan and run', async (guards, message) => {
    const cwd = withGuards(`${guards}\n`);
    const checked = await deskhand(['validate', 'ladder.yaml'], { cwd });
    expect([checked.code, checked.stdout]).toEqual([3, expect.stringContaining(message)]);
    expect(checked.stdout).toContain('error[PB418]');
    const planned = await deskhand(['plan', 'ladder.yaml'], { cwd });
    expect([planned.code, planned.stdout]).toEqual([5, expect.stringContaining('! guard ')]);
    const run = await deskhand(['run', 'ladder.yaml'], { cwd });
    expect([run.code, run.stderr]).toEqual([5, expect.stringContaining('error[guard] held back')]);
    expect(await resting(cwd)).toBe(0);
  });

  test('a playbook cannot loosen them', async () => {
    const cwd = withGuards('writes: 2\n'); // the playbook itself says 10
    const { code, stderr } = await deskhand(['run', 'ladder.yaml'], { cwd });
    expect([code, stderr]).toEqual([5, expect.stringContaining('is write 3; 2 are allowed')]);
  });

  test('hours do not hold a plan back, but its run; both have to be open', async () => {
    const own = ladder.replace('max-writes: 10', 'hours: sun-wed 00:00-24:00 UTC');
    const cwd = folderWith({
      'ladder.yaml': own,
      'deskhand.yaml': config,
      'guards.yaml': 'hours: thu-sat 00:00-24:00 UTC\n', // together never
    });
    const planned = await deskhand(['plan', 'ladder.yaml', '--out', 'plan.json'], { cwd });
    expect([planned.code, planned.stdout]).toEqual([0, expect.stringContaining('outside now')]);
    const { code, stderr } = await deskhand(['run', 'plan.json'], { cwd });
    const hours = 'thu-sat 00:00-24:00 UTC, and sun-wed 00:00-24:00 UTC';
    expect([code, stderr]).toEqual([5, expect.stringContaining(`outside the hours ${hours}`)]);
    expect(existsSync(join(cwd, '.deskhand', 'runs'))).toBe(false); // the plan is not used up
  });

  test('a file that is not there, lies elsewhere or is wrong is named', async () => {
    const told = async (guards: string, path = './guards.yaml'): Promise<string> => {
      const cwd = folderWith({
        'ladder.yaml': ladder,
        'deskhand.yaml': config.replace('./guards.yaml', path),
        'guards.yaml': guards,
      });
      const { code, stderr } = await deskhand(['validate', 'ladder.yaml'], { cwd });
      expect(code).toBe(3);
      return stderr.replaceAll(cwd, '.');
    };
    expect([
      await told('', './other.yaml'),
      await told('', '/etc/hostname'),
      await told('hours: always\n'),
      await told('operations: [futures/place-ordr]\n'),
      await told('symbol: [BTCUSDT]\n'),
    ]).toMatchSnapshot();
  });
});

test('what was used of every limit is told at the end, everywhere', async () => {
  const cwd = withGuards('notional: 5000\nsymbols: [BTCUSDT, ETHUSDT]\n');
  const words = ['run', 'ladder.yaml', '--json-into', 'run.json', '--report', 'report'];
  const env = { GITHUB_STEP_SUMMARY: join(cwd, 'page.md') };
  const { code, stdout, stderr } = await deskhand(words, { cwd, env });
  expect(code).toBe(0);
  const told = 'max-writes 3 of 10, max-notional 1185 of 5000, symbols BTCUSDT of BTCUSDT ETHUSDT';
  expect(stdout).toContain(`guards  ${told}`);
  const read = (name: string): string => readFileSync(join(cwd, name), 'utf8');
  expect(JSON.parse(read('run.json')).guards.map(({ used }: { used: string }) => used)).toEqual([
    '3',
    '1185',
    'BTCUSDT',
  ]);
  expect(read('page.md')).toContain('`max-notional` 1185 of 5000');
  const [, page = ''] = /^report (.*)$/m.exec(stderr) ?? [];
  expect(read(page)).toContain('max-notional 1185 of 5000');
});

test('a write by hand keeps them, too', async () => {
  const cwd = withGuards('order: 100\ndistance: 5%\n');
  const words = ['productType=USDT-FUTURES', 'marginMode=crossed', 'marginCoin=USDT', 'side=buy'];
  const order = ['symbol=BTCUSDT', 'tradeSide=open', 'orderType=limit', 'size=0.010'];
  const { code, stderr } = await deskhand(
    ['call', 'futures/place-order', ...words, ...order, 'price=40000'],
    { cwd },
  );
  expect([code, masked(stderr).replace(/is -[\d.]+ %/, 'is … %')]).toMatchSnapshot();
  expect(await resting(cwd)).toBe(0);
});
