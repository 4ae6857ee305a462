/** A saved plan over several accounts runs as shown while the market moves within its tolerance. */
import { expect, test } from 'vitest';
import { StalePlanError } from '../../../src/engine/plan/stale.ts';
import type { Plan } from '../../../src/engine/plan/plan.ts';
import type { Playbook } from '../../../src/language/playbook.ts';
import { desksOf, ticking } from '../../support/desks.ts';
import { openHarness, playbookFrom } from '../../support/harness.ts';
import { fileOf, ordersOf, ordersSent, reviewedOn, runFile } from '../../support/reviewed.ts';

const names = ['ash', 'birch', 'cedar', 'dogwood', 'elm'];

const order = (fields: string): string => `
      symbol: BTCUSDT
      productType: USDT-FUTURES
      marginMode: crossed
      marginCoin: USDT
      tradeSide: open
      ${fields}`;
const market = order('{ side: buy, orderType: market, size: "0.010" }')
  .replace('{ ', '')
  .replaceAll(', ', '\n      ')
  .replace(' }', '');
const limit = order(
  'side: buy\n      orderType: limit\n      force: post_only\n      price: "21000.0"\n      size: "0.010"',
);
const sell = order(
  'side: sell\n      orderType: limit\n      force: gtc\n      price: "70000.0"\n      size: "0.010"',
);

const each = (desks: readonly string[], fields: string): string => `playbook: 1
name: desks
steps:
  - id: enter
    for-each: [${desks.join(', ')}]
    account: "{{ each.value }}"
    uses: futures/place-order
    with:${fields}
`;

const inner = (fields: string): string => `playbook: 1
name: inner
inputs: { price: { type: decimal } }
steps:
  - id: fixed
    uses: futures/place-order
    with:${fields}
  - id: priced
    uses: futures/place-order
    with:${limit.replace('"21000.0"', '"{{ inputs.price }}"')}
`;

/** Each desk reads the market itself, before anything is written. */
const nested = (desks: readonly string[], fields: string): Playbook =>
  playbookFrom(
    `playbook: 1
name: outer
steps:
  - id: look
    for-each: [${desks.join(', ')}]
    account: "{{ each.value }}"
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
  - id: desk
    for-each: [${desks.join(', ')}]
    account: "{{ each.value }}"
    uses: ./inner.yaml
    with: { price: "{{ floorTo (mul steps.look.response.ash.0.lastPrice 0.9) 0.1 }}" }
  - id: own
    uses: futures/place-order
    with:${fields}
`,
    { './inner.yaml': inner(fields), 'inner.yaml': inner(fields) },
  );

const kinds: Readonly<Record<string, (desks: readonly string[]) => Playbook>> = {
  'market orders': (desks) => playbookFrom(each(desks, market)),
  'limit buys at a fixed price': (desks) => playbookFrom(each(desks, limit)),
  'limit sells at a fixed price': (desks) => playbookFrom(each(desks, sell)),
  'a nested playbook for each desk': (desks) => nested(desks, market),
};

const cases = Object.keys(kinds).flatMap((kind) =>
  names.map((_name, at): [string, number] => [kind, at + 1]),
);

async function planned(kind: string, many: number, by: number) {
  const harness = await openHarness();
  const wrap = ticking(harness, { from: 60_000, by });
  const desks = names.slice(0, many);
  const accounts = await desksOf(harness, desks, wrap);
  const playbook = kinds[kind]?.(desks);
  if (playbook === undefined) throw new Error(kind);
  const how = { accounts, wrap };
  const plan: Plan = await reviewedOn(harness, playbook, how);
  return { harness, plan, run: () => runFile(harness, fileOf(plan), playbook, how) };
}

test.each(cases)(
  '%s of %i accounts run as the saved plan shows, with a market that moves at every read',
  async (kind, many) => {
    const { plan, run } = await planned(kind, many, 0.002);
    const { entries } = await run();
    expect(ordersSent(entries)).toEqual(ordersOf(plan));
    expect(ordersOf(plan).length).toBeGreaterThanOrEqual(many);
  },
);

test.each(cases)(
  '%s of %i accounts are refused after a move beyond the tolerance',
  async (kind, many) => {
    const { run } = await planned(kind, many, 0.02);
    await expect(run()).rejects.toThrow(StalePlanError);
    await expect(run()).rejects.toThrow(/BTCUSDT|lastPrice/);
  },
);

test('every action names its account, also below a nested playbook that names the first one again', async () => {
  const harness = await openHarness();
  const accounts = await desksOf(harness, ['ash']);
  const inside = `playbook: 1
name: inside
steps:
  - { id: leverage, uses: futures/set-all-leverage, with: { productType: USDT-FUTURES, leverage: 3 } }
  - { id: home, account: main, uses: futures/set-all-leverage, with: { productType: USDT-FUTURES, leverage: 5 } }
`;
  const playbook = playbookFrom(
    `playbook: 1
name: outside
steps:
  - { id: desk, account: ash, uses: ./inside.yaml }
  - { id: own, uses: futures/set-all-leverage, with: { productType: USDT-FUTURES, leverage: 7 } }
  - { id: skipped, if: "{{ eq 1 2 }}", uses: futures/set-all-leverage, with: { productType: USDT-FUTURES, leverage: 9 } }
`,
    { 'inside.yaml': inside },
  );
  const plan = await reviewedOn(harness, playbook, { accounts });
  const lines = plan.steps.flatMap(({ actions }) =>
    actions.map(({ address, account }) => `${address} ${account}`),
  );
  expect(lines).toEqual([
    'desk ash',
    'desk/leverage ash',
    'desk/home main',
    'own main',
    'skipped main',
  ]);
  expect(plan.accounts?.map(({ profile }) => profile)).toEqual(['ash']);
  expect(Object.keys(plan.positions)).toEqual(['USDT-FUTURES of ash', 'USDT-FUTURES']);
  const { entries } = await runFile(harness, fileOf(plan), playbook, { accounts });
  const sent = entries.flatMap((entry) =>
    entry.kind === 'intended' ? [`${entry.address} ${entry.account}`] : [],
  );
  expect(sent).toEqual(['desk/leverage ash', 'desk/home main', 'own main']);
});

/** Leverages, whose accounts follow from a read that only the run makes. */
const lateAccount = (account: string): Playbook =>
  playbookFrom(
    `playbook: 1
name: late
steps:
  - { id: first, uses: futures/set-all-leverage, with: { productType: USDT-FUTURES, leverage: 3 } }
  - { id: look, uses: market/list-tickers, with: { category: USDT-FUTURES, symbol: BTCUSDT } }
  - id: desk
    for-each: "{{ steps.look.response }}"
    key: "{{ each.value.symbol }}"
    uses: ./inside.yaml
    with: { on: "${account}", leverage: "{{ roundTo (mul each.value.lastPrice 0.0001) 0 }}" }
`,
    {
      'inside.yaml': `playbook: 1
name: inside
inputs: { on: { type: string }, leverage: { type: integer } }
steps:
  - id: leverage
    account: "{{ inputs.on }}"
    uses: futures/set-all-leverage
    with: { productType: USDT-FUTURES, leverage: "{{ inputs.leverage }}" }
`,
    },
  );

test('an account beside values that only the run knows is opened by the plan', async () => {
  const harness = await openHarness();
  const accounts = await desksOf(harness, ['ash']);
  const playbook = lateAccount('ash');
  const plan = await reviewedOn(harness, playbook, { accounts });
  const { entries } = await runFile(harness, fileOf(plan), playbook, { accounts });
  expect(entries.flatMap((entry) => (entry.kind === 'intended' ? [entry.account] : []))).toEqual([
    'main',
    'ash',
  ]);
});

test('an account that only the run would know is refused at its line, before anything is sent', async () => {
  const harness = await openHarness();
  const accounts = await desksOf(harness, ['ash']);
  const playbook = lateAccount("{{ replace each.value.symbol 'BTCUSDT' 'ash' }}");
  await expect(reviewedOn(harness, playbook, { accounts })).rejects.toThrow(
    /inside\.yaml:6:14 .*its account is known only during the run/,
  );
});
