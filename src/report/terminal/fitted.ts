/** Fits lines into a terminal: they are wrapped at spaces, never within a word. */
import { stripVTControlCharacters } from 'node:util';
import { breakLines, widthOf } from './columns.ts';

/** The text with wrapped lines; a command to copy and an excerpt of a file are not wrapped. */
export function fitted(text: string, columns: number): string {
  return text
    .split('\n')
    .flatMap((line) => brokenAt(line, columns))
    .join('\n');
}

function brokenAt(line: string, columns: number): readonly string[] {
  if (widthOf(line) <= columns || isWhole(stripVTControlCharacters(line))) return [line];
  const [margin = ''] = /^ */.exec(line) ?? [];
  const indent = `${margin}  `;
  const [first = '', ...rest] = breakLines(line.slice(margin.length), columns - indent.length);
  const more = breakLines(rest.join(' ').trimStart(), columns - indent.length);
  const following = rest.length === 0 ? [] : more.map((part) => `${indent}${part}`.trimEnd());
  return [`${margin}${first}`.trimEnd(), ...following];
}

/** Whether a line is not wrapped: JSON, a command, or a line of a user's file. */
function isWhole(line: string): boolean {
  return /^\s*(?:(?:Next|help) +)?(?:[{[]|(?:npx )?deskhand |export DESKHAND_|\d* *\u2502)/.test(
    line,
  );
}
