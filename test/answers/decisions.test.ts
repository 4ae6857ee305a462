/** One odd value in one row is noticed only by the decisions that read it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TransportError, type Transport } from '../../src/exchange/api/exchange.ts';
import { isNeeded } from '../../src/exchange/api/schema.ts';
import { rowFields } from '../../src/exchange/api/row-schema.ts';
import { entriesOf, live, openHarness, planOn, playbookFrom } from '../support/harness.ts';
import { limitOrder } from '../support/order.ts';

type Row = Record<string, unknown>;

const bid = playbookFrom(`
playbook: 1
name: bids
steps:
  - id: bid
    uses: futures/place-order
    with:${limitOrder({ price: '41000.0' })}
`);

/** Passes the rows of some operations through a change. */
const changing =
  (operations: RegExp, change: (rows: Row[]) => Row[]) =>
  (transport: Transport): Transport =>
  async (request, signal) => {
    const answer = await transport(request, signal);
    if (!operations.test(request.operation)) return answer;
    const envelope = JSON.parse(Buffer.from(answer.body).toString());
    const { data } = envelope;
    const changed = Array.isArray(data) ? change(data) : { ...data, list: change(data.list) };
    return { ...answer, body: Buffer.from(JSON.stringify({ ...envelope, data: changed })) };
  };

const absent = Symbol('absent');
const values = [null, '', 0, 2 ** 53, '1E+3', 'x', true, [], {}, absent] as const;

function spoiled(row: Row, field: string, value: unknown): Row {
  const { [field]: _was, ...rest } = row;
  return value === absent ? rest : { ...rest, [field]: value };
}

const tickerFields = [...rowFields('market/list-tickers').keys()];
const orderFields = [...rowFields('order/list-open').keys()];

test('a plan does not notice an odd value in the ticker of another symbol', async () => {
  const expected = JSON.stringify(await planOn(await openHarness(), bid));
  for (const field of tickerFields.filter((name) => name !== 'symbol')) {
    for (const value of values) {
      const on = await openHarness();
      const wrap = changing(/tickers/, (rows) => [
        spoiled({ ...rows[0], symbol: 'NEWUSDT' }, field, value),
        ...rows,
      ]);
      expect(JSON.stringify(await planOn(on, bid, new Map(), [], true, wrap))).toBe(expected);
    }
  }
}, 60_000);

test('the plan of an order says which field of its ticker it could not read', async () => {
  const on = await openHarness();
  const wrap = changing(/tickers/, (rows) =>
    rows.map((row) => (row['symbol'] === 'BTCUSDT' ? { ...row, markPrice: null } : row)),
  );
  const plan = await planOn(on, bid, new Map(), [], true, wrap);
  expect(JSON.stringify(plan.quotes)).toContain('the mark price of BTCUSDT is');
});

/** A run whose order is executed and whose answer is lost, on lists with changed rows. */
async function lookedUp(change: (rows: Row[]) => Row[]) {
  const on = await openHarness();
  let sent = 0;
  const wrap = (transport: Transport): Transport => {
    const changed = changing(/^order\//, change)(transport);
    return async (request, signal) => {
      const answer = await changed(request, signal);
      if (request.operation !== 'futures/place-order') return answer;
      sent += 1;
      throw new TransportError('the connection was reset', 'maybe');
    };
  };
  const { status } = await live(on, bid, { onDoubt: 'resend', wrap });
  const last = entriesOf(on).findLast((entry) => entry.kind === 'settled');
  return { status, sent, outcome: last?.kind === 'settled' ? last.outcome : undefined };
}

const isOurs = ({ clientOid }: Row): boolean => String(clientOid).startsWith('dh');

test('our lost order is found, whatever is odd in the row of another tool', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...orderFields),
      fc.constantFrom(...values),
      fc.boolean(),
      async (field, value, isBefore) => {
        const { status, sent } = await lookedUp((rows) => {
          const other = { ...rows[0], orderId: '1', clientOid: 'bot-1', symbol: 'ETHUSDT' };
          const odd = rows.length === 0 ? [] : [spoiled(other, field, value)];
          return isBefore ? [...odd, ...rows] : [...rows, ...odd];
        });
        expect([status, sent]).toEqual(['done', 1]);
      },
    ),
    { numRuns: 60 },
  );
}, 120_000);

test('our lost order with an odd value is found, or stays in doubt; it is never sent again', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...orderFields),
      fc.constantFrom(...values),
      async (field, value) => {
        const { status, sent } = await lookedUp((rows) =>
          rows.map((row) => (isOurs(row) ? spoiled(row, field, value) : row)),
        );
        expect(sent).toBe(1);
        const isRead = isNeeded(rowFields('order/list-open').get(field) ?? {});
        if (!isRead) expect(status).toBe('done');
      },
    ),
    { numRuns: 60 },
  );
}, 120_000);

test('a field of our own order that cannot be read is named in the doubt', async () => {
  const { status, sent, outcome } = await lookedUp((rows) =>
    rows.map((row) => (isOurs(row) ? { ...row, qty: null } : row)),
  );
  expect([status, sent]).toEqual(['doubt', 1]);
  expect(JSON.stringify(outcome)).toMatch(/qty of order \d+ is null/);
});

test('an order without a readable clientOid that may be ours is not placed again', async () => {
  const on = await openHarness();
  await live(on, bid);
  const playbook = playbookFrom(`
playbook: 1
name: bids
steps:
  - id: bid
    uses: futures/place-order
    once-per: playbook
    with:${limitOrder({ price: '41000.0' })}
`);
  const wrap = changing(/^order\//, (rows) => rows.map((row) => ({ ...row, clientOid: null })));
  await expect(planOn(on, playbook, new Map(), [], true, wrap)).rejects.toThrow(
    /clientOid of order \d+ is null/,
  );
  const other = changing(/^order\//, (rows) =>
    rows.map((row) => ({ ...row, clientOid: null, qty: '7' })),
  );
  const plan = await planOn(on, playbook, new Map(), [], true, other);
  expect(plan.totals.create).toBe(1);
  // A name that its run makes for the first time cannot be that of an order that is there.
  const another = await planOn(on, bid, new Map(), [], true, wrap);
  expect(another.totals.create).toBe(1);
});
