/** A disk that forgets what was not synced, tears what was half written, and fails. */
import type { Disk, DiskFile } from '../../src/engine/export/disk.ts';
import type { AppendFile, JournalFiles } from '../../src/engine/journal/file.ts';
import type { Chance } from '../../src/rehearsal/simulation/chance.ts';

/** An error as the system gives it. */
class SystemError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

interface Content {
  synced: string;
  text: string;
}

/** Planted defects append to files; we never do. */
interface AppendingDisk extends Disk {
  append(path: string): Promise<DiskFile>;
}

export interface DiskFaults {
  /** Chance of an act to fail. */
  readonly rate: number;
  readonly codes: readonly ('EIO' | 'ENOSPC')[];
}

export class SimulatedDisk {
  #faults: DiskFaults = { rate: 0, codes: [] };
  readonly #chance: Chance;
  readonly #journal: Content = { synced: '', text: '' };
  /** Files by the name they have now, and by the name they have on the platter. */
  #names = new Map<string, Content>();
  #durable = new Map<string, Content>();

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  trouble(faults: DiskFaults): void {
    this.#faults = faults;
  }

  /** What a crash would leave of the journal at the least. */
  get syncedJournal(): string {
    return this.#journal.synced;
  }

  get journalText(): string {
    return this.#journal.text;
  }

  textOf(name: string): string | undefined {
    return this.#names.get(name)?.text;
  }

  /** Power goes: of what was not synced some is lost, some torn, some left as zeros. */
  crash(): void {
    this.#journal.text = this.#afterCrash(this.#journal);
    this.#journal.synced = this.#journal.text;
    // Names made since the folder was synced are lost more often than not.
    if (this.#chance.happens(0.85)) this.#names = new Map(this.#durable);
    for (const content of this.#names.values()) {
      content.text = this.#afterCrash(content);
      content.synced = content.text;
    }
    this.#durable = new Map(this.#names);
  }

  #afterCrash({ synced, text }: Content): string {
    const rest = text.slice(synced.length);
    if (rest === '' || !text.startsWith(synced)) return text === synced ? text : synced;
    const kept = rest.slice(0, this.#chance.between(0, rest.length - 1));
    switch (this.#chance.pick(['lost', 'torn', 'zeros', 'flipped', 'kept'])) {
      case 'lost':
        return synced;
      case 'torn':
        return synced + kept;
      case 'zeros':
        return synced + kept + '\0'.repeat(Math.min(32, rest.length - kept.length));
      case 'flipped':
        return synced + this.#withOneDigitChanged(rest);
      default:
        return text;
    }
  }

  #withOneDigitChanged(text: string): string {
    const places = [...text.matchAll(/\d/g)].map(({ index }) => index);
    if (places.length === 0) return text;
    const place = this.#chance.pick(places);
    return `${text.slice(0, place)}${(Number(text[place]) + 1) % 10}${text.slice(place + 1)}`;
  }

  /** @param act is reported of every act, before and after it: processes die there */
  journalFiles(act: (work: () => void) => void): JournalFiles {
    const file: AppendFile = {
      write: async (text) => act(() => this.#write(this.#journal, text)),
      sync: async () => act(() => this.#sync(this.#journal)),
      close: async () => undefined,
    };
    return {
      read: async () => this.#journal.text,
      truncate: async (_path, bytes) =>
        act(() => {
          const text = Buffer.from(this.#journal.text).subarray(0, bytes).toString('utf8');
          this.#journal.text = text;
          if (!text.startsWith(this.#journal.synced)) this.#journal.synced = text;
        }),
      append: async () => file,
    };
  }

  exportDisk(act: (work: () => void) => void): AppendingDisk {
    return {
      create: async (path) => {
        const name = nameOf(path);
        act(() => {
          this.#fail();
          if (this.#names.has(name)) throw new SystemError('EEXIST');
          this.#names.set(name, { synced: '', text: '' });
        });
        return this.#file(name, act);
      },
      reopen: async (path) =>
        this.#names.has(nameOf(path)) ? this.#file(nameOf(path), act) : undefined,
      append: async (path) => {
        if (!this.#names.has(nameOf(path))) this.#names.set(nameOf(path), { synced: '', text: '' });
        return this.#file(nameOf(path), act);
      },
      rename: async (from, to) =>
        act(() => {
          this.#fail();
          const content = this.#names.get(nameOf(from));
          if (content === undefined) throw new SystemError('ENOENT');
          this.#names.delete(nameOf(from));
          this.#names.set(nameOf(to), content);
        }),
      remove: async (path) =>
        act(() => {
          if (!this.#names.delete(nameOf(path))) throw new SystemError('ENOENT');
        }),
      syncFolder: async () =>
        act(() => {
          this.#fail();
          this.#durable = new Map(this.#names);
        }),
    };
  }

  #file(name: string, act: (work: () => void) => void): DiskFile {
    const content = this.#names.get(name) ?? { synced: '', text: '' };
    return {
      write: async (written) =>
        act(() =>
          this.#write(
            content,
            typeof written === 'string' ? written : Buffer.from(written).toString('utf8'),
          ),
        ),
      cut: async (bytes) =>
        act(() => {
          content.text = Buffer.from(content.text).subarray(0, bytes).toString('utf8');
          if (!content.text.startsWith(content.synced)) content.synced = content.text;
        }),
      bytes: async function* bytes(from, to) {
        yield Buffer.from(content.text).subarray(from, to);
      },
      sync: async () => act(() => this.#sync(content)),
      close: async () => undefined,
    };
  }

  #write(content: Content, text: string): void {
    const { rate, codes } = this.#faults;
    if (codes.length > 0 && this.#chance.happens(rate)) {
      content.text += text.slice(0, this.#chance.between(0, text.length)); // half of it got there
      throw new SystemError(this.#chance.pick(codes));
    }
    content.text += text;
  }

  /** A sync that fails has dropped the pages: what was written is gone, and never comes back. */
  #sync(content: Content): void {
    const { rate, codes } = this.#faults;
    if (codes.includes('EIO') && this.#chance.happens(rate)) {
      content.text = content.synced;
      throw new SystemError('EIO');
    }
    content.synced = content.text;
  }

  #fail(): void {
    const { rate, codes } = this.#faults;
    if (codes.length > 0 && this.#chance.happens(rate)) {
      throw new SystemError(this.#chance.pick(codes));
    }
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
