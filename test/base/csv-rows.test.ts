/** CSV as programs write it: what is a row, and what is refused. */
import { describe, expect, test } from 'vitest';
import { csvRows, delimiterIn } from '../../src/base/csv-rows.ts';

const cellsIn = (text: string): (readonly string[])[] =>
  [...csvRows(text, delimiterIn(text))].map(({ cells }) => cells);

describe('rows', () => {
  test.each([
    ['', []],
    ['a,b', [['a', 'b']]],
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\r\n1,\r\n',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    ['a\n\n\n1\n\n', [['a'], ['1']]],
    [
      'a,b\n,\n',
      [
        ['a', 'b'],
        ['', ''],
      ],
    ],
    ['a\n""\n', [['a'], ['']]],
    [
      'a,b\n"x, ""y""\r\nz",2',
      [
        ['a', 'b'],
        ['x, "y"\r\nz', '2'],
      ],
    ],
    [
      'a;b\n1,5;2',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    [
      'a\tb\n1\t2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b;c\n1,2',
      [
        ['a', 'b;c'],
        ['1', '2'],
      ],
    ],
    [' a , b ', [[' a ', ' b ']]],
  ])('of %j', (text, rows) => {
    expect(cellsIn(text)).toEqual(rows);
  });
});

test('each cell has its offset, quotes included', () => {
  expect([...csvRows('a,b\n"1",22', ',')].map(({ starts }) => starts)).toEqual([
    [0, 2],
    [4, 8],
  ]);
});

test.each([
  ['a\n"b', 'a cell has no closing quote', 2],
  ['a\n"b"c', 'there is text after the closing quote of a cell', 5],
  ['a\nb"c"', 'a quote is inside a cell without quotes; write "…""…"', 3],
])('%j is refused', (text, message, offset) => {
  expect(() => cellsIn(text)).toThrow(expect.objectContaining({ message, offset }));
});
