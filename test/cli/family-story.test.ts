/** From an empty folder to cancelled orders, with a key that serves one account family and a person who approves. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { families, type Family } from '../../src/exchange/api/family.ts';
import { keyOf, publicOf } from '../engine/approval/keys.ts';
import { accountWorld, placedOrders } from './account.ts';
import { begin } from './deskhand.ts';

const ben = keyOf('family-ben');

const orders = {
  classic: {
    place: 'futures/place-order',
    cancel: 'futures/cancel-order',
    order:
      'productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT, tradeSide: open, size: "0.001"',
    named: 'symbol: BTCUSDT, productType: USDT-FUTURES',
  },
  unified: {
    place: 'trade/place-order',
    cancel: 'trade/cancel-order',
    order: 'category: USDT-FUTURES, posSide: long, qty: "0.001"',
    named: 'category: USDT-FUTURES',
  },
};

const bids = (family: Family): string => {
  const { place, order } = orders[family];
  return `playbook: 1
name: bids
account: main
steps:
  - id: bids
    for-each: ["40000.0", "39900.0"]
    key: "{{ each.value }}"
    uses: ${place}
    with: { symbol: BTCUSDT, side: buy, orderType: limit, price: "{{ each.value }}", ${order} }
outputs: { ids: "{{ pluck steps.bids.outputs 'orderId' }}" }
`;
};

const undo = (family: Family): string => {
  const { cancel, named } = orders[family];
  return `playbook: 1
name: undo
account: main
inputs: { ids: { type: list, items: { type: string } } }
steps:
  - id: undo
    for-each: "{{ inputs.ids }}"
    key: "{{ each.value }}"
    uses: ${cancel}
    with: { ${named}, orderId: "{{ each.value }}" }
`;
};

test.each(families)('a desk with a %s account', async (family) => {
  const world = await accountWorld({});
  await world.control('POST', 'config', { quirks: { splitFamilies: true } });
  await world.issue('uta', 'unified');
  const key = family === 'unified' ? 'uta' : 'first';
  const at = async (code: number, ...words: string[]): Promise<string> => {
    const ended = await world.at(key, ...words);
    const said = ended.stdout + ended.stderr;
    expect(ended.code, said).toBe(code);
    return said;
  };

  rmSync(join(world.cwd, 'deskhand.yaml'));
  await at(0, 'init', '.', '--family', family);
  expect(readFileSync(join(world.cwd, 'deskhand.yaml'), 'utf8')).toContain(`family: ${family}`);
  const lines = [`base-url: "http://127.0.0.1:${world.port}"`, 'on-doubt: ask'];
  const profile = (more: readonly string[]): void =>
    world.profile([...lines, ...more].map((line) => `    ${line}`).join('\n'));
  profile([]);
  expect(await at(0, 'doctor', '-p', 'main')).toContain(`set profiles.main.family: ${family}`);
  const asking = 'approve: { by: other, signers: ./allowed_signers }';
  profile([`family: ${family}`, asking]);
  writeFileSync(join(world.cwd, 'allowed_signers'), `ben@desk.example ${publicOf(ben)}\n`);
  world.put('bids.yaml', bids(family));
  world.put('undo.yaml', undo(family));
  const git = (...words: string[]): unknown =>
    execFileSync('git', words, { cwd: world.cwd, stdio: 'pipe' });
  git('init', '-q');
  git('config', 'user.email', 'ann@desk.example');
  git('config', 'user.name', 'Ann');
  git('add', '.');
  git('commit', '-qm', 'Two bids');
  expect(await at(0, 'doctor', '-p', 'main')).toContain(`${family}, as profile main says`);

  expect(await at(0, 'plan', 'bids.yaml', '--out', 'plan.json')).toContain(`main (${family}, `);
  expect(await at(5, 'run', 'plan.json')).toContain('requires 1 approval');
  await at(0, 'approve', 'plan.json', '--key', ben);
  const rules = ['reset', 'never'].map((kind) => {
    const match = { operation: orders[family].place };
    return { match, when: 'after-commit', action: { kind }, times: 1 };
  });
  await world.control('PUT', 'faults', { rules });
  const started = begin(['run', 'plan.json'], { cwd: world.cwd, env: world.key(key) });
  await placedOrders(world, 2);
  started.kill('SIGKILL');
  await once(started, 'exit');
  const [{ run }] = JSON.parse((await world.at(key, 'runs', 'list', '-o', 'json')).stdout).runs;
  expect(await at(0, 'resolve', run, '--from-exchange', '--yes')).toContain('recorded: 1 outcome');
  await at(0, 'resume', run);
  expect(await world.orders()).toHaveLength(2);
  expect(await at(0, 'drift', 'bids.yaml')).toContain('2 as recorded');

  const { outputs } = JSON.parse(
    (await world.at(key, 'runs', 'outputs', run, '-o', 'json')).stdout,
  );
  const ids = `ids=${JSON.stringify(outputs.ids)}`;
  expect(await at(0, 'plan', 'undo.yaml', '--var', ids, '--out', 'undo.json')).toMatch(/2 to set/);
  await at(0, 'approve', 'undo.json', '--key', ben);
  expect(await at(0, 'run', 'undo.json')).toContain('2 orders cancelled');
  const drift = await at(0, 'drift', 'bids.yaml', '-o', 'json');
  expect(drift.match(/cancelled[^"]*, by undo\[\d+\] of r-/g)).toHaveLength(2);
  const placed = await world.orders();
  expect(placed.map((order) => Object(order).status)).toEqual(['cancelled', 'cancelled']);
});
