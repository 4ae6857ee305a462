/** The errors of commands on a started run: they say what is in doubt, and never that nothing was sent. */
import { RecordError } from '../../engine/approval/approval-error.ts';
import { DeskhandError, exits, type ExitCode } from '../../base/error.ts';
import { count, listed, plainText, shellWord } from '../../base/text.ts';
import { LockedError } from '../../engine/journal/lock.ts';
import { mayHaveSent } from '../../engine/journal/possible.ts';
import { sentIn, setAsideIn } from '../../engine/journal/unfinished.ts';
import { StalePlanError } from '../../engine/plan/stale.ts';
import { summaryOf } from '../../report/summary.ts';
import { errorOfBegun } from '../../engine/runtime/exit.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { HeldError } from '../../stores/store.ts';
import { describeError } from './describe.ts';
import { CheckoutError } from '../machine/checkout.ts';
import type { AppContext } from '../app-context.ts';
import { StoppedError } from '../machine/interrupt.ts';
import { UnfinishedError } from './unfinished.ts';

/** Receives the entries of the run. @returns the same entries */
export type NoteRecord = (entries: readonly Entry[]) => readonly Entry[];

/**
 * Does work on a begun run.
 * @throws the error of the work; with exit 6 or 1 instead of 3 unless the record shows that nothing was sent
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
 * Does work that continues a begun run. If anything prevents that, the message says what was sent and what is
 * in doubt; the exit code is 6 with a doubt.
 */
export async function ofResumedRun<T>(
  work: (note: NoteRecord) => Promise<T>,
  { isWorker }: Pick<AppContext, 'isWorker'> = {},
): Promise<T> {
  let known: readonly Entry[] | undefined;
  try {
    return await work((entries) => (known = entries));
  } catch (error) {
    throw errorOfContinued(error, known, isWorker === true);
  }
}

/** The error when a begun run does not continue: the message says what it did and what is in doubt. */
export class NotContinuedError extends DeskhandError {
  /** The exit code of the run for people who follow it: 5 would say that nothing was sent. */
  get exitOfRun(): ExitCode {
    return this.exit === exits.heldBack ? exits.stopped : this.exit;
  }
}

/**
 * The error that prevents a begun run from continuing, with what the run did and what is in doubt.
 * @param entries its record; undefined if it cannot be read
 * @param isQueued whether workers execute it: who reads this may have no key
 * @returns the error itself if it says that already, or nothing was sent
 */
export function errorOfContinued(
  error: unknown,
  entries: readonly Entry[] | undefined,
  isQueued = false,
): unknown {
  if (error instanceof NotContinuedError) return error;
  // Another process has the run, and reports its doubts.
  if (error instanceof LockedError || error instanceof HeldError) return error;
  if (entries === undefined || !mayHaveSent(entries)) return errorOfBegun(error, entries);
  const doubts = doubtsOf(entries);
  const begun = errorOfBegun(error, entries);
  const { code, message, hint, actor, exit } = describeError(begun);
  if (doubts.length === 0 && exit !== exits.heldBack) return begun;
  const words = [
    sentWords(entries),
    doubts.length === 0 ? 'nothing more was sent' : doubtWords(doubts),
  ];
  const first = hintsOf(begun, hint);
  const then = first.length === 0 ? 'continue it:' : 'then';
  const isNamed = first.some((one) => one.includes(resumeWords(entries).slice(1, -1)));
  const next = isForGood(error) || isNamed ? [] : [`${then} ${resumeWords(entries, isQueued)}`];
  return new NotContinuedError([moreWords(message), ...words.filter(Boolean)].join('; '), {
    code,
    actor,
    exit: doubts.length === 0 ? exit : exitInDoubt(error, exit),
    hint: [...first, ...next].join('; '),
    cause: error,
  });
}

/**
 * The error when another process continues a run that this one began or continued: the record there decides.
 */
export function takenOverError(error: unknown, run: string, entries: readonly Entry[]): unknown {
  if (!mayHaveSent(entries)) return error;
  const doubts = doubtsOf(entries);
  const words = [sentWords(entries), doubts.length === 0 ? '' : doubtWords(doubts)];
  const message = `another process has taken ${plainText(run, 60)} over`;
  return new NotContinuedError([message, ...words].filter(Boolean).join('; '), {
    code: doubts.length === 0 ? 'locked' : 'in-doubt',
    actor: 'operator',
    exit: doubts.length === 0 ? exits.stopped : exits.inDoubt,
    hint: `it looks up what is in doubt and continues: deskhand runs logs -f ${shellWord(run)}`,
    cause: error,
  });
}

/** The exit code of a run in doubt; a person who stopped the run knows that it is not done. */
function exitInDoubt(error: unknown, exit: ExitCode): ExitCode {
  return error instanceof StoppedError ? exit : exits.inDoubt;
}

/** Counts the sent writes that are not in doubt: `12 writes sent`. */
function sentWords(entries: readonly Entry[]): string {
  const [started] = entries;
  const isOpen = started?.kind === 'started' && setAsideIn(entries) === undefined;
  const sent = isOpen ? sentIn(entries) : 0;
  return sent === 0 ? '' : `${count(sent, 'write')} sent`;
}

/** The writes in doubt, except those that a person left so. */
function doubtsOf(entries: readonly Entry[]): readonly string[] {
  if (entries[0]?.kind !== 'started' || setAsideIn(entries) !== undefined) return [];
  return summaryOf(entries).inDoubt.map(({ address, what }) => `${address} (${what})`);
}

/** The hints for a person, what to do first; not a new plan, which the unfinished run would block. */
function hintsOf(error: unknown, hint: string | undefined): readonly string[] {
  if (error instanceof CheckoutError) return ['check out the commit of its plan there'];
  return hint === undefined || error instanceof StalePlanError ? [] : [hint];
}

/** Whether each resume would end with the same error: the hint names another way. */
function isForGood(error: unknown): boolean {
  return error instanceof UnfinishedError || error instanceof RecordError;
}

/** Names the writes in doubt: `in doubt: first (BTCUSDT open long 0.01 @ 40,000)`. */
function doubtWords(doubts: readonly string[]): string {
  const more = doubts.length > shownMax ? [`${doubts.length - shownMax} more`] : [];
  return `in doubt: ${listed([...doubts.slice(0, shownMax), ...more])}`;
}

const shownMax = 5; // doubts that are named

function resumeWords([started]: readonly Entry[], isQueued = false): string {
  const run = shellWord(started?.kind === 'started' ? started.run : 'RUN');
  return `\`deskhand resume ${run}${isQueued ? ' --queue' : ''}\``;
}

function moreWords(message: string): string {
  return message.replace(/; nothing was sent$/, '');
}

/** The lines for an immediate exit: the run, its doubts, and the next command. */
export function abandonedWords(entries: readonly Entry[]): readonly string[] {
  const [started] = entries;
  if (started?.kind !== 'started') return [];
  const doubts = doubtsOf(entries);
  const run = `run ${plainText(started.run, 60)}`;
  const left = doubts.length === 0 ? 'every outcome so far is known' : doubtWords(doubts);
  return [`${run}: ${left}`, `continue it: ${resumeWords(entries)}`];
}
