/** What deviates from the interface is carried as it came, and reported by field. */
import { expect, test } from 'vitest';
import { readAnswer } from '../../src/exchange/api/read-answer.ts';
import { parseExact, type Json } from '../../src/base/json.ts';
import { operationNames, operationOf } from '../../src/exchange/api/operations/index.ts';
import { decode } from '../../src/exchange/api/wire.ts';
import { rowFields } from '../../src/exchange/api/row-schema.ts';
import { readAll } from '../../src/exchange/api/reading.ts';
import { answer, scripted, startOfTest, success } from '../support/scripted.ts';
import { listNames, lists } from '../support/inputs.ts';

const bill = {
  billId: '1111499428100472833',
  symbol: '',
  amount: '-11.64958799',
  fee: '0',
  feeByCoupon: '',
  businessType: 'trans_to_exchange',
  coin: 'USDT',
  balance: '5',
  cTime: '1764000000000',
};

const without = (field: string): Record<string, string> =>
  Object.fromEntries(Object.entries(bill).filter(([name]) => name !== field));

test.each<[string, Json, object, object[]]>([
  ['as declared', bill, bill, []],
  ['an absent field', without('balance'), without('balance'), [['balance', 'absent']]],
  ['null', { ...bill, balance: null }, { balance: null }, [['balance', 'null']]],
  ['an empty text', { ...bill, amount: '' }, { amount: '' }, [['amount', 'empty']]],
  ['another number format', { ...bill, amount: '1E+3' }, { amount: '1E+3' }, [['amount', 'text']]],
  ['a number', { ...bill, amount: 5 }, { amount: '5' }, [['amount', 'number']]],
  ['a number as time', { ...bill, cTime: 17 }, { cTime: '17' }, [['cTime', 'number']]],
  ['no time as null', { ...bill, cTime: null }, { cTime: '' }, [['cTime', 'null']]],
  ['no time as -1', { ...bill, cTime: '-1' }, { cTime: '' }, [['cTime', 'text']]],
  ['no time as a number', { ...bill, cTime: -1 }, { cTime: '' }, [['cTime', 'number']]],
  ['no time as 0', { ...bill, cTime: '0' }, { cTime: '' }, []],
  ['an object', { ...bill, coin: { a: 1 } }, { coin: { a: 1 } }, [['coin', 'object']]],
  ['a new field', { ...bill, taxed: false }, { taxed: false }, [['taxed', 'undeclared']]],
])('a bill with %s', (_, row, shown, fields) => {
  const { answer: read, deviations } = readAnswer('futures/list-bills', {
    bills: [row],
    endId: '',
  });
  expect(read.bills[0]).toMatchObject(shown);
  expect(deviations).toEqual(
    fields.map((field) => {
      const [name, came] = Object.values(field);
      return { field: `bills[].${name}`, came, count: 1 };
    }),
  );
});

test('a row that is not an object is a row with one field', () => {
  const { answer: read, deviations } = readAnswer('market/list-tickers', [null, 'x', [1]]);
  expect(read).toEqual([{}, { value: 'x' }, { value: [1] }]);
  expect(deviations.map(({ came }) => came)).toEqual(['null', 'text', 'list']);
});

test('a number that JavaScript would round is reported as a number, with its digits', () => {
  const text = '{"bills":[{"billId":1111499428100472833,"amount":0.10}],"endId":9007199254740993}';
  const { value, rounded } = parseExact(text, () => 0);
  const { answer: read, deviations } = readAnswer('futures/list-bills', value, rounded);
  expect(read).toMatchObject({
    bills: [{ billId: '1111499428100472833', amount: '0.10' }],
    endId: '9007199254740993',
  });
  expect(deviations).toEqual(
    expect.arrayContaining([
      { field: 'bills[].billId', came: 'number', count: 1 },
      { field: 'endId', came: 'number', count: 1 },
    ]),
  );
});

test('a cursor that is a number is sent back digit by digit', async () => {
  const { client, requests } = scripted((_, nth) => {
    const data = nth === 1 ? '{"list":[{"orderId":5}],"cursor":1322441400976261120}' : 'null';
    return answer(`{"code":"00000","msg":"success","requestTime":${startOfTest},"data":${data}}`);
  });
  const reading = { exchange: client, options: {}, now: startOfTest };
  const read = await readAll('order/list-history', lists['order/list-history'].input, reading);
  expect(read.rows).toBe(1);
  expect(requests[1]?.query).toContain('cursor=1322441400976261120');
});

test('rows without a readable id are all read, and a page that is repeated adds none', async () => {
  const page = [{ uid: null, x: 1 }, { uid: null, x: 1 }, { uid: '', x: 2 }, { uid: '7' }, {}];
  const { client } = scripted((_, nth) => success(nth <= 2 ? page : []));
  const reading = { exchange: client, options: {}, now: startOfTest };
  const read = await readAll('agent/list-assets', {}, reading).catch((error: unknown) => error);
  expect(read).toMatchObject({ rows: 5 });
});

const odd: readonly Json[] = [null, '', 7, '1E+3', true, [], {}];

test.each(
  listNames.flatMap((name) => [...rowFields(name).keys()].map((field) => ({ name, field }))),
)('$name carries every odd $field', ({ name, field }) => {
  const { rows } = lists[name];
  for (const value of odd) {
    const list = [{ [field]: value }];
    const { answer: read } = readAnswer(name, rows === '' ? list : { [rows]: list, cursor: '' });
    const [row] = Object(rows === '' ? read : Object(read)[rows]);
    const text = typeof value === 'number' ? [String(value), value] : [value, ''];
    expect(text).toContainEqual(row[field]);
  }
});

test('every operation reads every kind of data without an error, unless it is a list', () => {
  for (const name of operationNames) {
    const isList = operationOf(name).page !== undefined || operationOf(name).rows !== undefined;
    for (const data of [null, '', 'x', 7, true, [], [7], {}, { x: 1 }]) {
      const body = Buffer.from(JSON.stringify({ code: '00000', msg: '', requestTime: 1, data }));
      const envelope = decode({ status: 200, headers: {}, body });
      if (!isList) expect(() => readAnswer(name, envelope.data)).not.toThrow();
    }
  }
});
