/** Steps on several accounts: each order is where its step says, within that account's limits. */
import { describe, expect, test } from 'vitest';
import { loadPlaybook } from '../../../src/language/load.ts';
import {
  accountOf,
  entriesOf,
  live,
  openHarness,
  planOn,
  playbookFrom,
  type Harness,
} from '../../support/harness.ts';

const order = (id: string, account: string): string => `
  - id: ${id}
    ${account}
    uses: futures/place-order
    once-per: playbook
    with:
      symbol: LINKUSDT
      productType: USDT-FUTURES
      marginMode: crossed
      marginCoin: USDT
      side: buy
      orderType: limit
      price: "10"
      size: "3"
`;
const twoAccounts = playbookFrom(`
playbook: 1
name: two-accounts
inputs:
  desks: { type: list, items: { type: string }, default: [oneway, sub] }
steps:${order('bids', 'for-each: "{{ inputs.desks }}"\n    account: "{{ each.value }}"')}`);

const openOn = (harness: Harness, role: keyof Harness['sandbox']['accounts']): unknown[] => {
  const { uid } = harness.sandbox.accounts[role];
  const { open } = Object(harness.sandbox.control('GET', 'orders', { uid }));
  return open.filter(({ symbol }: { symbol: string }) => symbol === 'LINKUSDT');
};

describe('a step with an account', () => {
  test('places its orders there, once, in any run', async () => {
    const harness = await openHarness();
    const accounts = [accountOf(harness, 'oneway'), accountOf(harness, 'sub')];
    expect((await live(harness, twoAccounts, { accounts })).status).toBe('done');
    expect([
      openOn(harness, 'oneway'),
      openOn(harness, 'sub'),
      openOn(harness, 'hedge'),
    ]).toMatchObject([[{ qty: '3' }], [{ qty: '3' }], []]);
    expect(entriesOf(harness)[0]).toMatchObject({
      destination: { profile: 'main' },
      accounts: [{ profile: 'oneway' }, { profile: 'sub' }],
    });
    harness.disk = '';
    await live(harness, twoAccounts, { accounts, runId: 'r-again' });
    expect(openOn(harness, 'oneway')).toHaveLength(1);
    expect(openOn(harness, 'sub')).toHaveLength(1);
  });

  test('is planned with that account’s state, and its limits count beside those of the run', async () => {
    const harness = await openHarness();
    const accounts = [
      accountOf(harness, 'oneway', { maxOrderNotional: '20' }),
      accountOf(harness, 'sub'),
    ];
    const plan = await planOn(harness, twoAccounts, new Map(), accounts);
    const [bids] = plan.steps;
    expect(bids?.actions).toMatchObject([
      { account: 'oneway', change: { kind: 'create' } },
      { account: 'sub', change: { kind: 'create' } },
    ]);
    expect(plan.accounts).toMatchObject([{ profile: 'oneway' }, { profile: 'sub' }]);
    expect(plan.guards).toMatchObject([{ guard: 'max-order-notional of oneway', isKept: false }]);
    const { exit } = await live(harness, twoAccounts, { accounts });
    expect(exit).toBe(5);
    expect(openOn(harness, 'oneway')).toEqual([]);
  });

  test('sends nothing to an account that the plan did not open', async () => {
    const harness = await openHarness();
    const result = await live(harness, twoAccounts, { accounts: [accountOf(harness, 'sub')] });
    expect(result.status).toBe('stopped');
    expect(openOn(harness, 'sub')).toEqual([]);
    await expect(planOn(harness, twoAccounts)).rejects.toThrow('unknown profile "oneway"');
  });
});

describe('the plan opens an account that only the run may use', () => {
  const fails = `
  - id: prices
    uses: market/list-tickers
    with: { category: SPOT }
    expect: [{ that: "{{ gt (length response) 1000 }}" }]`;
  const head = `playbook: 1\nname: late\ninputs: { desk: { type: string, default: sub } }\nsteps:`;
  const bid = order('bid', 'account: "{{ inputs.desk }}"');
  const child = `playbook: 1\nname: child\ninputs: { desk: { type: string } }\nsteps:${bid}`;
  const uses = `
  - id: inner
    uses: ./child.yaml
    with: { desk: "{{ inputs.desk }}" }`;
  const read = `
  - id: last
    account: sub
    uses: order/list-open
    with: {}
`;
  test.each([
    ['on-failure', `${head}${fails}\non-failure:${bid}`],
    ['a playbook that on-failure uses', `${head}${fails}\non-failure:${uses}\n`],
    ['finally, also a read', `${head}${fails}\nfinally:${read}`],
    [
      'a step whose condition is known later',
      `${head}${fails.replace(/\n {4}expect.*/, '')}${order('first', 'name: first').replace('buy', 'buy\n      tradeSide: open')}  - id: then
    if: "{{ eq steps.first.response.orderId '1' }}"
    account: sub
    uses: order/list-open
    with: {}
`,
    ],
  ])('%s', async (_where, text) => {
    const harness = await openHarness();
    const playbook = playbookFrom(text, { 'child.yaml': child });
    await expect(planOn(harness, playbook)).rejects.toThrow('unknown profile "sub"');
    const accounts = [accountOf(harness, 'sub')];
    const plan = await planOn(harness, playbook, new Map(), accounts);
    expect(plan.accounts).toMatchObject([{ profile: 'sub' }]);
    await live(harness, playbook, { accounts });
    expect(openOn(harness, 'sub')).toHaveLength(text.includes('on-failure') ? 1 : 0);
  });

  test('unless its condition is always false', async () => {
    const never = bid.replace('    uses', '    if: "{{ eq inputs.desk \'main\' }}"\n    uses');
    const plan = await planOn(
      await openHarness(),
      playbookFrom(`${head}${fails}\non-failure:${never}`),
    );
    expect(plan.accounts).toBeUndefined();
  });
});

test.each([
  ['account: "{{ steps.a.response.symbol }}"', 'b: an account must be known before the run'],
  ['account: "{{ failure.step }}"', 'b: an account must be known before the run'],
  ['account: "{{ run.time }}"', 'account expects a text, found time'],
])('%s is refused', (account, message) => {
  const at = account.includes('failure') ? 'on-failure:' : '';
  const text = `playbook: 1\nname: x\nsteps:${order('a', 'name: a')}\n${at}${order('b', account)}`;
  const problems = loadPlaybook(text, 'x.yaml').problems.map((problem) => problem.message);
  expect(problems).toContain(message);
});

test('a step that turns out to have no items names its account, where no item decides it', async () => {
  const harness = await openHarness();
  const list = (id: string, account: string): string => `
  - id: ${id}
    for-each: "{{ inputs.desks }}"
    account: ${account}
    uses: order/list-open
    with: { category: USDT-FUTURES }`;
  const none = playbookFrom(
    `
playbook: 1
name: none
account: main
steps:
  - id: lists
    uses: ./lists.yaml
    with: { desks: [], account: sub }
`,
    {
      'lists.yaml': `
playbook: 1
name: lists
inputs:
  desks: { type: list }
  account: { type: string }
steps:${list('whole', '"{{ inputs.account }}"')}${list('each', '"{{ each.value }}"')}
`,
    },
  );
  await live(harness, none, { accounts: [accountOf(harness, 'sub')] });
  const opened = entriesOf(harness).filter(({ kind }) => kind === 'opened');
  expect(opened).toMatchObject([
    { step: 'lists' },
    { step: 'lists/whole', accounts: ['sub'] },
    { step: 'lists/each' },
  ]);
  expect(opened[2]).not.toHaveProperty('accounts');
});
