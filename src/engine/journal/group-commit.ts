/** Writes the lines of a journal: those that arrive together share one write and one sync. */
import { setImmediate } from 'node:timers/promises';
import { DeskhandError } from '../../base/error.ts';
import type { Entry } from './entry.ts';
import { DiskError, type AppendFile } from './file.ts';
import type { MarkFile } from './high-water.ts';

/** A line to append. */
export interface Line {
  readonly line: string;
  readonly entry: Entry;
  readonly link: string;
}

interface Waiting extends Line {
  readonly sync: 'now' | 'later';
  readonly resolve: (entry: Entry) => void;
  readonly reject: (error: unknown) => void;
}

export class GroupCommit {
  readonly #file: AppendFile;
  readonly #mark: MarkFile | undefined;
  /** Lines that wait for the next write. */
  #queue: Waiting[] = [];
  /** Lines that were written after the last sync. */
  #unsynced: Waiting[] = [];
  /** Whether a sync was requested, whatever the lines wait for. */
  #isDue = false;
  #writing: Promise<void> | undefined;
  #cancelAlarm: (() => void) | undefined;
  #broken: DeskhandError | undefined;

  /** @param mark raised after each entry that must never be lost */
  constructor(file: AppendFile, mark: MarkFile | undefined) {
    this.#file = file;
    this.#mark = mark;
  }

  /** The error after which nothing more is written. */
  get broken(): DeskhandError | undefined {
    return this.#broken;
  }

  /** The earliest entry that is not on the disk yet. */
  get earliest(): Entry | undefined {
    return (this.#unsynced[0] ?? this.#queue[0])?.entry;
  }

  /** Resolves with the entry of the line when it is on the disk. @throws as `append` of a journal */
  add(line: Line, sync: 'now' | 'later'): Promise<Entry> {
    return new Promise<Entry>((resolve, reject) => {
      this.#queue.push({ sync, resolve, reject, ...line }); // properties added after a spread take 3 µs
      this.#begin();
    });
  }

  syncSoon(): void {
    this.#isDue = true;
    this.#begin();
  }

  /** Writes and syncs the added lines, and closes the file. */
  async close(): Promise<void> {
    this.syncSoon();
    await this.#writing;
    this.#cancelAlarm?.();
    await this.#file.close();
  }

  #begin(): void {
    this.#writing ??= setImmediate().then(() => this.#write()); // entries of one event share one sync
  }

  async #write(): Promise<void> {
    while (this.#broken === undefined && this.#hasWork()) {
      const { lines, pending, isSynced } = this.#takeBatch();
      try {
        if (lines.length > 0) await this.#file.write(lines.map(({ line }) => line).join(''));
        if (isSynced) await this.#sync(pending);
        else this.#cancelAlarm ??= this.#file.alarm?.(() => this.syncSoon());
      } catch (error) {
        this.#fail(error, pending);
      }
    }
    for (const waiting of this.#queue) waiting.reject(this.#broken);
    this.#queue = [];
    this.#isDue = false;
    this.#writing = undefined;
  }

  #hasWork(): boolean {
    return this.#queue.length > 0 || (this.#isDue && this.#unsynced.length > 0);
  }

  #takeBatch(): Batch {
    const lines = this.#queue;
    const pending = this.#unsynced;
    for (const waiting of lines) pending.push(waiting);
    const isSynced = this.#isDue || lines.some(({ sync }) => sync === 'now');
    this.#queue = [];
    if (isSynced) this.#unsynced = [];
    this.#isDue = false;
    return { lines, pending, isSynced };
  }

  async #sync(pending: readonly Waiting[]): Promise<void> {
    this.#cancelAlarm?.();
    this.#cancelAlarm = undefined;
    await this.#file.sync();
    const lasting = pending.findLast(({ entry }) => isLasting(entry));
    if (lasting !== undefined) {
      await this.#mark?.raise({ seq: lasting.entry.seq, link: lasting.link });
    }
    for (const waiting of pending) waiting.resolve(waiting.entry);
  }

  #fail(error: unknown, pending: readonly Waiting[]): void {
    // A store that refuses the lines says why; anything else is the disk.
    this.#broken =
      error instanceof DeskhandError
        ? error
        : new DiskError('the journal could not be written', error);
    this.#unsynced = [];
    for (const waiting of pending) waiting.reject(this.#broken);
  }
}

interface Batch {
  readonly lines: readonly Waiting[];
  /** The lines of the batch, and those that were written before without a sync. */
  readonly pending: readonly Waiting[];
  readonly isSynced: boolean;
}

/**
 * Entries without which a run would repeat its writes: its start, its intents, and the writes that
 * another machine may have sent. Other lost entries are read or looked up again.
 */
function isLasting({ seq, kind }: Entry): boolean {
  return seq === 1 || kind === 'intended' || kind === 'taken-over';
}
