/** Formats of numbers: exact decimals, percent, units, and what is not a format. */
import { expect, test } from 'vitest';
import { formattedNumber, numberFormatIn } from '../../src/base/number-format.ts';

const shown = (text: string, pattern: string): string => {
  const format = numberFormatIn(pattern);
  if (format === undefined) throw new Error(`${pattern} is not a format`);
  return formattedNumber(text, format);
};

test.each([
  ['1234567.125', '0.00', '1,234,567.12'],
  ['1234567.135', '0.00', '1,234,567.14'],
  ['-0.004', '0.00', '0.00'],
  ['-1234.5', '0', '-1,234'],
  ['0.12345', '0.0%', '12.3%'],
  ['-0.5', '0%', '-50%'],
  ['1', '0.000', '1.000'],
  [
    '123456789012345678901234567890.1',
    '0.0 USDT',
    '123,456,789,012,345,678,901,234,567,890.1 USDT',
  ],
  ['0.1', '0.00% p.a.', '10.00% p.a.'],
  ['2024', '0', '2,024'],
  ['', '0.00', ''],
  ['n/a', '0.00', 'n/a'],
  ['1e5', '0', '1e5'],
])('%s as %s is %s', (text, pattern, expected) => {
  expect(shown(text, pattern)).toBe(expected);
});

test.each([
  '',
  '#',
  '#,##0.00',
  '0.',
  '.00',
  '0.0x',
  '0  USDT',
  '0 5',
  '00',
  `0.${'0'.repeat(19)}`,
  '0 \u202e',
])('%j is not a format', (pattern) => expect(numberFormatIn(pattern)).toBeUndefined());
