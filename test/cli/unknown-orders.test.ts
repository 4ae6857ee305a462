/** Orders whose value only the run knows: said, bounded or refused, with what to move where. */
import { expect, test } from 'vitest';
import { keyOf, publicOf } from '../engine/approval/keys.ts';
import { limitOrder } from '../support/order.ts';
import { deskhand, folderWith } from './deskhand.ts';
import { resting } from './ladder.ts';

const leverage = `  - { id: leverage, uses: futures/set-all-leverage, with: { productType: USDT-FUTURES, leverage: 3 } }
`;
const prices = `  - id: prices
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
`;
const price = '{{ floorTo (mul steps.prices.response.0.lastPrice 0.5) 0.1 }}';
const enter = `  - id: enter
    uses: futures/place-order
    with:${limitOrder({ price, size: '0.010', force: 'post_only' })}
`;
const rescue = `on-failure:
  - id: rescue
    uses: futures/place-order
    with:${limitOrder({ price: '30000.0', size: '0.010' })}
`;

const playbook = (steps: string, guards = '{}'): string => `playbook: 1
name: late
account: main
guards: ${guards}
steps:
${steps}`;

const ben = keyOf('unknown-ben');

function place(text: string, profile = '{}') {
  const approve = `{ by: anyone, signers: ./signers, records: approvals }`;
  const cwd = folderWith({
    'late.yaml': text,
    'deskhand.yaml': `profiles: { main: ${profile.replace('APPROVE', approve)} }\n`,
    signers: `ben@desk.example ${publicOf(ben)}\n`,
  });
  return { cwd, at: (...words: string[]) => deskhand(words, { cwd }) };
}

test('a read after the first write: which step to move where, and the guard that bounds the order', async () => {
  const { at } = place(playbook(leverage + prices + enter, '{ max-order-notional: 1000 }'));
  const line =
    'enter: its price is known only after prices; bounded by max-order-notional 1000; move prices above leverage';
  const text = (await at('plan', 'late.yaml')).stdout;
  expect(text.replaceAll(/\s+/g, ' ')).toContain(
    `Orders not in the totals, decided only during the run: ${line}`,
  );
  expect(text).toMatch(/^ +orders: 1 not in the totals/m);
  const markdown = (await at('plan', 'late.yaml', '-o', 'markdown')).stdout;
  expect(markdown).toContain(`\n- ${line}\n`);
  expect(markdown).toContain('**orders 1 not in the totals**');
  const { totals, unknownOrders } = JSON.parse(
    (await at('plan', 'late.yaml', '-o', 'json')).stdout,
  );
  expect(totals).toMatchObject({ orders: 0, unknown: 1, create: 1 });
  expect(unknownOrders).toEqual([
    {
      address: 'enter',
      isSeveral: false,
      because: 'its price is known only after prices',
      advice: 'move prices above leverage',
      bounds: [{ guard: 'max-order-notional', limit: '1000' }],
      isBounded: true,
    },
  ]);
  const moved = place(playbook(prices + leverage + enter));
  const shown = await moved.at('plan', 'late.yaml');
  expect(shown.stdout).toMatch(/orders: 1 new, \d+\.\d\d in all {3}/);
  expect(shown.stdout).not.toContain('unknown value');
});

test('nobody is asked to sign an order of unknown value that no guard bounds', async () => {
  const { cwd, at } = place(playbook(leverage + prices + enter), '{ approve: APPROVE }');
  const planned = await at('plan', 'late.yaml', '--out', 'plan.json');
  expect([planned.code, planned.stdout]).toEqual([
    5,
    expect.stringContaining('enter: its price is known only after prices; no guard bounds it'),
  ]);
  const hint =
    'move prices above leverage, or add guards: { max-order-notional: … } to late.yaml, or order to profiles.main.guards in deskhand.yaml';
  expect(planned.stdout).toContain(hint);
  for (const words of [
    ['approve', 'plan.json', '--key', ben],
    ['run', 'plan.json'],
    ['run', 'late.yaml'],
  ]) {
    const { code, stderr } = await at(...words);
    expect([code, stderr]).toEqual([5, expect.stringContaining('no guard bounds it')]);
    expect(stderr).toContain(hint);
  }
  expect(await resting(cwd)).toBe(0);
});

test('with a guard of the profile, another person signs it and it runs', async () => {
  const { cwd, at } = place(
    playbook(leverage + prices + enter),
    '{ approve: APPROVE, guards: { notional: 1000 } }',
  );
  expect((await at('plan', 'late.yaml', '--out', 'plan.json')).code).toBe(0);
  const signed = await at('approve', 'plan.json', '--key', ben);
  expect([signed.code, signed.stderr]).toEqual([
    0,
    expect.stringContaining('bounded by max-notional 1000'),
  ]);
  expect((await at('run', 'plan.json')).code).toBe(0);
  expect(await resting(cwd)).toBe(1);
});

test('orders of on-failure and of steps decided during the run are not in the totals', async () => {
  const late = enter.replace(
    '    uses',
    '    if: "{{ steps.prices.response.0.lastPrice }}"\n    uses',
  );
  const { at } = place(
    playbook(leverage + prices + late.replace('if: "{{ ', 'if: "{{ gt 1 ') + rescue),
  );
  const shown = await at('plan', 'late.yaml');
  expect(shown.stdout).toMatch(/BTCUSDT open long .* runs only if the run stops/);
  const { stdout } = await at('plan', 'late.yaml', '-o', 'json');
  const { totals, unknownOrders } = JSON.parse(stdout);
  expect(totals.unknown).toBe(2);
  expect(unknownOrders.map((each: { address: string; because: string }) => each.because)).toEqual([
    'it is known only after prices',
    'it runs only if the run stops',
  ]);
});

test('market orders, and orders that are executed at once or cancelled, are not open afterwards', async () => {
  const order = (id: string, fields: string): string => `  - id: ${id}
    uses: futures/place-order
    with:${fields}
`;
  const market = limitOrder({ price: '0' })
    .replace('orderType: limit', 'orderType: market')
    .replace(/\n +force: .*\n.*/, '');
  const resting = limitOrder({ price: '20000.0', force: 'post_only' });
  const ioc = limitOrder({ price: '20000.0', force: 'ioc' });
  const openAfter = async (steps: string): Promise<number> => {
    const { at } = place(playbook(steps));
    return JSON.parse((await at('plan', 'late.yaml', '-o', 'json')).stdout).totals.openOrdersAfter;
  };
  const none = (await openAfter(order('rest', resting))) - 1;
  expect(await openAfter(order('market', market) + order('ioc', ioc))).toBe(none);
});

test('a step whose items only the run knows places any number of orders, and is not called one', async () => {
  const each = enter.replace('    uses', '    for-each: "{{ steps.prices.response }}"\n    uses');
  const guards = '{ max-notional: 1000 }';
  const several = place(playbook(leverage + prices + each, guards));
  const { stdout } = await several.at('plan', 'late.yaml');
  expect(stdout).toMatch(/^ +orders: any number in 1 step not in the totals/m);
  const both = place(
    playbook(leverage + prices + enter + each.replace('id: enter', 'id: more'), guards),
  );
  const plan = await both.at('plan', 'late.yaml');
  expect(plan.stdout).toMatch(/^ +orders: 1, and any number in 1 step, not in the totals/m);
  const { totals } = JSON.parse((await both.at('plan', 'late.yaml', '-o', 'json')).stdout);
  expect(totals).toMatchObject({ unknown: 2, several: 1 });
});
