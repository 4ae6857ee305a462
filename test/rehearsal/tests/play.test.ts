/** Every kind of expectation, true and false, on the sandbox. */
import { describe, expect, test } from 'vitest';
import { limitOrder } from '../../support/order.ts';
import { played, testsOf, mismatchLines } from './support.ts';

/** What differs in one test with this body. */
async function of(body: string): Promise<readonly string[]> {
  return mismatchLines(await played(testsOf(`  - name: it\n${body.replace(/^/gm, '    ')}`)));
}

describe('a test that is correct passes', () => {
  test.each([
    ['outcome and exit', 'expect: { outcome: done, exit: 0 }'],
    ['part of a plan', 'expect: { plan: { includes: { "orders[40000]": { price: "40000.0" } } } }'],
    [
      'a whole plan',
      'expect: { plan: { writes: { leverage: { leverage: 5 }, "orders[39000]": {}, "orders[40000]": {} } } }',
    ],
    ['states', 'expect: { journal: { leverage: done, orders: done, "orders[39000]": done } }'],
    ['orders', 'expect: { orders: [{ price: 39000 }, { price: 40000, qty: "0.01" }] }'],
    [
      'positions whose leverage was set',
      'expect: { positions: [{ symbol: ETHUSDT, leverage: 5 }, { symbol: BTCUSDT }] }',
    ],
    ['a file', 'expect: { files: { out/tickers.csv: { text: "symbol\\r\\nBTCUSDT\\r\\n" } } }'],
    ['parts of a file', 'expect: { files: { out/tickers.csv: { contains: [symbol, BTC] } } }'],
    ['lines of a file', 'expect: { files: { out/tickers.csv: { lines: 2 } } }'],
    ['no file', 'expect: { files: { out/other.csv: absent } }'],
    ['outputs', 'expect: { outputs: { size: "0.010" } }'],
    ['an input', 'inputs: { size: 0.020 }\nexpect: { orders: [{ qty: "0.02" }, { qty: "0.02" }] }'],
    [
      'a guard that holds the plan back',
      'inputs: { size: 1 }\nexpect: { outcome: not-started, exit: 5, error: guard, orders: [] }',
    ],
    [
      'an input that cannot be used',
      'inputs: { sise: 1 }\nexpect: { outcome: not-started, exit: 3, error: invalid }',
    ],
    [
      'a refusal, and the notice nobody got',
      'faults: [{ match: { operation: futures/set-all-leverage }, action: { kind: status, status: 400, code: "40014" } }]\nexpect: { outcome: stopped, exit: 4, error: 40014, journal: { leverage: refused, orders: not-sent }, notices: [stopped at leverage] }',
    ],
    [
      'a notice by its parts',
      'faults: [{ match: { operation: futures/set-all-leverage }, action: { kind: status, status: 400, code: "40014" } }]\nexpect: { notices: [{ text: stopped at leverage }] }',
    ],
    [
      'an order the account is not set for',
      'world: { account: readonly }\nexpect: { outcome: not-started, exit: 3, error: invalid, orders: [] }',
    ],
    [
      'a second run',
      'expect: { plan: { unchanged: [] } }\nagain: { plan: { unchanged: [leverage, "orders[40000]", "orders[39000]"] }, journal: { "orders[40000]": found }, orders: [] }',
    ],
    [
      'an order of somebody else is not among those of the run',
      'world: { scenario: { orders: [{ uid: hedge, category: USDT-FUTURES, symbol: BTCUSDT, side: buy, orderType: limit, size: "0.01", price: "30000", tradeSide: open }] } }\nexpect: { orders: [{}, {}] }',
    ],
  ])('%s', async (_what, body) => {
    expect(await of(body)).toEqual([]);
  });
});

test.each([
  [
    'unified',
    'trade/place-order',
    'category: USDT-FUTURES, symbol: BTCUSDT, side: buy, posSide: long, orderType: limit, qty: "0.01", price: "40000"',
  ],
  [
    'hedge',
    'futures/place-order',
    'symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT, side: buy, tradeSide: open, orderType: limit, size: "0.01", price: "40000"',
  ],
])(
  'with families split, account %s looks up a lost %s in its family',
  async (role, uses, order) => {
    const playbook = `playbook: 1\nname: one\nsteps:\n  - id: order\n    uses: ${uses}\n    with: { ${order} }\n`;
    const fault = `{ match: { operation: ${uses} }, when: after-commit, times: 1, action: { kind: reset } }`;
    const world = `{ account: ${role}, scenario: { config: { quirks: { splitFamilies: true } } } }`;
    const text = `playbook-test: 1\nplaybook: one.yaml\nworld: ${world}\ntests:\n  - name: it\n    faults: [${fault}]\n    expect: { outcome: done, orders: [{ price: 40000 }] }\n`;
    expect(mismatchLines(await played(text, { 'one.yaml': playbook }))).toEqual([]);
  },
);

const positionsAfter = async (order: string, expected: string): Promise<readonly string[]> => {
  const playbook = `playbook: 1
name: one
steps:
  - id: order
    uses: futures/place-order
    with: { symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT, orderType: market, ${order} }
`;
  const text = `playbook-test: 1\nplaybook: one.yaml\ntests:\n  - name: it\n    expect: { outcome: done, positions: ${expected} }\n`;
  return mismatchLines(await played(text, { 'one.yaml': playbook }));
};

test.each([
  ['opened', 'side: sell, tradeSide: open, size: "0.01"', '[{ posSide: short, total: 0.01 }]'],
  ['changed', 'side: buy, tradeSide: open, size: "0.01"', '[{ posSide: long, total: 0.03 }]'],
  ['closed', 'side: buy, tradeSide: close, size: "0.02"', '[{ posSide: long, total: 0 }]'],
])('a position that was %s is compared as it is at the end', async (_how, order, expected) => {
  expect(await positionsAfter(order, expected)).toEqual([]);
  const other = expected.replace(/total: \S+/, 'total: 7');
  expect(await positionsAfter(order, other)).toMatchSnapshot();
});

const mailing = `playbook: 1
name: mailing
steps:
  - id: tickers
    uses: market/list-tickers
    with: { category: SPOT, symbol: BTCUSDT }
    write: { file: "out/tickers.csv", columns: { symbol: "{{ row.symbol }}" } }
  - id: page
    uses: report/page
    with: { file: out/page.html, parts: [{ table: tickers }] }
  - id: mail
    needs: [page]
    uses: notify/webhook
    with:
      url: "{{ secrets.MAIL }}"
      subject: "Prices of {{ steps.tickers.rows }} symbol"
      text: Good morning
      page: page
      attach: ["{{ steps.tickers.file }}"]
  - id: chat
    uses: notify/webhook
    with: { url: "{{ secrets.CHAT }}", text: prices, table: tickers }
`;

/** What differs from the notices of the playbook above. */
async function ofNotices(expected: string): Promise<readonly string[]> {
  const text = `playbook-test: 1\nplaybook: mailing.yaml\ntests:\n  - { name: it, expect: { notices: ${expected} } }\n`;
  return mismatchLines(await played(text, { 'mailing.yaml': mailing }));
}

test('a notice is compared by its text, or by the parts that a test names', async () => {
  const mail =
    '{ subject: Prices of 1 symbol, page: out/page.html, attach: [out/tickers.csv], text: Good morning }';
  expect(await ofNotices(`[${mail}, { table: [[symbol], [BTCUSDT]] }]`)).toEqual([]);
  expect(await ofNotices('[Good morning, prices]')).toEqual([]);
  expect(await ofNotices('[{ attach: [out/other.csv] }, { subject: x }]')).toMatchInlineSnapshot(`
    [
      "4 notices.0.attach.0: out/other.csv / out/tickers.csv",
      "4 notices.1.subject: x / nothing",
    ]
  `);
});

describe('a failed expectation is reported with its line', () => {
  test.each([
    ['outcome', 'expect: { outcome: stopped }'],
    ['exit', 'expect: { exit: 1 }'],
    ['why it stopped', 'inputs: { size: 1 }\nexpect: { outcome: done }'],
    ['error', 'expect: { error: guard }'],
    [
      'a value of the plan',
      'expect: { plan: { includes: { "orders[40000]": { price: "41000" } } } }',
    ],
    [
      'a write too few',
      'expect:\n  plan:\n    writes:\n      "orders[40000]": { size: "0.01" }\n      leverage: {}',
    ],
    ['a write too many', 'expect: { plan: { includes: { "orders[1]": { price: "1" } } } }'],
    ['unchanged', 'expect: { plan: { unchanged: [leverage] } }'],
    ['no plan', 'inputs: { sise: 1 }\nexpect: { plan: { writes: {} } }'],
    ['a state', 'expect: { journal: { leverage: refused } }'],
    ['an address nobody knows', 'expect: { journal: { nothing: done } }'],
    ['an order too few', 'expect: { orders: [{ price: 40000 }] }'],
    [
      'an order too many',
      'expect: { orders: [{ price: 40000 }, { price: 39000 }, { price: 38000 }] }',
    ],
    ['another order', 'expect: { orders: [{ price: 40000 }, { price: 38000 }] }'],
    ['no order', 'expect: { orders: [] }'],
    ['a position that is not there', 'expect: { positions: [{ symbol: NOSUCHUSDT }] }'],
    ['a file that is not there', 'expect: { files: { out/other.csv: {} } }'],
    ['a file that is there', 'expect: { files: { out/tickers.csv: absent } }'],
    [
      'text of a file',
      'expect: { files: { out/tickers.csv: { text: "symbol\\r\\nETHUSDT\\r\\n" } } }',
    ],
    ['text that is missing', 'expect: { files: { out/tickers.csv: { contains: ETH } } }'],
    ['lines', 'expect: { files: { out/tickers.csv: { lines: 3 } } }'],
    ['outputs', 'expect: { outputs: { size: 1, other: 2 } }'],
    ['notices', 'expect: { notices: [stopped] }'],
    ['the second run', 'expect: {}\nagain: { journal: { "orders[40000]": done } }'],
  ])('%s', async (_what, body) => {
    expect(await of(body)).toMatchSnapshot();
  });
});

describe('faults', () => {
  test('an order whose response was lost is looked up and exists once', async () => {
    const fault =
      '{ match: { operation: futures/place-order }, times: 1, when: after-commit, action: { kind: reset } }';
    expect(await of(`faults: [${fault}]\nexpect: { outcome: done, orders: [{}, {}] }`)).toEqual([]);
  });

  test('apply to the run and not to the plan before it', async () => {
    const body = `faults:
  - match: { operation: market/list-tickers, nth: 1 }
    action: { kind: status, status: 400, code: "40034" }
expect: { outcome: stopped, error: 40034, journal: { orders: done } }`;
    expect(await of(body)).toEqual([]);
  });

  test('an order in doubt is not sent again with on-doubt: ask', async () => {
    const body = `world: { on-doubt: ask }
faults:
  - match: { operation: futures/place-order }
    times: 1
    action: { kind: reset }
expect: { outcome: doubt, exit: 6, journal: { "orders[40000]": doubt }, orders: [] }`;
    expect(await of(body)).toEqual([]);
  });

  test('a second run compares what is set on an account with that account only', async () => {
    const desks = `playbook: 1
name: desks
steps:
  - id: leverage
    for-each: { alpha: "3", bravo: "5" }
    account: "{{ each.key }}"
    uses: futures/set-all-leverage
    once-per: playbook
    with: { productType: USDT-FUTURES, leverage: "{{ each.value }}" }
`;
    const body = `world: { accounts: { alpha: hedge, bravo: leader } }
  again: { plan: { writes: {} } }
  expect: { outcome: done }`;
    const text = testsOf(`  - name: it\n${body.replace(/^/, '  ').replace(/^/gm, '  ')}`);
    expect(mismatchLines(await played(text, { 'small.yaml': desks }))).toEqual([]);
  });

  test('programs are not started, and print what the world says', async () => {
    const calling = `playbook: 1
name: small
account: main
guards: { accounts: [main] }
steps:
  - { id: size, uses: shell/run, with: { command: [no-such-program, --size] } }
  - { id: told, uses: shell/run, with: { command: [other, "{{ steps.size.response.stdout }}"] } }
outputs: { size: "{{ steps.size.response.stdout }}", other: "{{ steps.told.response.stdout }}" }
`;
    const body = `  - name: it
    world: { programs: { no-such-program: "0.5" } }
    expect: { outcome: done, outputs: { size: "0.5", other: "" } }
`;
    expect(mismatchLines(await played(testsOf(body), { 'small.yaml': calling }))).toEqual([]);
  });

  test.each([
    ['approves', '{}', '{ outcome: done, orders: [{ price: "40000" }] }'],
    ['declines', '{ consent: decline }', '{ exit: 5, error: declined, orders: [] }'],
    ['ends the time', '{ consent: none }', '{ error: unanswered, journal: { bid: not-sent } }'],
  ])('nobody is asked: the world %s', async (_what, answers, expected) => {
    const asking = `playbook: 1
name: small
steps:
  - { id: consent, uses: approve, with: { text: "Go on?", by: [ben@desk.example], for: 7d } }
  - id: bid
    uses: futures/place-order
    with:${limitOrder({ price: '40000', size: '0.01' })}
`;
    const body = `  - name: it\n    world: { answers: ${answers} }\n    expect: ${expected}\n`;
    expect(mismatchLines(await played(testsOf(body), { 'small.yaml': asking }))).toEqual([]);
  });

  test('minutes of waiting take no time', async () => {
    const body = `faults: [{ match: { operation: market/list-tickers }, action: { kind: never } }]
expect: { outcome: stopped, journal: { tickers: failed } }`;
    expect(await of(body)).toEqual([]); // with real waits the test would time out
  });
});

describe('a test that cannot be run', () => {
  test.each([
    ['expects nothing', 'expect: {}'],
    [
      'has a command the sandbox refuses',
      'world: { commands: [{ orders/cancel: { orderId: "1" } }] }\nexpect: { outcome: done }',
    ],
    [
      'has a scenario the sandbox refuses',
      'world: { scenario: { market: [{ category: SPOT, symbol: XY }] } }\nexpect: { outcome: done }',
    ],
  ])('%s', async (_what, body) => {
    expect(await of(body)).toMatchSnapshot();
  });
});

test('two runs of one test give the same result', async () => {
  const body =
    'faults: [{ match: { probability: 0.3 }, action: { kind: html-502 } }]\nexpect: { orders: [], outputs: { size: 2 } }';
  expect(await of(body)).toEqual(await of(body));
});

describe('steps on other accounts', () => {
  const two = `playbook: 1
name: two
steps:
  - id: bid
    account: mirror
    uses: futures/place-order
    with: { symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT, side: buy, tradeSide: open, orderType: limit, price: 40000, size: 0.01 }
`;
  const it = (body: string): string =>
    testsOf(`  - name: it\n${body.replace(/^/gm, '    ')}`).replace('small.yaml', 'two.yaml');

  test('use the keys that the test names for them, and their orders are compared', async () => {
    const body =
      'world: { accounts: { mirror: leader } }\nexpect: { outcome: done, orders: [{ account: mirror, price: 40000 }] }';
    expect(mismatchLines(await played(it(body), { 'two.yaml': two }))).toEqual([]);
    const other = body.replace('account: mirror', 'account: hedge');
    expect(mismatchLines(await played(it(other), { 'two.yaml': two }))).toEqual([
      '6 orders.0.account: hedge / mirror',
    ]);
  });

  test('that the test does not name are reported', async () => {
    const body = 'expect: { outcome: not-started, exit: 3, error: config }';
    expect(mismatchLines(await played(it(body), { 'two.yaml': two }))).toEqual([]);
  });
});
