/** A read that fails while a plan is made: left to the run if it may fail, and else refused with its place. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Transport } from '../../src/exchange/api/exchange.ts';
import { StalePlanError } from '../../src/engine/plan/stale.ts';
import { openHarness, playbookFrom } from '../support/harness.ts';
import { limitOrder } from '../support/order.ts';
import { fileOf, ordersSent, reviewedOn, runFile } from '../support/reviewed.ts';
import { deskhand, folderWith } from './deskhand.ts';

const read = (coins: string, onError: string): string => `
  - id: rates
    for-each: ${coins}
    key: "{{ each.value }}"
    uses: margin/get-interest-rate
    with: { coin: "{{ each.value }}" }
    on-error: ${onError}`;

const reads = (onError: string): string => `playbook: 1
name: reads
account: main
steps:${read('[BTC, USDT, NOSUCHCOIN]', onError)}
  - id: book
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
`;

const writes = `playbook: 1
name: writes
account: main
inputs: { coins: { type: list, default: [BTC, NOSUCHCOIN] } }
steps:${read('"{{ inputs.coins }}"', 'continue')}
  - id: buy
    uses: futures/place-order
    with:${limitOrder({ price: '20000.0', size: '0.010', force: 'post_only' })}
`;

const folder = (): string =>
  folderWith({
    'continues.yaml': reads('continue'),
    'stops.yaml': reads('stop'),
    'writes.yaml': writes,
  });

test('a read that may fail is shown as failed, the others are read, and its run does the same', async () => {
  const cwd = folder();
  const plan = await deskhand(['plan', 'continues.yaml'], { cwd });
  expect(plan.code, plan.stderr).toBe(0);
  expect(plan.stdout).toMatch(
    /NOSUCHCOIN +failed now: refused with \d+ .*; the run reads it\s+again/s,
  );
  expect(plan.stdout).toMatch(/USDT +reads, about 1 request/);
  expect(plan.stdout).toMatch(/book +reads, about 1 request/);
  const comment = await deskhand(['plan', 'continues.yaml', '-o', 'markdown'], { cwd });
  expect(comment.stdout).toMatch(/\| failed now: refused with \d+ /);
  const json = await deskhand(['plan', 'continues.yaml', '-o', 'json'], { cwd });
  expect(json.stdout).toMatch(/"failed":\s*"refused with \d+ /);
  const offline = await deskhand(['plan', 'continues.yaml', '--offline'], { cwd });
  expect(offline.code, offline.stderr).toBe(0);
  const run = await deskhand(['run', 'continues.yaml'], { cwd });
  expect(run.stderr + run.stdout).toContain('NOSUCHCOIN');
  expect(run.stderr).toMatch(/book +done/);
});

test('a read that fails and must not is refused with its file, line and step', async () => {
  const cwd = folder();
  for (const verb of ['plan', 'run']) {
    const { code, stderr } = await deskhand([verb, 'stops.yaml'], { cwd });
    expect(code).toBe(1);
    expect(stderr).toMatch(/stops\.yaml:8:11 rates\[NOSUCHCOIN\]: refused with \d+ /);
  }
});

test('a read of a nested playbook that fails is left to the run if the outer step continues', async () => {
  const nested = (onError: string): string => `playbook: 1
name: outer
account: main
steps:
  - { id: part, uses: ./stops.yaml, on-error: ${onError} }
  - id: buy
    uses: futures/place-order
    with:${limitOrder({ price: '20000.0', size: '0.010', force: 'post_only' })}
`;
  const cwd = folderWith({
    'stops.yaml': reads('stop').replace('account: main\n', ''),
    'outer.yaml': nested('continue'),
    'stopping.yaml': nested('stop'),
  });
  const plan = await deskhand(['plan', 'outer.yaml'], { cwd });
  expect(plan.code, plan.stderr).toBe(0);
  expect(plan.stdout).toMatch(/NOSUCHCOIN +failed now: refused with \d+ /);
  const [, saved = ''] = /saved (\S+)/.exec(plan.stdout) ?? [];
  const run = await deskhand(['run', saved], { cwd });
  expect(run.stderr).toMatch(/buy +done/);
  const stopping = await deskhand(['plan', 'stopping.yaml'], { cwd });
  expect(stopping.stderr).toMatch(/stops\.yaml:7:11 part\/rates\[NOSUCHCOIN\]: refused with \d+ /);
});

test('a resumed run reads again, and stops there as an unbroken one', async () => {
  const lever =
    '\n  - { id: lever, uses: futures/set-all-leverage, with: { productType: USDT-FUTURES, leverage: 5 } }';
  const cwd = folderWith({ 'late.yaml': reads('stop').replace('steps:', `steps:${lever}`) });
  const run = await deskhand(['run', 'late.yaml'], { cwd });
  expect([run.code, run.stdout]).toEqual([1, expect.stringContaining('Stopped at step 2 of 3')]);
  const [, id = ''] = /deskhand resume (\S+)/.exec(run.stdout) ?? [];
  const resumed = await deskhand(['resume', id], { cwd });
  expect([resumed.code, resumed.stdout]).toEqual([
    1,
    expect.stringContaining('Stopped at step 2 of 3'),
  ]);
});

test('a saved plan with a failed read runs, and places its order once', async () => {
  const cwd = folder();
  const plan = await deskhand(['plan', 'writes.yaml'], { cwd });
  expect(plan.code, plan.stderr).toBe(0);
  expect(plan.stdout).toContain('1 to create');
  const [, saved = ''] = /saved (\S+)/.exec(plan.stdout) ?? [];
  const run = await deskhand(['run', saved], { cwd });
  expect(run.stderr).toMatch(/buy +done/);
  const world = readFileSync(join(cwd, '.deskhand/sandbox/world.ndjson'), 'utf8');
  expect([...world.matchAll(/"name":"futures\/place-order"/g)]).toHaveLength(1);
});

test.each([
  ['starts', [false, true]],
  ['stops', [true, false]],
] as const)('a saved plan is refused when a read %s failing', async (_how, fails) => {
  const harness = await openHarness();
  let isFailing: boolean = fails[0];
  const wrap =
    (transport: Transport): Transport =>
    (request, signal) => {
      const isIt = request.path.includes('interest-rate') && isFailing;
      return transport(isIt ? { ...request, query: 'coin=NOSUCHCOIN' } : request, signal);
    };
  const playbook = playbookFrom(writes.replace('[BTC, NOSUCHCOIN]', '[BTC]'));
  const plan = await reviewedOn(harness, playbook, { wrap });
  const [rates] = plan.steps[0]?.actions ?? [];
  expect(rates?.change).toEqual(
    fails[0]
      ? { kind: 'read', requests: 1, failed: expect.stringMatching(/^refused with \d+ /) }
      : { kind: 'read', requests: 1 },
  );
  const unchanged = await runFile(harness, fileOf(plan), playbook, { wrap });
  expect(ordersSent(unchanged.entries)).toHaveLength(1);
  isFailing = fails[1];
  const again = runFile(harness, fileOf(plan), playbook, { wrap });
  await expect(again).rejects.toThrow(StalePlanError);
  await expect(again).rejects.toThrow(/rates\[BTC\]/);
});
