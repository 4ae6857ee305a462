/** Texts are wrapped at spaces, the same whether their characters are all one column wide or not. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { breakLines, widthOf } from '../../src/report/terminal/columns.ts';

/** Each word goes to the line before it if it fits there. */
function wrapped(text: string, room: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && widthOf(longer) <= room) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines;
}

test('a text is wrapped at spaces, and a word that is longer than a line has its own', () => {
  expect(breakLines('one two three', 7)).toEqual(['one two', 'three']);
  expect(breakLines('a 订单 b', 6)).toEqual(['a 订单', 'b']);
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '-'), maxLength: 9 });
  const wide = fc.constantFrom('', ' 订单', ' \u001b[31mred\u001b[39m');
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 12 }),
      wide,
      fc.integer({ min: 1, max: 20 }),
      (words, end, room) => {
        const text = words.join(' ') + end;
        expect(breakLines(text, room)).toEqual(wrapped(text, room));
      },
    ),
  );
});
