import fc from 'fast-check';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { deadline, momentIn, standingClock, systemClock } from '../../src/base/clock.ts';
import {
  decimal,
  decimalText,
  divide,
  isDecimalText,
  roundTo,
  toMultiple,
} from '../../src/base/decimal.ts';
import { canonicalJson, digestOf, JsonError, parseJson } from '../../src/base/json.ts';
import { seededRandom } from '../../src/base/random.ts';
import { redactor, Secret } from '../../src/base/secret.ts';
import { grouped, listed, nearWord, plainText } from '../../src/base/text.ts';

describe('a time longer than the longest timer of Node', () => {
  const month = 30 * 24 * 3_600_000;

  test('does not end a sleep immediately', async () => {
    const woken = new Error('woken');
    const sleep = systemClock.sleep(month, AbortSignal.any([deadline(20, () => woken).signal]));
    await expect(sleep).rejects.toBe(woken);
  });

  test('does not end a deadline immediately', async () => {
    const limit = deadline(month, () => new Error('over'));
    await systemClock.sleep(20);
    limit.cancel();
    expect(limit.signal.aborted).toBe(false);
  });
});

describe('times', () => {
  test.each([
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2024-02-29T23:59Z', '2024-02-29T23:59:00.000Z'],
    ['2026-03-01T00:30:00+08:00', '2026-02-28T16:30:00.000Z'],
    ['2026-03-01T00:30:00.5-03:30', '2026-03-01T04:00:00.500Z'],
  ])('%s', (text, moment) => expect(momentIn(text)).toBe(Date.parse(moment)));

  test.each([
    '2026-02-29',
    '2026-02-31T08:00:00+08:00',
    '2026-13-01',
    '2026-00-10',
    '2026-04-31',
    '2026-01-01T08:00',
    '2026-01-01T25:00Z',
    '2026-01-01T08:00+25:00',
    '2026-1-1',
    '20260101',
    '',
  ])('%j is not a time', (text) => expect(momentIn(text)).toBeUndefined());
});

describe('decimals', () => {
  test.each(['1e3', '0x10', '.5', '5.', '00012', '+1', ' 5', '1_000', 'NaN', '', '-'])(
    '%j is not a decimal',
    (text) => expect(isDecimalText(text)).toBe(false),
  );

  test('keep every digit except trailing zeros', () => {
    expect(decimalText(decimal('0.00000001'))).toBe('0.00000001');
    expect(decimalText(decimal('12345678901234567890.123456789'))).toBe(
      '12345678901234567890.123456789',
    );
  });

  test('divide exactly, with every rounding mode', () => {
    const amount = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n });
    fc.assert(
      fc.property(
        amount,
        amount.filter((n) => n !== 0n),
        fc.integer({ min: 0, max: 12 }),
        (a, b, scale) => {
          const floor = divide(decimal(String(a)), decimal(String(b)), {
            scale,
            rounding: 'floor',
          });
          const ceil = divide(decimal(String(a)), decimal(String(b)), { scale, rounding: 'ceil' });
          const exact = a * 10n ** BigInt(scale);
          const low = BigInt(floor.times(decimal(String(10n ** BigInt(scale)))).toFixed(0));
          const high = BigInt(ceil.times(decimal(String(10n ** BigInt(scale)))).toFixed(0));
          const [under, over] = b > 0n ? [low * b, high * b] : [high * b, low * b];
          expect(under <= exact && exact <= over).toBe(true);
          expect(high - low).toBe(exact % b === 0n ? 0n : 1n);
        },
      ),
    );
  });

  test.each([
    ['-1.5', 0, 'half-even', '-2'],
    ['2.5', 0, 'half-even', '2'],
    ['2.5', 0, 'half-up', '3'],
    ['-2.1', 0, 'floor', '-3'],
    ['-2.9', 0, 'ceil', '-2'],
    ['2.11', 1, 'up', '2.2'],
    ['2.19', 1, 'down', '2.1'],
  ] as const)('%s to %i places %s is %s', (value, scale, rounding, wanted) => {
    expect(decimalText(roundTo(decimal(value), scale, rounding))).toBe(wanted);
  });

  test('round to multiples of a step', () => {
    expect(decimalText(toMultiple(decimal('61500.07'), decimal('0.1'), 'floor'))).toBe('61500');
    expect(decimalText(toMultiple(decimal('0.0011'), decimal('0.001'), 'ceil'))).toBe('0.002');
  });
});

describe('strict JSON', () => {
  test.each([
    ['{"a":1,"a":2}', 'duplicate key'],
    ['{"a":{"b":1,"b":1}}', 'duplicate key'],
    ['[12345678901234567890]', 'larger than 2^53'],
    [`${'['.repeat(40)}${']'.repeat(40)}`, 'nested deeper'],
    ['{"a":', 'not valid JSON'],
    ['"open', 'not valid JSON'],
    ['{"a":":","a":1}', 'duplicate key'],
    ['{"a" :1, "b\\"":{"c":"\\":"},"a" :2}', 'duplicate key'],
    ['{"__proto__":1,"__proto__":2}', 'duplicate key'],
    [`{"a":${'{"a":'.repeat(32)}1${'}'.repeat(33)}`, 'nested deeper'],
  ])('%s is refused', (text, why) => {
    expect(() => parseJson(text)).toThrow(JsonError);
    expect(() => parseJson(text)).toThrow(why);
  });

  test('accepts everything that JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        fc.pre(!JSON.stringify(value).match(/\d{16,}|e\+/));
        expect(parseJson(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test('does not mistake quotes, colons and braces in a text for keys', () => {
    expect(parseJson('{"a":"\\"x\\":{","b":["c:"]}')).toEqual({ a: '"x":{', b: ['c:'] });
    expect(parseJson('{"a" :"12:30", "b":"\\\\"}')).toEqual({ a: '12:30', b: '\\' });
  });

  test('equal values have equal digests in any order of keys', () => {
    expect(digestOf({ a: 1, b: [{ c: 2, d: 3 }] })).toBe(digestOf({ b: [{ d: 3, c: 2 }], a: 1 }));
    expect(canonicalJson({ b: 1, a: 2 })).toBe('{"a":2,"b":1}');
  });

  test('names and digests stay those of a text that is sorted while it is written', () => {
    const sorting = (_key: string, item: unknown): unknown =>
      item !== null && typeof item === 'object' && !Array.isArray(item)
        ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
        : item;
    const key = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('__proto__', 'toString', '10', '9', '-1', '1.5', '\ud800', 'é', 'z', 'Z'),
    );
    const leaf = fc.oneof(
      fc.anything({ maxDepth: 0 }).filter((value) => typeof value !== 'bigint'),
      fc.constantFrom(decimal('1.50'), new Date(0), undefined, NaN, -0),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, leaf, tie('list'), tie('record')),
      list: fc.array(tie('value'), { maxLength: 4 }),
      record: fc
        .array(fc.tuple(key, tie('value')), { maxLength: 6 })
        .map((pairs) => Object.fromEntries(pairs)),
    }));
    fc.assert(
      fc.property(value, (each) => {
        expect(canonicalJson(each)).toBe(JSON.stringify(each, sorting));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('secrets', () => {
  const secret = new Secret('correct horse/battery+staple');

  test('are not printed, serialized or concatenated', () => {
    expect(`${secret} ${JSON.stringify({ secret })} ${inspect({ secret })}`).not.toContain('horse');
  });

  test('are masked in every likely encoding', () => {
    const value = secret.reveal();
    const spellings = [
      value,
      encodeURIComponent(value),
      Buffer.from(value).toString('hex'),
      Buffer.from(value).toString('base64'),
      Buffer.from(`xy${value}`).toString('base64'),
      Buffer.from(encodeURIComponent(value)).toString('base64url'),
    ];
    const hide = redactor([secret]);
    for (const spelling of spellings) {
      expect(hide(`before ${spelling} after`)).not.toMatch(/horse|battery|Y3Qg|636f7272|Y3QlMjB/);
    }
    const odd = 'a"quoted\\key';
    const said = Buffer.from(JSON.stringify({ key: odd })).toString('base64');
    const left = Buffer.from(redactor([new Secret(odd)])(said), 'base64').toString();
    expect(left).not.toContain('quoted');
  });

  test.each([
    ['base64 in lines of 76', (text: string) => lines(Buffer.from(text).toString('base64'), 76)],
    ['hex in lines of 60', (text: string) => lines(Buffer.from(text).toString('hex'), 60)],
    ['itself in lines of 64', (text: string) => lines(text, 64, '\r\n')],
    ['a form', (text: string) => new URLSearchParams({ text }).toString().slice(5)],
    [
      'lower-case percents',
      (text: string) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
    ],
    [
      'XML',
      (text: string) =>
        text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    ],
  ])('a secret is hidden as %s', (_how, spelled) => {
    const value = `${'0123456789abcdef'.repeat(5)}`;
    const marked = 'a&b <c>=d/e';
    const hide = redactor([new Secret(value), new Secret(marked)]);
    const said = hide(`before ${spelled(value)} after`);
    expect(said).toMatch(/^before .{0,8}•••.{0,8} after$/);
    expect(hide(`before ${spelled(marked)} after`)).toMatch(/^before .{0,8}•••.{0,8} after$/);
  });

  test('are searched across lines without compiling a pattern, unless one is there', () => {
    const value = '0123456789abcdef'.repeat(5);
    const hex = Buffer.from(value).toString('hex');
    const compiled: string[] = [];
    const { RegExp: original } = globalThis;
    globalThis.RegExp = new Proxy(original, {
      construct: (target, words: [string, string]) => {
        compiled.push(words[0]);
        return new target(...words);
      },
    });
    try {
      const hide = redactor([new Secret(value)]);
      expect(hide(`two\nlines of ${hex.slice(1)}\n`)).toContain(hex.slice(1));
      expect(compiled).toEqual([]);
      expect(hide(`two\nlines of ${hex.slice(0, 60)}\r\n${hex.slice(60)}`)).toBe(
        'two\nlines of •••',
      );
      expect(compiled).toHaveLength(1);
    } finally {
      globalThis.RegExp = original;
    }
  });

  test('are masked where two of them follow each other across lines', () => {
    const [one, two] = ['a', 'b'].map((letter) => letter.repeat(70));
    const hide = redactor([new Secret(one ?? ''), new Secret(two ?? '')]);
    expect(hide(lines(`${one}${two}${one}`, 33, '\r\n'))).toMatch(/^(?:•••\s*){3}$/);
  });
});

describe('texts', () => {
  test('from other users cannot move the cursor, break the line or change the text direction', () => {
    expect(plainText('a\u001b[31m\r\nb\u202e\u0007')).toBe(
      'a\\u001b[31m\\u000d\\u000ab\\u202e\\u0007',
    );
    expect(plainText('x'.repeat(1000))).toHaveLength(500);
  });

  test('are readable', () => {
    expect(grouped('1234567.125')).toBe('1,234,567.125');
    expect(listed(['a', 'b', 'c'])).toBe('a, b and c');
    expect(nearWord('retires', ['retry', 'needs', 'with'])).toBe('retry');
    expect(nearWord('zzzzzz', ['retry'])).toBeUndefined();
  });
});

test('a seed always gives the same random numbers, and a manual clock moves only when it is advanced', async () => {
  const [a, b] = [seededRandom(7), seededRandom(7)];
  const five = (chance: typeof a) => Array.from({ length: 5 }, () => chance.next());
  expect(five(a)).toEqual(five(b));
  const clock = standingClock(1000);
  await clock.sleep(500);
  clock.advance(2);
  expect([clock.now(), clock.monotonic()]).toEqual([1502, 502]);
});

function lines(text: string, width: number, end = '\n'): string {
  return (text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join(end);
}
