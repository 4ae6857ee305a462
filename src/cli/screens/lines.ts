/** A run without a terminal: one plain line for each change, and a progress line every minute. */
import { minute, type Clock } from '../../base/clock.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { timeOf } from '../../report/words.ts';
import { annotation } from '../../report/terminal/annotation.ts';
import { runLines } from '../../report/terminal/run-lines.ts';
import type { Screen } from './screen.ts';
import type { Channel } from '../../report/terminal/terminal.ts';

export interface LinesOptions {
  readonly clock: Clock;
  /** Whether every request and response is printed, too. */
  readonly isVerbose: boolean;
  /** Whether annotations for GitHub Actions are printed. */
  readonly isGithub: boolean;
}

export function linesScreen(channel: Channel, options: LinesOptions): Screen {
  const lines = runLines(options);
  const closing = new AbortController();
  let started: Extract<Entry, { kind: 'started' }> | undefined;
  const beating = heartbeat(options.clock, closing.signal, () =>
    channel.line(`${timeOf(options.clock.now()).slice(0, 8)} … still running: ${lines.last()}`),
  );
  return {
    recall: (entries) => {
      for (const entry of entries) {
        if (entry.kind === 'started') started = entry;
        lines.recall(entry);
      }
    },
    show: (entry) => {
      if (entry.kind === 'started') started = entry;
      for (const line of lines.add(entry)) channel.line(line);
      if (options.isGithub && started) {
        const text = annotation(entry, started);
        if (text !== undefined) channel.command(text);
      }
    },
    close: async () => {
      closing.abort(new Error('the run has ended'));
      await beating;
    },
  };
}

async function heartbeat(clock: Clock, signal: AbortSignal, beat: () => void): Promise<void> {
  while (!signal.aborted) {
    try {
      await clock.sleep(minute, signal);
    } catch {
      return; // the run has ended
    }
    beat();
  }
}
