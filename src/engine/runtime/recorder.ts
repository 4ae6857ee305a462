/** The recorder of a run: writes its entries in the order of its journal, until the run has ended. */
import type { Entry, Event } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import { InterruptedError } from '../interpreter/durable.ts';

export interface RecorderOptions {
  readonly journal: Journal;
  /** Entries of the journal if the run is resumed; empty for a new one. */
  readonly earlier: readonly Entry[];
  /** Called with every entry, in order, when it is on the disk. */
  readonly onEntry: (entry: Entry) => void;
}

export class Recorder {
  readonly #options: RecorderOptions;
  readonly #onDiskError: (error: unknown) => void;
  readonly #entries: Entry[];
  #isOver = false;
  /** Resolves when everything that `noteLater` has recorded until now is written. */
  #observed: Promise<unknown> = Promise.resolve();

  /** @param onDiskError called when an entry could not be recorded that no caller awaits */
  constructor(options: RecorderOptions, onDiskError: (error: unknown) => void) {
    this.#options = options;
    this.#onDiskError = onDiskError;
    this.#entries = [...options.earlier];
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** Resolves when the event is on the disk. @throws DiskError */
  async record(event: Event, sync?: 'later'): Promise<void> {
    const entry = await this.#options.journal.append(event, sync);
    this.#entries.push(entry);
    this.#options.onEntry(entry);
  }

  /** Records an event of an attempt. @throws InterruptedError after the end of the run */
  note(event: Event, sync?: 'later'): Promise<void> {
    return this.#isOver ? Promise.reject(new InterruptedError()) : this.record(event, sync);
  }

  /** Records an event that may be synced with a later one. */
  noteLater(event: Event): void {
    const noted = this.note(event, 'later').catch(this.#onDiskError);
    const before = this.#observed;
    this.#observed = noted.then(() => before);
  }

  /** The length of the journal, in characters. */
  get length(): number {
    return this.#options.journal.length();
  }

  /** Resolves when what was recorded earlier is on the disk. @throws DiskError */
  flush(): Promise<void> {
    return this.#options.journal.flush();
  }

  /** Resolves when all events so far are on the disk, and in the entries. @throws DiskError */
  async caughtUp(): Promise<void> {
    const noted = this.#observed; // nobody may sync what is noted from now on
    await this.flush();
    await noted;
  }

  /** Ends the recording: attempts of the run record nothing more. */
  end(): void {
    this.#isOver = true;
  }
}
