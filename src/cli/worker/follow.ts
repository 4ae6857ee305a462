/** Shows a queued run like one that runs here, until it ends. */
import { second, type Millis } from '../../base/clock.ts';
import { DeskhandError, exits, UsageError, type ExitCode } from '../../base/error.ts';
import { plainText, shellWord } from '../../base/text.ts';
import { endIn, isDone, type Finished } from '../../engine/journal/end.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { summaryOf, type Summary } from '../../report/summary.ts';
import type { Ending, JobState } from '../../stores/queue.ts';
import { UnreachableError } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { reportObject } from '../../app/running/report.ts';
import { writeJson } from '../running/documents.ts';
import { stoppable } from '../../app/machine/interrupt.ts';
import { screenFor } from '../running/screen.ts';
import type { Jobs } from '../../stores/job-store.ts';
import { printRun } from '../running/result.ts';
import { leftAway, patiently, runContinues } from '../../app/queue/patience.ts';
import { storedTail } from '../../app/queue/stored-tail.ts';
import { noteOf, queueView } from '../../app/queue/waiting.ts';

const pollMs = second / 2;

/** The notice at the first signal to a command that only watches a run. */
export const leavingNotice = 'the run continues; press again to exit immediately';

/**
 * Prints a queued run until it ends; Ctrl-C does not stop the run. @returns the exit code of the
 * run
 */
export async function follow(id: string, jobs: Jobs, context: Context): Promise<ExitCode> {
  return stoppable(
    context,
    async (interruption) => {
      const screen = await screenFor(interruption.drain, context);
      const followed = followedOn(screen, id, jobs, interruption.drain, context);
      try {
        return (await shownUntilEnd(followed)) ?? interruption.exit() ?? exits.interrupted;
      } finally {
        await screen.close();
      }
    },
    leavingNotice,
  );
}

/** A run that is followed. */
interface Followed {
  readonly id: string;
  readonly jobs: Jobs;
  readonly context: Context;
  /** The entries that were shown. */
  readonly entries: readonly Entry[];
  /** The signal to stop following. */
  readonly drain: AbortSignal;
  /** Asks the queue or the store, also while it cannot be reached. */
  readonly ask: ReturnType<typeof patiently>;
  /** Shows the entries that were added. */
  readonly showAdded: () => Promise<void>;
}

function followedOn(
  screen: Awaited<ReturnType<typeof screenFor>>,
  id: string,
  jobs: Jobs,
  drain: AbortSignal,
  context: Context,
): Followed {
  const { err } = context.terminal;
  const entries: Entry[] = [];
  const tail = storedTail(id, jobs.runs);
  const ask = patiently({
    clock: context.clock,
    signal: drain,
    say: (line) => (screen.say === undefined ? err.line(line) : screen.say(line)),
    meanwhile: () => runContinues,
    hasEnough: () => isDone(entries),
  });
  const showAdded = async (): Promise<void> => {
    for (const entry of await ask(() => tail.added())) {
      entries.push(entry);
      screen.show(entry);
    }
  };
  return { id, jobs, context, entries, drain, ask, showAdded };
}

/** @returns the exit code of the run; undefined when it continues and is left */
async function shownUntilEnd(followed: Followed): Promise<ExitCode | undefined> {
  const { id, entries, drain, context } = followed;
  try {
    return await endOf(followed);
  } catch (error) {
    const last = endIn(entries);
    if (error instanceof UnreachableError && last !== undefined)
      return shown(last, entries, last.exit, context);
    if (error !== drain.reason) throw error;
    context.terminal.err.line(leftAway(id, entries, runContinues));
    return undefined;
  }
}

async function endOf(followed: Followed): Promise<ExitCode | undefined> {
  const { id, jobs, context, entries, drain, ask, showAdded } = followed;
  const { err } = context.terminal;
  let noted = '';
  let doneAt: Millis | undefined;
  for (;;) {
    // The state is asked for first: once the job has ended, its last lines are stored.
    const state = await ask(() => jobs.queue.find(id));
    await showAdded();
    if (state === undefined) throw new UsageError(`${id} is not queued any more`);
    if (entries.length === 0) {
      const note = noteOf(state, await ask(() => queueView(jobs)));
      if (note !== noted) err.line(`${id} ${note}`);
      noted = note;
    }
    if (state.state === 'ended') return ended(state, entries, context);
    const last = endIn(entries);
    if (last !== undefined && isDone(entries)) {
      // The run may have been done without its job, which then does nothing. A worker that has the job
      // releases its accounts first.
      doneAt ??= context.clock.monotonic();
      const isLeft = context.clock.monotonic() - doneAt >= jobs.lease;
      if (state.state === 'queued' || isLeft) return shown(last, entries, last.exit, context);
    }
    if (drain.aborted) {
      err.line(`${id} continues; stop it with: deskhand runs cancel ${shellWord(id)}`);
      return undefined;
    }
    await context.clock.sleep(pollMs, drain).catch(() => undefined);
  }
}

async function ended(
  state: JobState,
  entries: readonly Entry[],
  context: Context,
): Promise<ExitCode> {
  const { ending } = state;
  const last = endIn(entries);
  // A job without a result was refused by its worker, or cancelled by a person.
  const isEnded = ending?.result !== undefined || isDone(entries);
  if (last === undefined || !isEnded) throw refusedJob(state);
  return shown(last, entries, isDone(entries) ? last.exit : exitOf(ending), context);
}

async function shown(
  last: Finished,
  entries: readonly Entry[],
  exit: ExitCode,
  context: Context,
): Promise<ExitCode> {
  const summary = queuedAgain(summaryOf(entries));
  printRun({ result: last, summary, entries, exit }, context);
  await writeJson(reportObject(summary, last), context);
  return exit;
}

/** The data of a job that has ended. */
export type EndedJob = Pick<JobState, 'ending' | 'worker' | 'stoppedBy'>;

export const messageMax = 2_000; // characters: it names doubts

/** The exit code of the run; 1 if its job ended with a number that is not an exit code. */
export function exitOf(ending: Ending | undefined): ExitCode {
  return Object.values(exits).find((each) => each === ending?.exit) ?? exits.stopped;
}

/**
 * The summary with commands that queue the run again: a person who follows it may have no key, and
 * a worker continues it.
 */
function queuedAgain(summary: Summary): Summary {
  const resume = `deskhand resume ${shellWord(summary.run)}`;
  const next = summary.next.map((each) =>
    each.command === resume ? { ...each, command: `${resume} --queue` } : each,
  );
  return { ...summary, next };
}

/** The error of a job that ended without its run: its worker says why, unless a person ended it. */
export function refusedJob({ ending, worker, stoppedBy }: EndedJob): DeskhandError {
  const who = worker === undefined || stoppedBy !== undefined ? '' : `${plainText(worker, 80)}: `;
  return new DeskhandError(`${who}${plainText(ending?.message ?? 'it ended', messageMax)}`, {
    code: 'job',
    actor: 'operator',
    exit: exitOf(ending),
    ...(ending?.hint !== undefined && { hint: plainText(ending.hint, messageMax) }),
  });
}
