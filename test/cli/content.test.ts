/** Content written once per playbook is identified by its meaning, not by its formatting or file. */
import { expect, test } from 'vitest';
import { accountWorld, ladderOf, rungs, said } from './account.ts';

const prices = ['40000', '39900', '39800', '39700', '39600'];

test('a size of 0.01 after 0.010 places no order again, with any key', async () => {
  const world = await accountWorld({ 'ladder.yaml': rungs });
  await world.at('first', 'run', 'ladder.yaml');
  await world.forget();
  world.put('ladder.yaml', ladderOf(prices, '0.01'));
  const plan = await world.at('first', 'plan', 'ladder.yaml');
  expect(said(plan)).toEqual([0, expect.stringContaining('5 unchanged')]);
  world.put(
    'ladder.yaml',
    ladderOf(
      prices.map((price) => `${price}.00`),
      '0.0100',
    ),
  );
  expect((await world.at('first', 'run', 'ladder.yaml')).code).toBe(0);
  expect(await world.orders()).toHaveLength(5);
});

test('an explicit default and another order of fields are the same content', async () => {
  const world = await accountWorld({ 'ladder.yaml': rungs });
  await world.at('first', 'run', 'ladder.yaml');
  await world.forget();
  const bare = rungs.replace('      force: gtc\n', '').replace('BTCUSDT', 'btcusdt');
  const full = rungs
    .replace('      symbol: BTCUSDT\n', '')
    .replace(
      'price: "{{',
      'stpMode: none\n      presetStopLossPrice: ""\n      symbol: BTCUSDT\n      price: "{{',
    );
  for (const text of [bare, full]) {
    world.put('ladder.yaml', text);
    const run = await world.at('first', 'run', 'ladder.yaml');
    expect([run.code, run.stdout]).toEqual([0, expect.stringContaining('5 of 5')]);
  }
  expect(await world.orders()).toHaveLength(5);
  // Different content means a different order.
  world.put('ladder.yaml', rungs.replace('force: gtc', 'force: post_only'));
  expect((await world.at('first', 'run', 'ladder.yaml')).code).toBe(0);
  expect(await world.orders()).toHaveLength(10);
});

test('an item inserted before the others, or a reordered list, places only the new item', async () => {
  const world = await accountWorld({ 'ladder.yaml': rungs });
  await world.at('first', 'run', 'ladder.yaml');
  await world.forget();
  world.put('ladder.yaml', ladderOf(['40100', ...prices.toReversed()]));
  expect((await world.at('first', 'run', 'ladder.yaml')).code).toBe(0);
  const placed = await world.orders();
  expect(placed.map(({ price }) => price).sort()).toEqual(
    ['40100', ...prices].map((price) => `${price}.0`).sort(),
  );
});

test('items identified only by their position are an error in validate, plan and run', async () => {
  const keyless = rungs.replace('    key: "{{ each.value.price }}"\n', '');
  const world = await accountWorld({ 'ladder.yaml': keyless });
  for (const verb of ['validate', 'plan', 'run']) {
    const refused = await world.at('first', verb, 'ladder.yaml');
    expect(said(refused)).toEqual([3, expect.stringContaining('PB420')]);
  }
  const byIndex = rungs.replace('each.value.price }}"\n    uses', 'each.index }}"\n    uses');
  world.put('ladder.yaml', byIndex);
  expect(said(await world.at('first', 'validate', 'ladder.yaml'))).toEqual([
    3,
    expect.stringContaining('its key depends on the position'),
  ]);
  expect(await world.orders()).toHaveLength(0);
});

test('if items depend on inputs, the plan refuses them', async () => {
  const given = rungs
    .replace('account: main', 'account: main\ninputs: { rungs: { type: list } }')
    .replace(/for-each: .*/, 'for-each: "{{ inputs.rungs }}"')
    .replace('    key: "{{ each.value.price }}"\n', '');
  const world = await accountWorld({ 'ladder.yaml': given });
  expect((await world.at('first', 'validate', 'ladder.yaml')).code).toBe(0);
  world.put('rungs.yaml', 'rungs: [{ price: "40000", size: "0.010" }]\n');
  const words = ['run', 'ladder.yaml', '--var-file', 'rungs.yaml'];
  const refused = await world.at('first', ...words);
  expect(said(refused)).toEqual([3, expect.stringContaining('identified only by their position')]);
  expect(await world.orders()).toHaveLength(0);
});

test('a nested playbook used for items without a key is refused the same way', async () => {
  const inner = `playbook: 1
name: one
inputs: { price: { type: decimal } }
steps:
${rungs
  .slice(rungs.indexOf('  - id:'))
  .replace(/    for-each.*\n    key.*\n/, '')
  .replaceAll('each.value.price', 'inputs.price')
  .replaceAll('{{ each.value.size }}', '0.010')}`;
  const outer = (key: string): string => `playbook: 1
name: outer
account: main
steps:
  - id: all
    for-each: [{ price: 40000 }, { price: 39900 }]
${key}    uses: ./inner.yaml
    with: { price: "{{ each.value.price }}" }
`;
  const world = await accountWorld({ 'inner.yaml': inner, 'outer.yaml': outer('') });
  expect(said(await world.at('first', 'run', 'outer.yaml'))).toEqual([
    3,
    expect.stringContaining('PB420'),
  ]);
  world.put('outer.yaml', outer('    key: "{{ each.value.price }}"\n'));
  expect((await world.at('first', 'run', 'outer.yaml')).code).toBe(0);
  world.put('outer.yaml', outer('    key: "{{ each.value.price }}.0"\n'));
  await world.forget();
  expect((await world.at('first', 'run', 'outer.yaml')).code).toBe(0);
  expect(await world.orders()).toHaveLength(2);
});

test('two keys with equal numbers are one item, and an error', async () => {
  const world = await accountWorld({ 'ladder.yaml': ladderOf(['40000', '40000.0']) });
  for (const verb of ['validate', 'run']) {
    expect((await world.at('first', verb, 'ladder.yaml')).code).toBe(3);
  }
  expect(said(await world.at('first', 'validate', 'ladder.yaml'))[1]).toContain('PB412');
  const given = ladderOf([])
    .replace('account: main', 'account: main\ninputs: { at: { type: list } }')
    .replace(/for-each: .*/, 'for-each: "{{ inputs.at }}"')
    .replaceAll('each.value.price', 'each.value')
    .replaceAll('{{ each.value.size }}', '0.010');
  world.put('ladder.yaml', given);
  const refused = await world.at('first', 'run', 'ladder.yaml', '--var', 'at=40000,40000.0');
  expect(said(refused)).toEqual([3, expect.stringContaining('are the same number')]);
  expect(await world.orders()).toHaveLength(0);
});
