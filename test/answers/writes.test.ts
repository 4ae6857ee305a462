/** A write that is answered with the success code is done, whatever else its response holds. */
import { expect, test } from 'vitest';
import type { CallEvent } from '../../src/exchange/api/exchange.ts';
import { DoubtError, type Transport } from '../../src/exchange/api/exchange.ts';
import { entriesOf, live, openHarness, playbookFrom } from '../support/harness.ts';
import { limitOrder } from '../support/order.ts';
import { scripted, success } from '../support/scripted.ts';

const step = (uses: string, fields: string): string => `
playbook: 1
name: writes
steps:
  - id: it
    uses: ${uses}
    with:${fields}
`;

const writes = {
  'account/create-sub': step('account/create-sub', '\n      username: alpha'),
  'futures/set-all-leverage': step(
    'futures/set-all-leverage',
    '\n      productType: USDT-FUTURES\n      leverage: "5"',
  ),
  'futures/place-order': step('futures/place-order', limitOrder({ price: '41000.0' })),
};

/** A run whose write is answered with other data than the exchange gives. */
async function answered(operation: keyof typeof writes, data: string) {
  const on = await openHarness();
  let sent = 0;
  const wrap =
    (transport: Transport): Transport =>
    async (request, signal) => {
      const real = await transport(request, signal);
      if (request.operation !== operation) return real;
      sent += 1;
      const { requestTime } = JSON.parse(Buffer.from(real.body).toString());
      const text = `{"code":"00000","msg":null,"requestTime":${requestTime},"data":${data}}`;
      return { ...real, body: Buffer.from(text) };
    };
  const { status } = await live(on, playbookFrom(writes[operation]), { wrap });
  const last = entriesOf(on).findLast((entry) => entry.kind === 'settled');
  const outcome = last?.kind === 'settled' ? last.outcome : undefined;
  return { status, sent, outcome };
}

const sub = (fields: string): string =>
  `{"username":"alpha@virtual.example","subUid":"1234567890","status":"normal",${fields}}`;

test.each<[keyof typeof writes, string, unknown]>([
  ['account/create-sub', sub('"note":null'), { subUid: '1234567890', note: null }],
  ['account/create-sub', '{"subUid":9007199254740993,"new":true}', { subUid: '9007199254740993' }],
  ['account/create-sub', '{"subUid":17,"createdTime":-1}', { subUid: '17', createdTime: '' }],
  ['account/create-sub', 'null', {}],
  ['account/create-sub', '"ok"', { value: 'ok' }],
  ['account/create-sub', '[]', { value: [] }],
  ['futures/set-all-leverage', '{"result":"success"}', { result: 'success' }],
  ['futures/set-all-leverage', 'null', null],
  ['futures/set-all-leverage', '[]', []],
  ['futures/place-order', '{"orderId":null}', { orderId: null, clientOid: expect.any(String) }],
  ['futures/place-order', '{"orderId":1322441400976261120}', { orderId: '1322441400976261120' }],
  ['futures/place-order', 'null', { clientOid: expect.any(String) }],
])('%s answered with %s is done after one request', async (operation, data, output) => {
  const { status, sent, outcome } = await answered(operation, data);
  expect([status, sent]).toEqual(['done', 1]);
  const isObject = typeof output === 'object' && output !== null && !Array.isArray(output);
  expect(outcome).toMatchObject({ kind: 'done', evidence: 'answered' });
  const expected = isObject ? expect.objectContaining(output) : output;
  expect(outcome).toHaveProperty('output', expected);
  const raw = outcome?.kind === 'done' ? outcome.raw : undefined;
  expect(raw?.replaceAll('"', '')).toBe(data.replaceAll('"', ''));
});

test('an order answered as the interface says has no raw response in the journal', async () => {
  const on = await openHarness();
  await live(on, playbookFrom(writes['futures/place-order']));
  const last = entriesOf(on).findLast((entry) => entry.kind === 'settled');
  expect(last).not.toHaveProperty('outcome.raw');
});

test.each(['"FAILURE"', '{"result":"failure"}', '["Failure"]'])(
  'a set that is answered with %s is refused',
  async (data) => {
    const { status, sent, outcome } = await answered('futures/set-all-leverage', data);
    expect([status, sent, outcome?.kind]).toEqual(['stopped', 1, 'refused']);
  },
);

test('an order that is answered with the clientOid of another is in doubt', async () => {
  const { client, requests } = scripted(() => success({ orderId: '1', clientOid: 'another' }));
  const order = {
    symbol: 'BTCUSDT',
    productType: 'USDT-FUTURES',
    marginMode: 'crossed',
    marginCoin: 'USDT',
    size: '0.010',
    side: 'buy',
    orderType: 'market',
    clientOid: 'mine',
  } as const;
  await expect(client.call('futures/place-order', order)).rejects.toBeInstanceOf(DoubtError);
  expect(requests).toHaveLength(1);
});

test.each([
  ['hedge_mode', 'write tradeSide: open or close, and remove reduceOnly'],
  ['one_way_mode', 'remove tradeSide, and close with reduceOnly: YES'],
])(
  'an order that does not fit %s is refused with the mode of this account',
  async (mode, advice) => {
    const on = await openHarness();
    let sent = 0;
    const wrap =
      (transport: Transport): Transport =>
      async (request, signal) => {
        const { requestTime } = JSON.parse(
          Buffer.from((await transport(request, signal)).body).toString(),
        );
        const isOrder = request.operation === 'futures/place-order';
        if (isOrder) sent += 1;
        const data = { list: [{ orderId: '7', clientOid: 'bot', holdMode: mode }], cursor: null };
        const fields = isOrder ? { code: '40774', data: null } : { code: '00000', data };
        const body = Buffer.from(JSON.stringify({ ...fields, msg: 'no field', requestTime }));
        return { status: isOrder ? 400 : 200, headers: {}, body };
      };
    const only: typeof wrap = (transport) => async (request, signal) =>
      /^order\/|place-order/.test(request.operation)
        ? wrap(transport)(request, signal)
        : transport(request, signal);
    const { status } = await live(on, playbookFrom(writes['futures/place-order']), { wrap: only });
    const last = entriesOf(on).findLast((entry) => entry.kind === 'settled');
    expect([status, sent]).toEqual(['stopped', 1]);
    expect(last).toHaveProperty('outcome.code', '40774');
    expect(last).toHaveProperty(
      'outcome.hint',
      `this account is in ${mode}, by its USDT-FUTURES orders: ${advice}`,
    );
  },
);

test('a secret that a response repeats is masked in the raw response', async () => {
  const events: CallEvent[] = [];
  const { client } = scripted(({ headers }) =>
    success({ subUid: '1', note: headers['ACCESS-KEY'], extra: headers['ACCESS-SIGN'] }),
  );
  const onEvent = (event: CallEvent): void => void events.push(event);
  await client.call('account/create-sub', { username: 'alpha' }, { onEvent });
  const last = events.at(-1);
  expect(last).toHaveProperty('raw', expect.stringContaining('•••'));
  expect(JSON.stringify(last)).not.toContain('key-0123456789abcdef');
});
