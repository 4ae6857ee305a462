/** Asks a person at a terminal for the answers that flags did not give. */
import { createInterface } from 'node:readline/promises';
import { UsageError } from '../../base/error.ts';
import { listed, nearWord, plainText } from '../../base/text.ts';
import type { Terminal } from '../../report/terminal/terminal.ts';

export interface Question {
  /** The flag that answers the question: `--operation NAME`. */
  readonly flag: string;
  readonly text: string;
  /** The possible answers, if they are few or must exist. */
  readonly choices?: readonly string[];
  /** The value that an empty answer means; without it an answer is required. */
  readonly initial?: string;
}

/** Asks one question after another. @returns the answer; undefined where nobody can be asked */
export type Ask = (question: Question) => Promise<string | undefined>;

/** At most this many questions are repeated after an answer that does not fit. */
const attemptsMax = 5;

/** Gives `work` a way to ask on a terminal; without one it gets the initial answers. */
export async function asking<T>(
  { canAsk, input, err }: Pick<Terminal, 'canAsk' | 'input' | 'err'>,
  work: (ask: Ask) => Promise<T>,
): Promise<T> {
  if (!canAsk) return work(({ initial }) => Promise.resolve(initial));
  const lines = createInterface({ input, terminal: false });
  const answers = lines[Symbol.asyncIterator]();
  try {
    return await work(async ({ flag, text, choices, initial }) => {
      const few = choices !== undefined && choices.length <= 8 ? `: ${listed(choices, 'or')}` : '';
      const usual = initial === undefined ? '' : ` [${initial === '' ? 'none' : initial}]`;
      for (let attempt = 0; attempt < attemptsMax; attempt++) {
        err.write(`${text}${few}${usual} `);
        const { done, value } = await answers.next();
        if (done === true) break;
        const answer = value.trim() === '' ? (initial ?? '') : value.trim();
        const fits = choices === undefined || choices.includes(answer) || answer === initial;
        if (fits && (answer !== '' || initial !== undefined)) return answer;
        const near = nearWord(answer, choices ?? []);
        err.line(near === undefined ? 'this needs an answer' : `did you mean ${plainText(near)}?`);
      }
      throw new UsageError(`${flag} is missing`, 'nothing was written');
    });
  } finally {
    lines.close();
  }
}
