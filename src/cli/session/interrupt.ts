/** Ctrl-C and other signals: the first stops the run in order, the second exits immediately. */
import { writeSync } from 'node:fs';
import process from 'node:process';
import { second, type Clock } from '../../base/clock.ts';
import { DeskhandError, exits, type ExitCode } from '../../base/error.ts';
import type { Terminal } from '../screens/terminal.ts';

export interface Interruption {
  /** Aborted by the first signal, with a StoppedError: nothing new is sent. */
  readonly drain: AbortSignal;
  /** Aborted when the time limit for responses has passed. */
  readonly halt: AbortSignal;
  /** The exit code after a signal. */
  exit(): ExitCode | undefined;
  /** Restores the default signal handlers. */
  close(): void;
}

/** Stopped while it read, planned or prompted; a started run ends by itself. */
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
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Listens for signals until closed.
 * @param asked aborted instead of them: the process belongs to others
 * @param notice printed at the first signal
 */
export function interruption(
  terminal: Terminal,
  clock: Clock,
  asked?: AbortSignal,
  notice = 'stopping: waiting up to 10 s for responses; press again to exit immediately',
): Interruption {
  const draining = new AbortController();
  const halting = new AbortController();
  const closing = new AbortController();
  let received: ExitCode | undefined;
  const stop = (signal: NodeJS.Signals): void => {
    const code = signal === 'SIGINT' ? exits.interrupted : exits.terminated;
    if (received !== undefined) leave(code, terminal);
    received = code;
    draining.abort(new StoppedError(code));
    terminal.err.line(notice);
    void haltLater(clock, closing.signal, halting);
  };
  const drain = (): void => {
    received = exits.terminated;
    draining.abort(new StoppedError(exits.terminated));
    void haltLater(clock, closing.signal, halting);
  };
  if (asked === undefined) for (const signal of signals) process.on(signal, stop);
  else if (asked.aborted) drain();
  else asked.addEventListener('abort', drain, { once: true });
  return {
    drain: draining.signal,
    halt: halting.signal,
    exit: () => received,
    close: () => {
      for (const signal of signals) process.off(signal, stop);
      asked?.removeEventListener('abort', drain);
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

/**
 * Intents are already on the disk, so nothing is lost by exiting now. Written directly to the
 * terminal, because a live window intercepts the stream and hides the cursor.
 */
function leave(code: ExitCode, { err }: Terminal): never {
  const cursor = err.theme.isLive ? '\n\u001b[?25h' : '';
  try {
    writeSync(process.stderr.fd, `${cursor}exited immediately; the journal is intact\n`);
  } catch {
    // the output was closed; exit anyway
  }
  process.exit(code);
}
