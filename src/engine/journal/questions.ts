/** The questions of a run that people have not answered yet. */
import type { Entry } from './entry.ts';
import { replay } from './replay.ts';

export type Question = Extract<Entry, { readonly kind: 'asked' }>;

/** The open questions of a run, oldest first. */
export function openQuestions(entries: readonly Entry[]): readonly Question[] {
  if (!entries.some(({ kind }) => kind === 'asked')) return []; // the usual case
  return [...replay(entries).values()]
    .flatMap(({ asked, outcome }) => (asked === undefined || outcome !== undefined ? [] : [asked]))
    .sort((a, b) => a.seq - b.seq);
}

/** When a question is over, by the clock of the machine that recorded it. */
export function overAt({ at, time, until }: Question): number {
  return at + until - time;
}
