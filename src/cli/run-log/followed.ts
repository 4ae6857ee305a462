/** The log of a run that is followed: its new entries, and notes for a person beside them. */
import { shellWord } from '../../base/text.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import type { Context } from '../context.ts';
import { runContinues } from '../../app/queue/patience.ts';
import { countdown, type Countdown } from './countdown.ts';
import type { LogSource, RunLife } from './source.ts';
import type { LogWriter } from './writer.ts';

export class FollowedLog {
  readonly #id: string;
  readonly #writer: LogWriter;
  readonly #context: Context;
  readonly #countdown: Countdown;
  readonly #entries: Entry[] = [];
  #noted = '';

  constructor(id: string, writer: LogWriter, context: Context) {
    this.#id = id;
    this.#writer = writer;
    this.#context = context;
    this.#countdown = countdown(context.terminal.err, context.clock);
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /**
   * The note that the run continues while the store gives no answer. A run without an entry may
   * have ended long ago.
   */
  meanwhile(): string | undefined {
    return this.#entries.length === 0 ? undefined : runContinues;
  }

  say(line: string): void {
    this.clear();
    this.#context.terminal.err.line(line);
  }

  /** Writes the entries that were added. */
  async read(source: LogSource): Promise<RunLife> {
    const life = await source.life(); // first: when it has ended, its last entries are there
    for await (const entry of source.added()) {
      this.#entries.push(entry);
      this.clear();
      this.#writer.add(entry);
      this.#countdown.add(entry);
    }
    this.#countdown.draw();
    return life;
  }

  /** Prints once the reason why a run without entries waits. */
  noteStart(life: RunLife): void {
    const note = noteOf(life);
    const isNew = note !== undefined && note !== this.#noted;
    if (this.#entries.length === 0 && isNew) this.say(`${this.#id} ${note}`);
    this.#noted = note ?? '';
  }

  /** Prints that the run continues, for a person who leaves. */
  sayContinues(life: RunLife): void {
    const mayCancel = noteOf(life) !== undefined;
    const cancel = `; stop it with: deskhand runs cancel ${shellWord(this.#id)}`;
    this.say(`${this.#id} continues${mayCancel ? cancel : ''}`);
  }

  /** Removes the line below the log that is updated. */
  clear(): void {
    this.#countdown.clear();
  }
}

function noteOf(life: RunLife): string | undefined {
  return life.kind === 'alive' ? life.note : undefined;
}
