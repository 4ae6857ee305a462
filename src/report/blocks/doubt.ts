/** What a doubt says, for every screen: sent, why unknown, what the lists said, what settles it. */
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

/** The same as rows of text; a name is empty where a row continues the one before. */
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

/** In one line, for a notification or a cell. */
export function doubtLine({ sent, because, lists, settles }: Doubt): string {
  return `sent: ${sent}; unknown: ${because}; lists: ${lists.join('; ')}; settled by: ${settles}`;
}
