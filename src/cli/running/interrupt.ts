/** Ctrl-C and its relatives: the first asks the run to end well, the second leaves at once. */
import { writeSync } from 'node:fs';
import process from 'node:process';
import { second, type Clock } from '../../base/clock.ts';
import { DeskhandError, exits, type ExitCode } from '../../base/error.ts';
import type { Terminal } from '../screens/terminal.ts';

export interface Interruption {
  /** Aborted by the first signal, with a StoppedError: nothing new is sent. */
  readonly drain: AbortSignal;
  /** Aborted when answers have been waited for long enough. */
  readonly halt: AbortSignal;
  /** The code to leave with when a signal came. */
  exit(): ExitCode | undefined;
  /** Gives the signals back. */
  close(): void;
}

/** Stopped while it read, planned or asked: a run that had begun ends by itself. */
export class StoppedError extends DeskhandError {
  constructor(exit: ExitCode) {
    super('interrupted; nothing was sent', {
      code: 'interrupted',
      actor: 'operator',
      exit,
      hint: 'give the command again when you like',
    });
  }
}

const patience = 10 * second; // for answers that are under way
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Listens until closed. */
export function interruption(terminal: Terminal, clock: Clock): Interruption {
  const draining = new AbortController();
  const halting = new AbortController();
  const closing = new AbortController();
  let received: ExitCode | undefined;
  const stop = (signal: NodeJS.Signals): void => {
    const code = signal === 'SIGINT' ? exits.interrupted : exits.terminated;
    if (received !== undefined) leave(code, terminal);
    received = code;
    draining.abort(new StoppedError(code));
    terminal.err.line(
      'stopping: waiting for answers under way, at most 10 s; again to leave at once',
    );
    void haltLater(clock, closing.signal, halting);
  };
  for (const signal of signals) process.on(signal, stop);
  return {
    drain: draining.signal,
    halt: halting.signal,
    exit: () => received,
    close: () => {
      for (const signal of signals) process.off(signal, stop);
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
  halting.abort(new Error('answers did not come within 10 s'));
}

/**
 * What was intended is on the disk already: nothing is lost by leaving now. Written straight to the
 * terminal, for a live window holds back what goes through the stream, and hides the cursor.
 */
function leave(code: ExitCode, { err }: Terminal): never {
  const cursor = err.look.isLive ? '\n\u001b[?25h' : '';
  writeSync(process.stderr.fd, `${cursor}left at once; the journal is safe\n`);
  process.exit(code);
}
