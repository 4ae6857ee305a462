/** What a relation says of a job that breaks it. */
import type { Typed } from './desk.ts';
import type { Choice } from './features.ts';

export type Relation =
  | 'language'
  | 'plan'
  | 'resume'
  | 'once'
  | 'again'
  | 'changed'
  | 'elsewhere'
  | 'next'
  | 'answers';

export interface Finding {
  readonly relation: Relation;
  readonly choice: Choice;
  /** What is wrong, in one line. */
  readonly what: string;
  /** The command line that shows it, with what it printed. */
  readonly typed?: Typed;
}

/** What of a finding a person needs to repeat it. */
export function wordsOf({ relation, choice, what, typed }: Finding): string {
  const printed =
    typed === undefined
      ? ''
      : `\n${typed.words.join(' ')} → ${typed.code}\n${shortened(typed.out + typed.err)}`;
  return `${relation}: ${what}${printed}\n${JSON.stringify(choice)}`;
}

function shortened(text: string): string {
  return text.length > 3_000 ? `${text.slice(0, 1_500)}\n…\n${text.slice(-1_500)}` : text;
}
