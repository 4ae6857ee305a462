/** Nothing, in every form that answers have it in, is no rows and no next page. */
import { describe, expect, test } from 'vitest';
import { readAnswer } from '../../src/exchange/api/read-answer.ts';
import { readAll } from '../../src/exchange/api/reading.ts';
import { answer, scripted, startOfTest } from '../support/scripted.ts';
import { emptiesOf } from '../support/empties.ts';
import { listNames, lists } from '../support/inputs.ts';
import { limitOrder } from '../support/order.ts';
import { openHarness, live, planOn, playbookFrom } from '../support/harness.ts';
import type { Transport } from '../../src/exchange/api/exchange.ts';

const cases = listNames.flatMap((name) => emptiesOf(name).map((data) => ({ name, data })));

test.each(cases)('$name answered with $data has no rows', async ({ name, data }) => {
  const field = data === '' ? '' : `,"data":${data}`;
  const { client, requests } = scripted(() =>
    answer(`{"code":"00000","msg":"success","requestTime":${startOfTest}${field}}`),
  );
  const read = await readAll(name, lists[name].input, {
    exchange: client,
    options: {},
    now: startOfTest,
  });
  expect(read.rows).toBe(0);
  expect(requests).toHaveLength(read.calls);
});

test.each([null, '', [], {}, { riskReserveRecords: null }, { riskReserveRecords: '' }])(
  'a reserve without records, and discount rates without rates: %j',
  (data) => {
    expect(readAnswer('market/get-risk-reserve', data).answer.riskReserveRecords).toEqual([]);
    if (data !== null && typeof data === 'object' && Object.keys(data).length > 0) return;
    expect(readAnswer('market/list-discount-rates', data).answer).toEqual([]);
  },
);

test('a list that is no list is an error, and so is a cursor that is neither text nor number', () => {
  for (const data of [{ list: { a: 1 } }, { list: 'rows' }, [1], 7, { list: [], cursor: [1] }]) {
    expect(() => readAnswer('order/list-open', data)).toThrow(/violates the API schema/);
  }
});

describe('an account whose order lists answer with nothing', () => {
  const bid = playbookFrom(`
playbook: 1
name: bids
steps:
  - id: bid
    uses: futures/place-order
    with:${limitOrder({ price: '41000.0' })}
`);
  test.each(['{"list":[],"cursor":null}', '{"list":null,"cursor":null}', 'null', '{}'])(
    'plans and places its first order after %s',
    async (data) => {
      const on = await openHarness();
      const sent: string[] = [];
      const wrap =
        (transport: Transport): Transport =>
        async (request, signal) => {
          const real = await transport(request, signal);
          sent.push(request.operation);
          if (!request.operation.startsWith('order/')) return real;
          const { requestTime } = JSON.parse(Buffer.from(real.body).toString());
          const text = `{"code":"00000","msg":"success","requestTime":${requestTime},"data":${data}}`;
          return { ...real, body: Buffer.from(text) };
        };
      const plan = await planOn(on, bid, new Map(), [], true, wrap);
      expect(plan.totals.create).toBe(1);
      expect((await live(on, bid, { wrap })).status).toBe('done');
      expect(sent.filter((name) => name === 'futures/place-order')).toHaveLength(1);
    },
  );
});
