/** The wire format: inputs are encoded once and decoded unchanged; envelopes are parsed strictly. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonError } from '../../../src/base/json.ts';
import { decode, encode, NotAnEnvelopeError, signedQuery } from '../../../src/exchange/api/wire.ts';

const texts = fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed());
const nasty = fc.constantFrom('a+b', 'a b', '%25', '&=?#/', '龙虾USDT', '😀', '\r\nX: y', "'()!*~");
const inputs = fc.dictionary(fc.stringMatching(/^[a-zA-Z]{1,12}$/), fc.oneof(texts, nasty), {
  noNullPrototype: true,
});

describe('a query', () => {
  test('is parsed by a standard parser to the original values', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const { query } = encode('order/list-open', input);
        expect(Object.fromEntries(new URLSearchParams(query))).toEqual(input);
        expect(query).toMatch(/^[\w\-.!~*'()%=&]*$/);
      }),
    );
  });

  test('is signed in decoded form, in the order it is sent', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const { query } = encode('order/list-open', input);
        const parts = query === '' ? [] : query.split('&').map(decodeURIComponent);
        expect(signedQuery(query)).toBe(parts.join('&'));
      }),
    );
  });

  test('omits undefined values and keeps the order of the keys', () => {
    const { query, body } = encode('order/list-open', {
      symbol: 'B',
      limit: undefined,
      category: 'A',
    });
    expect([query, body]).toEqual(['category=A&symbol=B', '']);
  });
});

describe('a body', () => {
  test('is the JSON of its fields', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const { query, body } = encode('agent/list-customers', input);
        expect([query, JSON.parse(body)]).toEqual(['', input]);
      }),
    );
  });

  test('is an empty object without fields', () => {
    expect(encode('agent/list-customers', { uid: undefined }).body).toBe('{}');
  });
});

describe('a response', () => {
  const read = (text: string | Uint8Array) =>
    decode({
      status: 200,
      headers: {},
      body: typeof text === 'string' ? new TextEncoder().encode(text) : text,
    });

  test('is an envelope of four fields and any others', () => {
    const text = '{"code":"00000","msg":"success","requestTime":1,"data":null,"more":[]}';
    expect(read(text)).toMatchObject({ code: '00000', requestTime: 1, data: null });
  });

  test.each([
    '{"code":0,"msg":"","requestTime":1,"data":{}}',
    '{"code":"0","msg":null,"requestTime":1,"data":{}}',
    '{"code":"0","msg":"","requestTime":"1","data":{}}',
    '{"code":"0","msg":"","requestTime":1.5,"data":{}}',
    '{"code":"0","msg":"","requestTime":1}',
    '[]',
    'null',
    '"00000"',
  ])('%s is not an envelope', (text) => {
    expect(() => read(text)).toThrow(NotAnEnvelopeError);
  });

  test.each([
    ['12345678901234567890', '12345678901234567890'],
    ['0.10', '0.10'],
    ['1E+3', '1E+3'],
    ['-0', '-0'],
    ['1e400', '1e400'],
    ['42', 42],
    ['"12 : 34"', '12 : 34'],
  ])('keeps every digit of %s', (written, data) => {
    expect(read(`{"code":"0","msg":"","requestTime":1,"data":[${written},0]}`).data).toEqual([
      data,
      0,
    ]);
  });

  test('is a success by its code, whatever else it lacks', () => {
    expect(read('{"code":"00000"}')).toEqual({
      code: '00000',
      msg: '',
      data: null,
      rounded: null,
    });
    expect(read('{"code":"00000","requestTime":"5"}')).toMatchObject({ requestTime: 5 });
  });

  test.each([
    ['nothing', ''],
    ['half of one', '{"code":"00000","msg":"succ'],
    ['a page', '<html></html>'],
    ['a key given twice', '{"code":"1","code":"0","msg":"","requestTime":1,"data":{}}'],
    ['no UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
    ['a thousand levels', '['.repeat(1_000) + ']'.repeat(1_000)],
  ])('%s is not accepted as JSON', (_, text) => {
    expect(() => read(text)).toThrow(JsonError);
  });
});
