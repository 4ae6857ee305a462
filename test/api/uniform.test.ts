/** Rows read by a pattern: the result equals that of JSON parsing, or the pattern does not match. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson, type Json } from '../../src/base/json.ts';
import { checkOutput } from '../../src/api/check.ts';
import { listing } from '../../src/api/listing.ts';
import { listingIn } from '../../src/api/list-answer.ts';
import { operationOf, type OperationName } from '../../src/api/operations/index.ts';
import { patternFields, rowPattern } from '../../src/api/row-pattern.ts';
import { rowSchema } from '../../src/api/row-schema.ts';
import { uniformIn } from '../../src/api/uniform.ts';
import { decode } from '../../src/api/wire.ts';
import { csvRecords } from '../../src/export/writers/csv.ts';

const order = {
  orderId: '1000000000000000001',
  clientOid: 'mine-1',
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  orderType: 'limit',
  side: 'buy',
  price: '61000.5',
  qty: '0.01',
  amount: '',
  cumExecQty: '0.01',
  cumExecValue: '610.005',
  avgPrice: '61000.5',
  timeInForce: 'gtc',
  orderStatus: 'filled',
  posSide: '',
  holdMode: 'hedge_mode',
  reduceOnly: 'NO',
  feeDetail: [{ feeCoin: 'USDT', fee: '-0.36663' }],
  createdTime: '1790000000000',
  updatedTime: '1790000000000',
};
const fill = {
  tradeId: '7',
  price: '61000.5',
  size: '0.01',
  side: 'buy',
  ts: '1790000000000',
  symbol: 'BTCUSDT',
};

type Raw = readonly (readonly [key: string, value: string])[];

/** The fields of a row, with values as JSON. */
const rawOf = (row: object): Raw => Object.entries(row).map(([k, v]) => [k, JSON.stringify(v)]);
const textOf = (row: Raw): string => `{${row.map(([k, v]) => `"${k}":${v}`).join(',')}}`;

interface Kind {
  readonly name: OperationName;
  readonly row: Raw;
  readonly open: string;
  readonly close: string;
}

const kinds: readonly Kind[] = [
  { name: 'order/list-history', row: rawOf(order), open: '{"list":[', close: '],"cursor":"12"}' },
  { name: 'market/list-fills', row: rawOf(fill), open: '[', close: ']' },
];

const answerOf = ({ open, close }: Kind, rows: readonly string[]): string =>
  `{"code":"00000","msg":"success","requestTime":1790000000000,"data":${open}${rows.join()}${close}}`;

const answered = (text: string) => ({ status: 200, headers: {}, body: Buffer.from(text) });

interface Said {
  readonly error?: string;
  readonly data?: unknown;
  readonly times?: readonly unknown[];
  readonly ids?: readonly unknown[];
  readonly csv?: string;
}

function said(
  kind: Kind,
  dataOf: () => Json,
  rowsIn: (data: Json) => ReturnType<typeof listing>,
): Said {
  try {
    const data = dataOf();
    checkOutput(kind.name, data);
    const rows = rowsIn(data);
    const columns = Object.keys(rows.objects()[0] ?? {});
    const { window, page } = operationOf(kind.name);
    const ids = rows.column(page?.id[0] ?? '');
    const csv = csvRecords(rows, columns).toString();
    return { data, csv, ids, times: rows.column(window?.time ?? '') };
  } catch (error) {
    return { error: String(error) };
  }
}

const slowly = (kind: Kind, text: string): Said =>
  said(
    kind,
    () => decode('market/list-tickers', answered(text)).data, // not a paged list: never read by a pattern
    (data) => listing(Array.isArray(data) ? data : Object(data).list),
  );

let taken = 0;
const quickly = (kind: Kind, text: string): Said =>
  said(
    kind,
    () => decode(kind.name, answered(text)).data,
    (data) => {
      if (uniformIn(data)) taken += 1;
      checkOutput(kind.name, data);
      return listingIn(kind.name, data, operationOf(kind.name).page);
    },
  );

/** Lets the reader learn the shape of ordinary rows. */
const learn = (kind: Kind): unknown =>
  quickly(kind, answerOf(kind, Array(25).fill(textOf(kind.row))));

/** JSON values that a different parser may misinterpret. */
const hostile = [
  '""',
  'null',
  '0',
  '-0',
  '-0.0',
  '"-0"',
  '1e3',
  '1e400',
  '9007199254740993',
  '"1e3"',
  '"01"',
  '"+1"',
  '".5"',
  '"5."',
  '"-"',
  '"=1+1"',
  '"\'=1+1"',
  '"\'\'@x"',
  '"-5"',
  '"-a"',
  '"@x"',
  '" x"',
  '"a,b"',
  '"a\\"b"',
  '"\\u0041"',
  '"\\n"',
  '"a\nb"',
  '"\u007f"',
  '"\u2028"',
  '"\uff1d1"',
  '"龙虾USDT"',
  '"\\ud800"',
  '[]',
  '{}',
  '[null]',
  '[{}]',
  '[{"feeCoin":null,"fee":null}]',
  '[{"fee":"1","feeCoin":"A"}]',
  '[{"feeCoin":"A","fee":"1"},{"feeCoin":"B","fee":""}]',
  '[{"feeCoin":"A","fee":"1","fee":"2"}]',
  '[{"feeCoin":"A","fee":"1"},]',
  '[{"feeCoin":"A","fee":"x"}]',
  'true',
  '"x',
  '{"list":[',
  '"]},{"',
  `"${'9'.repeat(41)}"`,
  `"${'9'.repeat(65)}"`,
  `"${'1'.repeat(17)}"`,
  '"1790000000000"',
  '"0.5"',
];

const values = fc.oneof(
  fc
    .string({ unit: 'binary' })
    .filter((text) => text.isWellFormed())
    .map((text) => JSON.stringify(text)),
  fc.constantFrom(...hostile),
);
const keys = fc.constantFrom(
  '__proto__',
  'constructor',
  'orderId',
  'feeDetail',
  'list',
  '1',
  'new',
  'a b',
);
const place = fc.nat({ max: 30 });

type Change = (row: Raw) => Raw;
const changes: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(place, values).map(
      ([at, value]): Change =>
        (row) =>
          row.map(([k, v], i) => [k, i === at % row.length ? value : v]),
    ),
  },
  place.map(
    (at): Change =>
      (row) =>
        row.filter((_, i) => i !== at % row.length),
  ),
  fc.tuple(place, keys, values).map(
    ([at, key, value]): Change =>
      (row) =>
        row.toSpliced(at % (row.length + 1), 0, [key, value]),
  ),
  place.map((at): Change => (row) => [
    ...row.slice(at % row.length),
    ...row.slice(0, at % row.length),
  ]),
  fc.constant<Change>((row) => row),
);

const changed = (row: Raw, some: readonly Change[]): Raw =>
  some.reduce((each, change) => change(each), row);
const aFew = fc.array(changes, { maxLength: 2 });

/** Few changes in few rows: among many rows, a similar one could hide a wrong result. */
const texts = fc.record({
  before: fc.nat({ max: 2 }),
  row: aFew,
  after: fc.nat({ max: 2 }),
  spoil: fc.option(
    fc.tuple(fc.nat(), fc.constantFrom('', ' ', ',', '"', '\\', '{', ']', '"data":[],', '\u0000')),
    { freq: 4 },
  ),
});

describe.each(kinds)('$name', (kind) => {
  test('gives the same result as the full check for any text', () => {
    learn(kind);
    taken = 0;
    fc.assert(
      fc.property(texts, ({ before, row, after, spoil }) => {
        const usual = textOf(kind.row);
        const made = [
          ...Array<string>(before).fill(usual),
          textOf(changed(kind.row, row)),
          ...Array<string>(after).fill(usual),
        ];
        const whole = answerOf(kind, made);
        const at = (spoil?.[0] ?? 0) % whole.length;
        const text = spoil ? whole.slice(0, at) + spoil[1] + whole.slice(at + 1) : whole;
        expect(quickly(kind, text)).toEqual(slowly(kind, text));
      }),
      { numRuns: 2000 },
    );
    expect(taken).toBeGreaterThan(20);
  });

  test('gives the same result as the full check for every hostile value in every field', () => {
    for (const [field] of kind.row) {
      for (const value of hostile) {
        learn(kind);
        const row = kind.row.map(([k, v]): Raw[number] => [k, k === field ? value : v]);
        const text = answerOf(kind, [textOf(row)]);
        expect(quickly(kind, text), `${field}: ${value}`).toEqual(slowly(kind, text));
      }
    }
  });

  test('reads ordinary rows with the pattern and returns their values', () => {
    learn(kind);
    const text = answerOf(kind, [textOf(kind.row), textOf(kind.row)]);
    taken = 0;
    expect(quickly(kind, text)).toEqual(slowly(kind, text));
    expect(taken).toBe(1);
  });

  test('returns records that stay unchanged while another page is read', () => {
    learn(kind);
    const columns = kind.row.map(([field]) => field);
    const recordsOf = (id: string) => {
      const row = kind.row.map(([k, v], at): Raw[number] => [k, at === 0 ? `"${id}"` : v]);
      const { data } = decode(kind.name, answered(answerOf(kind, [textOf(row)])));
      checkOutput(kind.name, data);
      return csvRecords(listingIn(kind.name, data, operationOf(kind.name).page), columns);
    };
    const records = recordsOf('11');
    const text = records.toString();
    recordsOf('22');
    expect([typeof records, records.toString()]).toEqual(['object', text]);
  });

  test('a row of another shape is not read with the pattern', () => {
    learn(kind);
    const other = textOf(kind.row.map(([k, v], at) => [k, at === 0 ? '"x1"' : v]));
    taken = 0;
    const { error } = quickly(kind, answerOf(kind, [textOf(kind.row), other]));
    expect([error === undefined, taken]).toEqual([false, 0]);
  });

  test('a pattern made from any row matches valid rows and returns their values', () => {
    const schema = rowSchema(kind.name);
    let matched = 0;
    fc.assert(
      fc.property(aFew, aFew, (some, more) => {
        const example = changed(kind.row, some);
        const text = textOf(changed(example, more));
        const read = parsed(textOf(example));
        const values = rowPattern(schema, read, () => true).exec(text);
        if (read === undefined || values?.[0] !== text) return;
        matched += 1;
        const row = parseJson(text);
        checkOutput(kind.name, Object(parseJson(answerOf(kind, [text]))).data);
        const fields = patternFields(schema, read).map(({ name, isText }, at) => {
          const value = values[at + 1] ?? '';
          return [name, isText ? value : JSON.parse(value)];
        });
        expect(fields).toEqual(Object.entries(Object(row)));
      }),
      { numRuns: 2000 },
    );
    expect(matched).toBeGreaterThan(50);
  });
});

function parsed(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
