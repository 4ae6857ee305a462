/** A run in progress: its events while it runs, and its outcome. */
import type { Entry } from '../../engine/journal/entry.ts';
import { Feed } from './feed.ts';
import { isSignal } from './signal.ts';
import type { Notice } from './notice.ts';
import type { RunOutcome } from './run-outcome.ts';

/** An entry of the journal, once it is on the disk; or a notice. */
export type RunEvent = Entry | Notice;

/**
 * A run in progress. It runs whether or not its events are read. A loop over them that is left
 * early, by `break`, `return` or an error, stops the run in order, and continues when it has ended.
 */
export interface RunInProgress extends AsyncIterable<RunEvent> {
  /** Never rejects: errors are outcomes. */
  readonly result: Promise<RunOutcome>;
  /** Stops the run in order, as its signal does. @returns the result */
  stop(): Promise<RunOutcome>;
}

/** What the execution of a run gets. */
export interface RunControl {
  readonly feed: Feed<RunEvent>;
  /** Aborted to stop in order. */
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
