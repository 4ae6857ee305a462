/** A run in progress: its events while it runs, and its outcome. */
import type { Entry } from '../../engine/journal/entry.ts';
import { Feed } from './feed.ts';
import { isSignal } from './signal.ts';
import type { Notice } from './notice.ts';
import type { RunOutcome } from './run-outcome.ts';

/** An event of a run: an entry of the journal, once it is on the disk, or a notice. */
export type RunEvent = Entry | Notice;

/**
 * A run in progress. It runs whether or not its events are read. Leaving a loop over the events early, by
 * `break`, `return` or an error, stops the run in order; the program continues when the run has ended.
 */
export interface RunInProgress extends AsyncIterable<RunEvent> {
  /** The outcome of the run. The promise never rejects: errors are outcomes. */
  readonly result: Promise<RunOutcome>;
  /** Stops the run in order, as aborting its signal does. @returns the result */
  stop(): Promise<RunOutcome>;
}

/** The means by which the execution of a run reports its events and is stopped. */
export interface RunControl {
  readonly feed: Feed<RunEvent>;
  /** The signal that stops the run in order. */
  readonly stop: AbortSignal;
}

/**
 * Starts the work now.
 * @param given a signal, aborted from outside to stop in order; the work refuses anything else
 */
export function inProgress(
  given: unknown,
  work: (control: RunControl) => Promise<RunOutcome>,
): RunInProgress {
  const signal = isSignal(given) ? given : undefined;
  const feed = new Feed<RunEvent>();
  const stopping = new AbortController();
  const onAbort = (): void => stopping.abort();
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  const result = work({ feed, stop: stopping.signal }).finally(() => {
    signal?.removeEventListener('abort', onAbort);
    feed.end();
  });
  const stop = (): Promise<RunOutcome> => {
    onAbort();
    return result;
  };
  const leave = async (): Promise<void> => {
    await stop();
  };
  return { result, stop, [Symbol.asyncIterator]: () => feed.read(leave) };
}
