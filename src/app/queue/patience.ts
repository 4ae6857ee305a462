/** Repeats questions to a store that may give no answer for a while, for commands that only watch. */
import { second, type Clock, type Millis } from '../../base/clock.ts';
import { shellWord } from '../../base/text.ts';
import { endIn } from '../../engine/journal/end.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { timeOf } from '../../report/words.ts';
import { UnreachableError } from '../../stores/store.ts';

/** Asks a question until the store answers. Several questions are asked one after another. */
export type Patient = <T>(ask: () => Promise<T>) => Promise<T>;

export interface Waiting {
  readonly clock: Clock;
  /** The signal that ends the waiting: a question without an answer is then rejected with its reason. */
  readonly signal: AbortSignal;
  /** Prints a line for a person: once when the store gives no answer, and once when it answers again. */
  readonly say: (line: string) => void;
  /** Says what continues while the store gives no answer. */
  readonly meanwhile?: () => string | undefined;
  /** Whether the answer is not needed any more: then the error of the store is thrown. */
  readonly hasEnough?: () => boolean;
}

const pause: Millis = second; // between two attempts

/** Waits for an unreachable store; all other errors are thrown. */
export function patiently(waiting: Waiting): Patient {
  const { clock, signal, say, meanwhile, hasEnough = () => false } = waiting;
  let isAway = false;
  return async (ask) => {
    for (;;) {
      const asked = clock.now();
      try {
        const answer = await (isAway ? unlessAborted(ask(), signal) : ask());
        if (isAway) say('the store answers again');
        isAway = false;
        return answer;
      } catch (error) {
        if (!(error instanceof UnreachableError) || hasEnough()) throw error;
        signal.throwIfAborted();
        const since = timeOf(asked).slice(0, 8);
        const waits = `the store gives no answer since ${since}; waiting for it`;
        const besides = meanwhile?.();
        if (!isAway) say(besides === undefined ? waits : `${waits}; ${besides}`);
        isAway = true;
      }
      await clock.sleep(pause, signal);
    }
  };
}

/**
 * Waits for an answer unless the signal is aborted: a call may take long to fail, and a person who leaves
 * does not wait for that.
 */
async function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  let leave = (): void => undefined;
  const left = new Promise<never>((_resolve, reject) => {
    leave = () => reject(signal.reason as Error);
    signal.addEventListener('abort', leave);
    if (signal.aborted) leave();
  });
  try {
    return await Promise.race([answer, left]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

export const runContinues = 'the run continues';

/**
 * The line for a person who leaves before the store answers.
 * @param meanwhile says what continues, unless the end of the run is known
 */
export function leftAway(
  run: string,
  entries: readonly Entry[],
  meanwhile: string | undefined,
): string {
  const last = endIn(entries);
  const known =
    last === undefined ? meanwhile : `its last known line is its end, with exit code ${last.exit}`;
  const look = `look at it again: deskhand runs logs -f ${shellWord(run)}`;
  return ['the store gives no answer', ...(known === undefined ? [] : [known]), look].join('; ');
}
