/** Limits of a profile, from validating a playbook to the end of its run. */
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { begin, deskhand, folderWith } from './deskhand.ts';
import { files, ladder, masked, resting } from './ladder.ts';
import { startSandboxIn } from './sandbox.ts';
import { limitOrder } from '../support/order.ts';

const config = 'profile: main\nprofiles: { main: { guards: ./guards.yaml } }\n';
const withGuards = (guards: string): string =>
  folderWith({ ...files, 'deskhand.yaml': config, 'guards.yaml': guards });

describe('guards in a separate file', () => {
  test.each([
    ['symbols: [ETHUSDT]', 'BTCUSDT is not among the symbols of profile main'],
    ['operations: [account/create-sub]', 'place-order is not among the operations of profile main'],
    ['accounts: [other]', 'main is not among the accounts of profile main'],
  ])('%s is reported by validate, plan and run', async (guards, message) => {
    const cwd = withGuards(`${guards}\n`);
    const checked = await deskhand(['validate', 'ladder.yaml'], { cwd });
    expect([checked.code, checked.stdout]).toEqual([3, expect.stringContaining(message)]);
    expect(checked.stdout).toContain('error[PB418]');
    const planned = await deskhand(['plan', 'ladder.yaml'], { cwd });
    expect([planned.code, planned.stdout]).toEqual([5, expect.stringContaining('! guard ')]);
    const run = await deskhand(['run', 'ladder.yaml'], { cwd });
    expect([run.code, run.stderr]).toEqual([5, expect.stringContaining('error[guard] blocked')]);
    expect(await resting(cwd)).toBe(0);
  });

  test('a playbook cannot loosen them', async () => {
    const cwd = withGuards('writes: 2\n'); // the playbook itself says 10
    const { code, stderr } = await deskhand(['run', 'ladder.yaml'], { cwd });
    expect([code, stderr]).toEqual([5, expect.stringContaining('is write 3; 2 are allowed')]);
  });

  test('hours block the run and not the plan, and both lists of hours must match', async () => {
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
    expect(existsSync(join(cwd, '.deskhand', 'runs'))).toBe(false); // the plan can still be used
  });

  test('a missing, invalid or outside file is named', async () => {
    const errorFor = async (guards: string, path = './guards.yaml'): Promise<string> => {
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
      await errorFor('', './other.yaml'),
      await errorFor('', '/etc/hostname'),
      await errorFor('hours: always\n'),
      await errorFor('operations: [futures/place-ordr]\n'),
      await errorFor('symbol: [BTCUSDT]\n'),
    ]).toMatchSnapshot();
  });
});

test('the usage of every limit is reported at the end, in every format', async () => {
  const cwd = withGuards('notional: 5000\nsymbols: [BTCUSDT, ETHUSDT]\n');
  const words = ['run', 'ladder.yaml', '--json-into', 'run.json', '--report', 'report'];
  const env = { GITHUB_STEP_SUMMARY: join(cwd, 'page.md') };
  const { code, stdout, stderr } = await deskhand(words, { cwd, env });
  expect(code).toBe(0);
  const errorFor =
    'max-writes 3 of 10, max-notional 1185 of 5000, symbols BTCUSDT of BTCUSDT ETHUSDT';
  expect(stdout).toContain(`guards  ${errorFor}`);
  const read = (name: string): string => readFileSync(join(cwd, name), 'utf8');
  expect(JSON.parse(read('run.json')).guards.map(({ used }: { used: string }) => used)).toEqual([
    '3',
    '1185',
    'BTCUSDT',
  ]);
  expect(read('page.md')).toContain('`max-notional` 1185 of 5000');
  const [, page = ''] = /^report (.*)$/m.exec(stderr) ?? [];
  expect(read(page)).toContain('<code>max-notional</code> 1185 of 5000');
});

test('call obeys them, too', async () => {
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

const sell = (price: string, size: string): string =>
  limitOrder({ price, size }).replace('side: buy', 'side: sell');

const selling = (price: string, size: string): string =>
  `playbook: 1\nname: sell\nsteps:\n  - id: it\n    uses: futures/place-order\n    with:${sell(price, size)}\n`;

describe('an order is valued at the highest price it may get', () => {
  // at 100 it would be worth 100; the sandbox's market moves with the hour
  const atMarket = /worth [5-9]\d{4}/;
  const blocked = /blocked: it: the order is worth [5-9]\d{4}[\d.]* USD; 5000 is allowed/;

  test('a sell limit far below the market is valued at the market', async () => {
    const cwd = withGuards('order: 5000\n');
    writeFileSync(join(cwd, 'sell.yaml'), selling('100', '1'));
    for (const verb of ['plan', 'run']) {
      const { code, stdout, stderr } = await deskhand([verb, 'sell.yaml'], { cwd });
      expect([code, `${stdout}${stderr}`]).toEqual([5, expect.stringContaining('it: the order')]);
      expect(`${stdout}${stderr}`).toMatch(verb === 'run' ? blocked : atMarket);
    }
    const fields = sell('100', '1').trim().split(/\n */);
    const words = fields.map((field) => field.replace(': ', '=').replaceAll('"', ''));
    const called = await deskhand(['call', 'futures/place-order', ...words], { cwd });
    expect([called.code, called.stderr]).toEqual([5, expect.stringMatching(atMarket)]);
    expect(await history(cwd)).toBe(0);
  });

  test('with the market at the moment of sending, not of the plan', async () => {
    const cwd = folderWith();
    const sandbox = await startSandboxIn(cwd);
    const price = (to: string): Promise<Response> =>
      fetch(`${sandbox.controlUrl}/market`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ category: 'USDT-FUTURES', symbol: 'BTCUSDT', price: to }),
      });
    expect((await price('80000')).status).toBe(200);
    const bid = (id: string): string =>
      `  - id: ${id}\n    uses: futures/place-order\n    with:${limitOrder({ price: '79000' })}\n`;
    const wait = '  - { id: pause, uses: wait, with: { for: 4s } }\n';
    const text = `playbook: 1\nname: two\nguards: { max-distance: 5% }\nsteps:\n${bid('near')}${wait}${bid('far')}`;
    writeFileSync(join(cwd, 'two.yaml'), text);
    const running = begin(['run', 'two.yaml', '-o', 'ndjson'], { cwd, env: sandbox.env('hedge') });
    let said = '';
    let isMoved = false;
    for await (const piece of running.stdout) {
      said += String(piece);
      if (isMoved || !said.includes('"kind":"clock"')) continue;
      isMoved = true;
      await price('110000');
    }
    const [code] = running.exitCode === null ? await once(running, 'exit') : [running.exitCode];
    expect([code, said]).toEqual([5, expect.stringContaining('away from the mark price')]);
    const intents = said.split('\n').filter((line) => line.includes('"kind":"intended"'));
    expect(intents).toHaveLength(1);
  });
});

test('a resumed run has the same limits, including what nested playbooks sent before', async () => {
  const rungs = (price: string): string => `
  - id: rungs
    for-each: ["${price}0", "${price}1", "${price}2", "${price}3"]
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}' })}`;
  const text = `playbook: 1
name: outer
steps:
  - { id: child, uses: ./child.yaml, with: {} }
  - { id: look, uses: order/list-open, with: { category: USDT-FUTURES, symbol: BTCUSDT } }
  - { id: stop, uses: order/list-history, with: { category: USDT-FUTURES, symbol: BTCUSDT } }
  - id: more
    for-each: "{{ pluck steps.look.response.list 'price' }}"
    uses: futures/place-order
    with:${limitOrder({ price: '{{ add (default each.value 0) 1 }}' })}
`;
  const cwd = withGuards('writes: 5\n');
  writeFileSync(join(cwd, 'outer.yaml'), text);
  writeFileSync(join(cwd, 'child.yaml'), `playbook: 1\nname: child\nsteps:${rungs('4000')}\n`);
  writeFileSync(join(cwd, 'faults.yaml'), failingOnce('order/list-history'));
  await deskhand(['sandbox', 'load', 'faults.yaml'], { cwd });
  const run = await deskhand(['run', 'outer.yaml', '-o', 'json'], { cwd });
  expect([run.code, await resting(cwd)], run.stderr).toEqual([4, 4]);
  const resumed = await deskhand(['resume', JSON.parse(run.stdout).run], { cwd });
  expect([resumed.code, resumed.stderr]).toEqual([5, expect.stringContaining('5 are allowed')]);
  expect(await resting(cwd)).toBeLessThanOrEqual(5);
});

/** The first request for an operation is refused. */
function failingOnce(operation: string): string {
  return `version: 1
faults:
  - match: { operation: ${operation} }
    when: before
    times: 1
    action: { kind: status, status: 400, code: "40014" }
`;
}

const market = limitOrder({ price: '0' })
  .replace('limit', 'market')
  .replace(/\n +(?:price|force).*/g, '');

test('guards never prevent a doubt from being settled, and nothing else is sent', async () => {
  const bid = (id: string): string =>
    `  - id: ${id}\n    uses: futures/place-order\n    with:${market}\n`;
  const profile = (guards = ''): string =>
    `profile: it\nprofiles: { it: { target: sandbox, on-doubt: ask${guards} } }\n`;
  const cwd = folderWith({
    'two.yaml': `playbook: 1\nname: two\nsteps:\n${bid('first')}${bid('second')}`,
    'deskhand.yaml': profile(),
    'faults.yaml': `version: 1
faults:
  - match: { operation: futures/place-order }
    when: after-commit
    times: 1
    action: { kind: reset }
  - match: { operation: order/list-open, nth: 3 }
    when: before
    action: { kind: status, status: 400, code: "40014" }
`,
  });
  await deskhand(['sandbox', 'load', 'faults.yaml'], { cwd });
  const run = await deskhand(['run', 'two.yaml', '-o', 'json'], { cwd });
  expect(run.code, run.stderr).toBe(6);
  writeFileSync(join(cwd, 'deskhand.yaml'), profile(', guards: { writes: 1 }'));
  const resumed = await deskhand(['resume', JSON.parse(run.stdout).run], { cwd });
  expect(resumed.code, resumed.stderr).toBe(5);
  expect(resumed.stdout).toContain('1 lost response looked up and found');
  expect(resumed.stdout).toContain('second is write 2; 1 are allowed');
  expect(await history(cwd)).toBe(1);
});

/** How many of our orders have left the order book of a folder's world. */
async function history(cwd: string): Promise<number> {
  const words = ['call', 'order/list-history', 'category=USDT-FUTURES', 'symbol=BTCUSDT'];
  const { stdout } = await deskhand([...words, '-o', 'json'], { cwd });
  return JSON.parse(stdout).answer.list.filter(({ clientOid }: { clientOid: string }) =>
    clientOid.startsWith('dh'),
  ).length;
}
