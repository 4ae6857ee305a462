/** Money and units against the exact decimals of the house. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimal, decimalText, divide, isDecimalText } from '../../../src/base/decimal.ts';
import { formatMoney, mulDiv, one, parseMoney } from '../../../src/sandbox/engine/money.ts';
import { formatUnits, parseUnits, product } from '../../../src/sandbox/engine/units.ts';

const amount = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n });
const positive = fc.bigInt({ min: 1n, max: 10n ** 24n });

describe('money', () => {
  test('is parsed back to its value', () => {
    fc.assert(
      fc.property(amount, (units) => {
        expect(parseMoney(formatMoney(units))).toBe(units);
      }),
    );
  });

  test('is formatted like the decimals', () => {
    fc.assert(
      fc.property(amount, (units) => {
        const exact = divide(decimal(String(units)), decimal(String(one)), {
          scale: 12,
          rounding: 'down',
        });
        expect(formatMoney(units)).toBe(decimalText(exact));
      }),
    );
  });

  test.each(['floor', 'ceil', 'half-even'] as const)(
    'a × b ÷ c is exact, rounded %s',
    (rounding) => {
      fc.assert(
        fc.property(amount, amount, positive, (a, b, c) => {
          const exact = divide(decimal(String(a)).times(decimal(String(b))), decimal(String(c)), {
            scale: 0,
            rounding,
          });
          expect(mulDiv(a, b, c, rounding).toString()).toBe(decimalText(exact));
        }),
      );
    },
  );

  test('half of an odd amount is rounded to even', () => {
    expect([1n, 3n, 5n, -1n, -3n].map((half) => mulDiv(half, 1n, 2n, 'half-even'))).toEqual([
      0n,
      2n,
      2n,
      0n,
      -2n,
    ]);
  });

  test.each(['', '.5', '1.', '01', '1e3', ' 1', '1_0', '--1', '0x1', '0.0000000000001', 'NaN'])(
    'refuses %j',
    (text) => {
      expect(parseMoney(text)).toBeUndefined();
    },
  );

  test('has no trailing zeros', () => {
    expect(
      ['1.500', '-0.0600', '100', '0.000'].map((text) => formatMoney(parseMoney(text) ?? 1n)),
    ).toEqual(['1.5', '-0.06', '100', '0']);
  });
});

describe('units', () => {
  const scale = fc.integer({ min: 0, max: 8 });
  const units = fc.integer({ min: 0, max: 2 ** 48 });

  test('are parsed back to their value', () => {
    fc.assert(
      fc.property(units, scale, (whole, places) => {
        expect(parseUnits(formatUnits(whole, places), places)).toBe(whole);
      }),
    );
  });

  test('are parsed like decimals for any short number', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9.]{0,9}$/), scale, (text, places) => {
        const read = parseUnits(text, places);
        if (!isDecimalText(text)) {
          expect(read).toBe('not-a-number');
        } else if ((text.split('.')[1] ?? '').length > places) {
          expect(read).toBe('too-many-places');
        } else {
          const exact = Number(decimalText(decimal(text).times(decimal(String(10 ** places)))));
          expect(read).toBe(exact > Number.MAX_SAFE_INTEGER ? 'too-large' : exact);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['-1', 'not-a-number'],
    ['1e3', 'not-a-number'],
    ['٣', 'not-a-number'],
    ['0.001', 'too-many-places'],
    ['1.00', 1],
    ['9007199254740992', 'too-large'],
    ['99999999999999999999.00', 'too-large'],
  ])('%j at two places is %j', (text, read) => {
    expect(parseUnits(text, 2)).toBe(read === 1 ? 100 : read);
  });

  test('a product of large numbers is exact', () => {
    expect(product(900_719_925_474_099, 1_001)).toBe(900_719_925_474_099n * 1_001n);
  });
});
