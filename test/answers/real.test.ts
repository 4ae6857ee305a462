/** A sandbox with the quirk `answers: real`: each form occurs, and orders, resumes and exports end as without it. */
import { expect, test } from 'vitest';
import { day, standingClock } from '../../src/base/clock.ts';
import type { OperationName } from '../../src/exchange/api/operations/index.ts';
import type { Json } from '../../src/base/json.ts';
import { realAnswer } from '../../src/sandbox/gateway/real-answer.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { unsigned } from '../sandbox/support.ts';
import { limitOrder } from '../support/order.ts';
import { live, openHarness, ordersPlaced, playbookFrom } from '../support/harness.ts';
import {
  exported,
  nameOf,
  openLivedHarness,
  since,
  timedLists,
  type Exported,
} from '../support/lived.ts';
import type { Transport } from '../../src/exchange/api/exchange.ts';

const makeReal = (sandbox: Sandbox): unknown =>
  sandbox.control('POST', 'config', { quirks: { answers: 'real' } });

/** What a response is written as, over many seeds. */
function formsOf(name: OperationName, data: Json): readonly string[] {
  const seeds = Array.from({ length: 600 }, (_none, index) => index + 1);
  return seeds.map((seed) => realAnswer(name, data, { seed, name: '/', size: 100 }));
}

test('an empty list has every form', () => {
  expect(new Set(formsOf('order/list-open', { list: [], cursor: '' }))).toEqual(
    new Set([
      '',
      'null',
      ...['"list":[]', '"list":null', ''].flatMap((list) =>
        ['"cursor":null', '"cursor":""', ''].map(
          (cursor) => `{${[list, cursor].filter(Boolean).join(',')}}`,
        ),
      ),
    ]),
  );
  expect(formsOf('futures/list-bills', { bills: [], endId: '' })).toContain(
    '{"bills":null,"endId":null}',
  );
  expect(new Set(formsOf('loan/list-orders', []))).toEqual(new Set(['', '[]', 'null']));
});

const id = '1316461208563097600';
const row = {
  orderId: id,
  clientOid: 'mine',
  symbol: 'BTCUSDT',
  orderType: 'market',
  price: '',
  qty: '0.1',
  amount: '',
  cumExecQty: '0',
  orderStatus: 'live',
  timeInForce: 'gtc',
  holdMode: 'hedge_mode',
  feeDetail: null,
  createdTime: '1764400000000',
  updatedTime: '',
};

test.each([
  `"orderId":${id}`,
  `"orderId":"${id}"`,
  '"createdTime":1764400000000',
  '"createdTime":"1764400000000"',
  '"updatedTime":""',
  '"updatedTime":"0"',
  '"updatedTime":"-1"',
  '"updatedTime":null',
  '"amount":""',
  '"amount":null',
  '"price":""',
  '"price":"0"',
  '"timeInForce":"fok"',
  '"feeDetail":[{"feeCoin":"","fee":""}]',
  '"feeDetail":null',
  '"feeDetail":[]',
  '"extField":',
  `"cursor":${id}`,
  `"cursor":"${id}"`,
  '"cursor":"1316461208563097599"',
])('a row and its page have the form %s in some responses', (form) => {
  expect(
    formsOf('order/list-open', { list: [row], cursor: id }).some((text) => text.includes(form)),
  ).toBe(true);
});

test('needed fields, names and times are always there, and some fields that are not are absent', () => {
  const texts = formsOf('order/list-open', { list: [row], cursor: id });
  for (const text of texts) {
    expect(text).toMatch(/"qty":"0.1"/);
    expect(text).toMatch(/"clientOid":"mine"/);
    expect(text).toMatch(/"createdTime":"?1764400000000"?/);
  }
  expect(texts.some((text) => !text.includes('"amount"'))).toBe(true);
  const customers = formsOf('agent/list-customers', [
    { uid: '12345', registerTime: '1764400000000' },
  ]);
  expect(customers.some((text) => text.includes('"uid":12345'))).toBe(true);
  expect(customers.some((text) => text.includes('"uid":"12345"'))).toBe(true);
});

test('a full page keeps its cursor, and equal seeds give equal forms', () => {
  const full = { seed: 3, name: '/', size: 1 };
  for (let seed = 1; seed <= 100; seed++) {
    const text = realAnswer('order/list-open', { list: [row], cursor: id }, { ...full, seed });
    expect(text).toMatch(new RegExp(`"cursor":"?${id}`));
    expect(realAnswer('order/list-open', { list: [row], cursor: id }, { ...full, seed })).toBe(
      text,
    );
  }
});

test('the quirk is off by default, and changes responses from then on', async () => {
  const sandbox = await openSandbox({ clock: standingClock(Date.UTC(2026, 10, 21)) });
  const ask = () =>
    Buffer.from(
      sandbox.handle(unsigned('market/list-tickers', { category: 'USDT-FUTURES' })).body,
    ).toString();
  const before = ask();
  expect(ask()).toBe(before);
  expect(sandbox.control('GET', 'config')).toMatchObject({ quirks: { answers: 'interface' } });
  makeReal(sandbox);
  const after = ask();
  expect(after).not.toBe(before);
  expect(ask()).toBe(after);
  expect(() => sandbox.control('POST', 'config', { quirks: { answers: 'odd' } })).toThrow();
});

const ladder = playbookFrom(`
playbook: 1
name: ladder
steps:
  - id: bids
    for-each: [1, 2, 3, 4, 5]
    uses: futures/place-order
    with:${limitOrder({ price: '41000.0' })}
  - id: open
    uses: order/list-open
    with: { category: USDT-FUTURES }
`);

test.each([1, 2, 3, 4, 5, 6])('orders and a resume end as without it, world %i', async (seed) => {
  const harness = await openHarness();
  const on = { ...harness, sandbox: await openSandbox({ clock: harness.clock, seed }) };
  makeReal(on.sandbox);
  const before = await ordersPlaced(on);
  let writes = 0;
  const wrap =
    (transport: Transport): Transport =>
    async (request, signal) => {
      const response = await transport(request, signal);
      if (request.operation !== 'futures/place-order' || ++writes !== 3) return response;
      throw new Error('the process ends here');
    };
  await live(on, ladder, { wrap }).catch(() => undefined);
  on.clock.advance(60_000);
  const { status } = await live(on, ladder);
  expect(status).toBe('done');
  const placed = [...(await ordersPlaced(on))].filter(([name]) => !before.has(name));
  expect(placed.map(([, times]) => times)).toEqual([1, 1, 1, 1, 1]);
});

test('every list is exported with the rows and the values that it has without it', async () => {
  const on = await openLivedHarness();
  const now = on.clock.now();
  let isOdd = false;
  for (const [operation, fields] of timedLists) {
    const input = { ...fields, startTime: String(Math.max(since(operation, now), now - 10 * day)) };
    on.sandbox.control('POST', 'config', { quirks: { answers: 'interface' } });
    const before = await exported(on, operation, input);
    makeReal(on.sandbox);
    const after = await exported(on, operation, input);
    const names = ({ rows }: { readonly rows: readonly Exported[] }) =>
      rows.map((each) => nameOf(operation, each));
    expect(names(after), operation).toEqual(names(before));
    for (const [at, each] of before.rows.entries()) {
      for (const [field, value] of Object.entries(each)) {
        const came = after.rows[at]?.[field];
        if (came === value || JSON.stringify(came) === JSON.stringify(value)) continue;
        isOdd = true;
        const isTime = field === 'timeInForce' || field === 'price';
        const isNone = came === undefined || came === null || came === '' || field === 'feeDetail';
        expect(isNone || isTime, `${operation} ${field} ${String(value)} ${String(came)}`).toBe(
          true,
        );
      }
    }
  }
  expect(isOdd).toBe(true);
});
