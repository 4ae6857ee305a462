/** Draws blocks as Markdown. */
import type { Destination } from '../../engine/journal/entry.ts';
import { signs } from '../../base/palette.ts';
import { moreRows, type Fact, type Inline, type Table } from '../blocks/block.ts';
import { stateWord, toneOf, targetWord } from '../states.ts';
import type { TableBlock } from './fit.ts';
import { timeOf } from '../words.ts';
import { code, prose, tableHead, tableRow, wordList } from './text.ts';

export function drawn(inline: Inline): string {
  if (typeof inline === 'string') return prose(inline);
  if ('code' in inline) return code(inline.code);
  if ('time' in inline) return code(timeOf(inline.time));
  if ('digest' in inline) return code(inline.digest);
  if ('strong' in inline) return `**${drawn(inline.strong)}**`;
  if ('dim' in inline) return drawn(inline.dim);
  if ('lines' in inline) return wordList(inline.lines.map(drawn));
  if ('state' in inline) {
    const word = `${signOf(inline.state)} ${prose(stateWord(inline.state))}`;
    return inline.state === 'doubt' ? `**${word}**` : word;
  }
  return inline.map(drawn).join('');
}

export function signOf(state: string): string {
  return signs[toneOf(state)].drawn;
}

/** The facts below a title in one line, with the target first. */
export function factLine({ target }: Destination, facts: readonly Fact[]): string {
  const words = facts.map(([name, value]) => `${name} ${drawn(value)}`);
  return [`**${targetWord(target)}**`, ...words].join(' · ');
}

export function tableBlock<Row>({ columns, rows, total, rest }: Table<Row>): TableBlock {
  return {
    head: tableHead(
      columns.map(({ name }) => prose(name)),
      columns.map(({ isNumber = false }) => isNumber),
    ),
    rows: rows.map((row) => tableRow(columns.map(({ cell }) => drawn(cell(row))))),
    beyond: (total ?? rows.length) - rows.length,
    more: (left) => drawn(moreRows(left, rest)),
  };
}
