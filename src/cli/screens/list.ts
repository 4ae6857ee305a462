/** A run on a terminal: a line for each completed step, and a live window for the current one. */
import process from 'node:process';
import { DefaultRenderer, Listr, ListrLogger, ProcessOutput } from 'listr2';
import type { Clock } from '../../base/clock.ts';
import { plainText } from '../../base/text.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { accountField, onAccounts } from '../../report/accounts.ts';
import { lateOrders } from '../../report/late-orders.ts';
import { learnedWords, outlierWords, unlistedWords } from '../../report/assumptions.ts';
import { stepOf } from '../../report/step-of.ts';
import { headerLine } from '../../report/terminal/header.ts';
import { readingProgress } from '../../report/terminal/reading.ts';
import type { Screen } from './screen.ts';
import { stepText, widthsOf, type Widths } from '../../report/terminal/step-text.ts';
import { statusReader } from '../../report/terminal/status.ts';
import type { Channel } from '../../report/terminal/terminal.ts';
import {
  follow,
  openStep,
  pendingRows,
  rowsOf,
  titleOf,
  type OpenStep,
} from '../../report/terminal/window.ts';

const drawEvery = 100; // ms between draws
const pendingMax = 5; // rows
const keptFree = 8; // rows of the terminal left above the window

/** Lines are written to `channel`; the window is drawn on stderr between them. */
export function listScreen(channel: Channel, clock: Clock, drain: AbortSignal): Screen {
  const { theme } = channel;
  const statuses = statusReader();
  const reading = readingProgress();
  const late = lateOrders();
  const { accounts } = statuses;
  const open = new Map<string, OpenStep>();
  const uses = new Map<string, string>();
  const pending = new Map<string, { readonly id: string; readonly uses: string }>();
  const lines: string[] = [];
  const waitedFor = new Set<string>(); // waits that ended after their step was closed
  let said = ''; // last, while the window was open
  let run = '';
  let widths: Widths = { id: 0, uses: 0 };
  let live: Live | undefined;
  const closing = new AbortController();

  const flush = (): void => {
    if (live !== undefined) return;
    said = '';
    for (const line of lines.splice(0)) channel.line(line);
  };
  const endWindow = async (): Promise<void> => {
    const ending = live;
    if (ending === undefined) return;
    await ending.end();
    if (live === ending) live = undefined;
    flush();
  };
  const draw = (): void => {
    const [step] = open.values();
    if (step === undefined) return;
    live ??= openWindow(step.id);
    if (live.step !== step.id) return;
    const room = Math.max(3, (process.stderr.rows ?? 24) - keptFree);
    const rows = rowsOf(step, theme, room, clock.now());
    rows.push(
      ...pendingRows([...pending.values()], theme, Math.min(pendingMax, room - rows.length)),
    );
    if (live !== undefined && said !== '') rows.push(theme.paint('warn', said));
    if (drain.aborted)
      rows.push(theme.paint('warn', 'stopping; press Ctrl-C again to exit immediately'));
    live.draw(titleOf(step, theme), rows);
  };
  const drawing = everyFrame(clock, closing.signal, draw);

  /** An address with its account. */
  const placed = (address: string): string =>
    `${plainText(address, 80)}${onAccounts([accountField(accounts.of(address))])}`;
  const lookedAt = (address: string): void => {
    if (waitedFor.has(address)) return;
    waitedFor.add(address);
    const name = placed(address);
    lines.push(
      theme.paint(
        'faint',
        `${theme.glyphs.dots} ${name} is done; checking whether the lists show it`,
      ),
    );
  };
  const note = (entry: Entry): void => {
    const progress = reading.add(entry);
    const order = late.add(entry);
    switch (entry.kind) {
      case 'started':
        run = entry.run;
        widths = widthsOf(entry.steps);
        for (const step of entry.steps) {
          uses.set(step.id, step.uses);
          pending.set(step.id, step);
        }
        lines.push(headerLine(entry, theme), '');
        return;
      case 'opened':
        pending.delete(entry.step);
        open.set(entry.step, openStep(entry, uses.get(entry.step) ?? '', accounts));
        return;
      case 'unmet':
        lines.push(
          `${theme.paint('warn', '!')} ${placed(entry.address)}: ${plainText(entry.message)}`,
        );
        return;
      case 'closed': {
        open.delete(entry.step);
        pending.delete(entry.step);
        const line = statuses.step(entry.step);
        if (line !== undefined) lines.push(...stepText(line, widths, theme));
        return;
      }
      case 'visibility':
        if (entry.orders === 'unlisted') {
          lines.push(theme.paint('warn', `! ${unlistedWords(entry.profile, [entry.line])}`));
        } else if (entry.order.run !== run) return; // already known
        lines.push(
          theme.paint('faint', `  ${plainText(entry.profile, 60)}: ${learnedWords(entry)}`),
        );
        return;
      case 'clock-outlier':
        lines.push(theme.paint('warn', `! ${placed(entry.address)}: ${outlierWords(entry.ms)}`));
        return;
      default:
        if ('address' in entry) {
          const step = open.get(stepOf(entry.address, (id) => open.has(id)));
          if (step !== undefined) follow(step, entry, order);
          else if (entry.kind === 'waited') lookedAt(entry.address);
          if (step !== undefined && progress)
            step.running.set(entry.address, { before: progress.text });
        }
    }
  };

  return {
    recall: (entries) => {
      for (const entry of entries) {
        statuses.add(entry);
        if (entry.kind === 'started') note(entry);
        else {
          reading.add(entry);
          late.add(entry);
        }
      }
      flush();
    },
    show: (entry) => {
      statuses.add(entry);
      note(entry);
      if (entry.kind === 'closed' && live?.step === entry.step) void endWindow();
      else flush();
    },
    say: (line) => {
      said = line;
      lines.push(line);
      flush();
    },
    close: async () => {
      closing.abort(new Error('the run has ended'));
      await drawing;
      await endWindow();
      flush();
    },
  };
}

async function everyFrame(clock: Clock, signal: AbortSignal, act: () => void): Promise<void> {
  for (;;) {
    try {
      await clock.sleep(drawEvery, signal);
    } catch {
      return; // the terminal is closing
    }
    act();
  }
}

interface Live {
  readonly step: string;
  draw(title: string, rows: readonly string[]): void;
  end(): Promise<void>;
}

/** listr2 checks whether stdout is a terminal; we write to stderr and have checked it already. */
class StderrRenderer extends DefaultRenderer {
  static override readonly nonTTY = true;
}

/** One list for one step. It only draws, decides nothing, and handles no signals. */
function openWindow(step: string): Live {
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
