/** A run on a terminal: a line for each completed step, and a live window for the current one. */
import process from 'node:process';
import type { Clock } from '../../base/clock.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import type { Channel } from '../../report/terminal/terminal.ts';
import { titleOf } from '../../report/terminal/window.ts';
import { ListModel } from './list-model.ts';
import { openWindow, type LiveWindow } from './live-window.ts';
import type { Screen } from './screen.ts';

const drawEvery = 100; // ms between draws
const keptFree = 8; // rows of the terminal left above the window

/**
 * A screen for a terminal. Lines are written to `channel`; the window is drawn on stderr between
 * them.
 */
export function listScreen(channel: Channel, clock: Clock, drain: AbortSignal): Screen {
  return new ListScreen(channel, clock, drain);
}

class ListScreen implements Screen {
  readonly #channel: Channel;
  readonly #clock: Clock;
  readonly #drain: AbortSignal;
  readonly #model: ListModel;
  readonly #closing = new AbortController();
  readonly #drawing: Promise<void>;
  #window: LiveWindow | undefined;
  /** The last line that was printed while the window was open. */
  #said = '';

  constructor(channel: Channel, clock: Clock, drain: AbortSignal) {
    this.#channel = channel;
    this.#clock = clock;
    this.#drain = drain;
    this.#model = new ListModel(channel.theme);
    this.#drawing = everyFrame(clock, this.#closing.signal, () => this.#draw());
  }

  recall(entries: readonly Entry[]): void {
    for (const entry of entries) this.#model.recall(entry);
    this.#flush();
  }

  show(entry: Entry): void {
    this.#model.add(entry);
    if (entry.kind === 'closed' && this.#window?.step === entry.step) void this.#endWindow();
    else this.#flush();
  }

  say(line: string): void {
    this.#said = line;
    this.#model.say(line);
    this.#flush();
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the run has ended'));
    await this.#drawing;
    await this.#endWindow();
    this.#flush();
  }

  #draw(): void {
    const step = this.#model.current;
    if (step === undefined) return;
    this.#window ??= openWindow(step.id);
    if (this.#window.step !== step.id) return;
    const { theme } = this.#channel;
    const room = Math.max(3, (process.stderr.rows ?? 24) - keptFree);
    const rows = this.#model.rows(step, room, this.#clock.now());
    if (this.#said !== '') rows.push(theme.paint('warn', this.#said));
    if (this.#drain.aborted)
      rows.push(theme.paint('warn', 'stopping; press Ctrl-C again to exit immediately'));
    this.#window.draw(titleOf(step, theme), rows);
  }

  async #endWindow(): Promise<void> {
    const ending = this.#window;
    if (ending === undefined) return;
    await ending.end();
    if (this.#window === ending) this.#window = undefined;
    this.#flush();
  }

  /** Prints the lines that waited while a window was open. */
  #flush(): void {
    if (this.#window !== undefined) return;
    this.#said = '';
    for (const line of this.#model.takeLines()) this.#channel.line(line);
  }
}

async function everyFrame(clock: Clock, signal: AbortSignal, draw: () => void): Promise<void> {
  for (;;) {
    try {
      await clock.sleep(drawEvery, signal);
    } catch {
      return; // the terminal is closing
    }
    draw();
  }
}
