/** Commands on a started run: what stops one says what is in doubt, and never that nothing was sent. */
import { RecordError } from '../../approval/error.ts';
import { DeskhandError, exits } from '../../base/error.ts';
import { listed, plainText, shellWord } from '../../base/text.ts';
import { LockedError } from '../../journal/lock.ts';
import { mayHaveSent } from '../../journal/possible.ts';
import { setAsideIn } from '../../journal/unfinished.ts';
import { summaryOf } from '../../report/summary.ts';
import { errorOfBegun } from '../../runtime/exit.ts';
import type { Entry } from '../../journal/entry.ts';
import { HeldError } from '../../state-store/store.ts';
import { describeError } from './describe.ts';
import { StoppedError } from '../machine/interrupt.ts';
import { RepeatedError } from './unfinished.ts';

/** Receives the entries of the run. @returns the same entries */
export type NoteRecord = (entries: readonly Entry[]) => readonly Entry[];

/**
 * @throws the error of the work; with exit 6 or 1 instead of 3 unless the record shows that nothing
 * was sent
 */
export async function ofBegunRun<T>(work: (note: NoteRecord) => Promise<T>): Promise<T> {
  let known: readonly Entry[] | undefined;
  try {
    return await work((entries) => (known = entries));
  } catch (error) {
    throw errorOfBegun(error, known);
  }
}

/**
 * The same for a run that is to continue: whatever prevents that, with a doubt the exit code is 6, and
 * the message names the doubt.
 */
export async function ofResumedRun<T>(work: (note: NoteRecord) => Promise<T>): Promise<T> {
  let known: readonly Entry[] | undefined;
  try {
    return await work((entries) => (known = entries));
  } catch (error) {
    throw errorOfResumed(error, known);
  }
}

function errorOfResumed(error: unknown, entries: readonly Entry[] | undefined): unknown {
  // Another process has the run, and reports its doubts.
  if (error instanceof LockedError || error instanceof HeldError) return error;
  const doubts = entries === undefined ? [] : doubtsOf(entries);
  if (entries !== undefined && doubts.length > 0) return withDoubts(error, entries, doubts);
  const begun = errorOfBegun(error, entries);
  if (!(begun instanceof DeskhandError) || begun.exit !== exits.heldBack) return begun;
  if (entries === undefined || !mayHaveSent(entries)) return begun;
  const { code, actor, hint, exit } = begun;
  return new DeskhandError(`${moreWords(begun.message)}; nothing more was sent`, {
    code,
    actor,
    exit,
    ...(hint !== undefined && { hint }),
    cause: error,
  });
}

/** What is in doubt, unless a person left it so. */
function doubtsOf(entries: readonly Entry[]): readonly string[] {
  if (entries[0]?.kind !== 'started' || setAsideIn(entries) !== undefined) return [];
  return summaryOf(entries).inDoubt.map(({ address, what }) => `${address} (${what})`);
}

function withDoubts(
  error: unknown,
  entries: readonly Entry[],
  doubts: readonly string[],
): DeskhandError {
  const { code, message, hint, actor, exit } = describeError(error);
  const isStopped = error instanceof StoppedError;
  return new DeskhandError(`${moreWords(message)}; ${doubtWords(doubts)}`, {
    code,
    actor,
    exit: isStopped ? exit : exits.inDoubt,
    hint: [
      ...(hint === undefined ? [] : [hint]),
      ...(isForGood(error) ? [] : [`then ${resumeWords(entries)}`]),
    ].join('; '),
    cause: error,
  });
}

/** Whether each resume would end so: the hint names what else can be done. */
function isForGood(error: unknown): boolean {
  return error instanceof RepeatedError || error instanceof RecordError;
}

/** `in doubt: first (BTCUSDT open long 0.01 @ 40,000)`. */
function doubtWords(doubts: readonly string[]): string {
  const more = doubts.length > shownMax ? [`${doubts.length - shownMax} more`] : [];
  return `in doubt: ${listed([...doubts.slice(0, shownMax), ...more])}`;
}

const shownMax = 5; // doubts that are named

function resumeWords([started]: readonly Entry[]): string {
  return `\`deskhand resume ${shellWord(started?.kind === 'started' ? started.run : 'RUN')}\``;
}

function moreWords(message: string): string {
  return message.replace(/; nothing was sent$/, '');
}

/** What an immediate exit leaves: the run, its doubts, and the next command, as lines. */
export function abandonedWords(entries: readonly Entry[]): readonly string[] {
  const [started] = entries;
  if (started?.kind !== 'started') return [];
  const doubts = doubtsOf(entries);
  const run = `run ${plainText(started.run, 60)}`;
  const left = doubts.length === 0 ? 'every outcome so far is known' : doubtWords(doubts);
  return [`${run}: ${left}`, `continue it: ${resumeWords(entries)}`];
}
