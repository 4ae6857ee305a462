/** A live window on stderr for one step, drawn with listr2 below the lines that were printed. */
import process from 'node:process';
import { DefaultRenderer, Listr, ListrLogger, ProcessOutput } from 'listr2';

export interface LiveWindow {
  readonly step: string;
  draw(title: string, rows: readonly string[]): void;
  end(): Promise<void>;
}

/** Opens one list for one step. It only draws, decides nothing, and handles no signals. */
export function openWindow(step: string): LiveWindow {
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let shown: { title: string; output: string } = { title: step, output: '' };
  let show: () => void = () => undefined;
  const list = new Listr(
    {
      title: step,
      task: async (_context, task) => {
        show = () => {
          task.title = shown.title;
          task.output = shown.output;
        };
        show();
        await finished;
      },
      rendererOptions: { outputBar: true },
    },
    {
      exitOnError: false,
      registerSignalListeners: false,
      renderer: StderrRenderer,
      rendererOptions: {
        clearOutput: true,
        formatOutput: 'truncate',
        logger: new ListrLogger({
          processOutput: new ProcessOutput(process.stderr, process.stderr, {
            leaveEmptyLine: false,
          }),
        }),
      },
    },
  );
  const running = list.run();
  return {
    step,
    draw: (title, rows) => {
      const next = { title, output: rows.join('\n') };
      if (next.title === shown.title && next.output === shown.output) return;
      shown = next;
      show();
    },
    end: async () => {
      finish();
      await running;
    },
  };
}

/**
 * A renderer that writes to stderr, which we have checked already: listr2 checks whether stdout is
 * a terminal.
 */
class StderrRenderer extends DefaultRenderer {
  static override readonly nonTTY = true;
}
