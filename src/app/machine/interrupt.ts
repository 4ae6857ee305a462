/** Stops the work in order: nothing new is sent, and pending responses are awaited. */
import { second, type Clock } from '../../base/clock.ts';
import { DeskhandError, exits, type ExitCode } from '../../base/error.ts';
import type { AppContext } from '../app-context.ts';

export interface Interruption {
  /** The signal that the first interruption aborts, with a StoppedError: nothing new is sent. */
  readonly drain: AbortSignal;
  /** The signal that is aborted when the time limit for responses has passed. */
  readonly halt: AbortSignal;
  /** The exit code after a signal. */
  exit(): ExitCode | undefined;
  /** Sets the function that gives the lines to print at an immediate exit. */
  leaves(lines: () => readonly string[]): void;
  /** Stops listening for interruptions. */
  close(): void;
}

/** The work was stopped while it read, planned or prompted; a started run ends by itself. */
export class StoppedError extends DeskhandError {
  constructor(exit: ExitCode) {
    super('interrupted; nothing was sent', {
      code: 'interrupted',
      actor: 'operator',
      exit,
      hint: 'run the command again',
    });
  }
}

const patience = 10 * second; // how long pending responses are awaited

/**
 * Installs the signals with which work is interrupted, and removes them in any case.
 * @param notice printed at the first signal. Default: that responses are awaited
 */
export async function stoppable<T>(
  context: Pick<AppContext, 'clock' | 'stop' | 'onSignal'>,
  work: (stopping: Interruption) => Promise<T>,
  notice?: string,
): Promise<T> {
  const stopping = interruption(context, notice);
  try {
    return await work(stopping);
  } finally {
    stopping.close();
  }
}

/**
 * Listens for interruptions until closed: for an abort of the given signal if there is one, else for signals
 * of the process, if it is ours.
 * @param notice for a person, at the first signal of the process
 */
export function interruption(
  { clock, stop, onSignal }: Pick<AppContext, 'clock' | 'stop' | 'onSignal'>,
  notice = 'stopping: waiting up to 10 s for responses; press again to exit immediately',
): Interruption {
  const draining = new AbortController();
  const halting = new AbortController();
  const closing = new AbortController();
  let received: ExitCode | undefined;
  let left: () => readonly string[] = () => [];
  const drain = (code: ExitCode): void => {
    received = code;
    draining.abort(new StoppedError(code));
    void haltLater(clock, closing.signal, halting);
  };
  const onAbort = (): void => drain(exits.terminated);
  const unlisten = stop === undefined ? onSignal?.(drain, notice, () => left()) : undefined;
  if (stop?.aborted) onAbort();
  else stop?.addEventListener('abort', onAbort, { once: true });
  return {
    drain: draining.signal,
    halt: halting.signal,
    exit: () => received,
    leaves: (lines) => {
      left = lines;
    },
    close: () => {
      unlisten?.();
      stop?.removeEventListener('abort', onAbort);
      closing.abort(new Error('over'));
    },
  };
}

async function haltLater(
  clock: Clock,
  closed: AbortSignal,
  halting: AbortController,
): Promise<void> {
  try {
    await clock.sleep(patience, closed);
  } catch {
    return; // everything ended in time
  }
  halting.abort(new Error('responses did not arrive within 10 s'));
}
