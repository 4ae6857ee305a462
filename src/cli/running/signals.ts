/** Ctrl-C and other signals: the first stops the run in order, the second exits immediately. */
import { writeSync } from 'node:fs';
import process from 'node:process';
import { exits, type ExitCode } from '../../base/error.ts';
import { isInterrupt, stopSignals } from '../../base/platform/system.ts';
import type { OnSignal } from '../../app/app-context.ts';
import type { Terminal } from '../../report/terminal/terminal.ts';

/** Listens for signals of this process. */
export function signalsOf(terminal: Terminal): OnSignal {
  return (received, notice, left) => {
    let isStopping = false;
    const stop = (signal: NodeJS.Signals): void => {
      const code = isInterrupt(signal) ? exits.interrupted : exits.terminated;
      if (isStopping) leave(code, left(), terminal);
      isStopping = true;
      received(code);
      terminal.err.line(notice);
    };
    for (const signal of stopSignals()) process.on(signal, stop);
    return () => {
      for (const signal of stopSignals()) process.off(signal, stop);
    };
  };
}

/**
 * Exits now. Intents are already on the disk, so nothing is lost. The message is written directly
 * to the terminal, because a live window intercepts the stream and hides the cursor.
 */
function leave(code: ExitCode, left: readonly string[], { err }: Terminal): never {
  const cursor = err.theme.isLive ? '\n\u001b[?25h' : '';
  try {
    const lines = ['exited immediately; the journal is intact', ...left];
    writeSync(process.stderr.fd, `${cursor}${lines.join('\n')}\n`);
  } catch {
    // the output was closed; exit anyway
  }
  process.exit(code);
}
