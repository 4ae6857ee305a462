/** The text of a doubt for every screen: sent, why unknown, what the lists showed, what settles it. */
import type { Doubt } from '../answers.ts';
import type { Fact } from './block.ts';

export function doubtFacts({ sent, because, lists, settles }: Doubt): readonly Fact[] {
  return [
    ['sent', sent],
    ['unknown', because],
    ['lists', { lines: lists }],
    ['settled by', settles],
  ];
}

/** The text of a doubt as rows; a name is empty where a row continues the one before. */
export function doubtRows({
  sent,
  because,
  lists,
  settles,
}: Doubt): readonly (readonly [name: string, text: string])[] {
  return [
    ['sent', sent],
    ['unknown', because],
    ...lists.map((line, at) => [at === 0 ? 'lists' : '', line] as const),
    ['settled by', settles],
  ];
}

/** The text of a doubt in one line, for a notification or a cell. */
export function doubtLine({ sent, because, lists, settles }: Doubt): string {
  return `sent: ${sent}; unknown: ${because}; lists: ${lists.join('; ')}; settled by: ${settles}`;
}
