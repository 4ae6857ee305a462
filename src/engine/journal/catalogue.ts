/** Facts read from the files of runs, stored in one file of the state folder: the next command reads
 * this file instead of theirs.
 *
 * There is one rule for all of it. A fact counts while the file system says of the run's files what it
 * said before they were read: device, inode, size, and the times of the last write and change
 * (stamp.ts). So a run whose files were changed, replaced, restored, copied or removed is read again,
 * as is one that another process added, and the answer is the one without the catalogue. A fact is
 * stored only of files that had not changed for two seconds when they were read.
 *
 * Each line is one fact, or a block of facts, with a checksum, and names their kind with its version
 * (catalogue-lines.ts). Lines that are damaged, torn, missing, or of another version do not count.
 * Processes append single facts to the file; of two about one thing the last one counts. When there are
 * many, or many that do not count, the file is replaced: facts that count are put into blocks, which
 * are parsed in a fraction of the time. Of two processes that write at that moment, one may lose its lines, and the
 * next command reads these runs again. The file is not synced: after a power cut the checksums show
 * what is missing. Without the file the next command takes longer.
 *
 * It does not notice bytes that the disk changed by itself, and a change by another machine only
 * when a network file system shows it. It is not signed, and journals are not either: a user who can
 * write here could as well remove a run.
 */
import { join } from 'node:path';
import { systemClock, type Millis } from '../../base/clock.ts';
import { isSummarised, lineOf, pieceOf, type Fact, type Piece } from './catalogue-blocks.ts';
import { bytesIn, bytesOf, wholeOf } from './catalogue-bytes.ts';
import { CatalogueLines } from './catalogue-lines.ts';
import { EndedTable } from './ended-table.ts';
import { appendDerived, replaceDerived } from './file.ts';
import { isLasting, isSameStamp, stampText, type Stamp } from './stamp.ts';

/** The kind of a fact and its version, which increases when the fact's values change their meaning. */
export type FactKind =
  `${'header' | 'ended' | 'overview' | 'listed' | 'rest' | 'sent' | 'orders'} ${number}`;

const kinds = 6; // facts of a run at the most

/** The files of facts in a state folder: orders are beside the others, because few commands need them. */
type FactFile = 'catalogue' | 'orders';

export function cataloguePath(stateDir: string, name: FactFile = 'catalogue'): string {
  return join(stateDir, name);
}

/** The catalogue of a state folder, which is read again when another process has written to it. */
export function catalogueOf(stateDir: string, name?: FactFile): Catalogue {
  const path = cataloguePath(stateDir, name);
  const known = opened.get(path)?.deref();
  if (known?.isCurrent() === true) return known;
  const catalogue = new Catalogue(path);
  opened.set(path, new WeakRef(catalogue));
  return catalogue;
}

/** A command asks several times within a moment; a process that lives longer frees the memory. */
const opened = new Map<string, WeakRef<Catalogue>>();

/** Whether files that are changed from now on get other stamps, by the clock of this machine. */
export function areLasting(stamps: readonly Stamp[]): boolean {
  const now = systemClock.now();
  return stamps.every((each) => isLasting(each, now));
}

export class Catalogue {
  readonly #path: string;
  /** The kind of the facts whose blocks are read as a table, if one was asked for. */
  #tableKind: FactKind | undefined;
  /** The stamp of the catalogue's file itself. */
  #file: string;
  #lines: CatalogueLines;
  #table: EndedTable | undefined;
  /** Facts that this process has written to the file. */
  readonly #written = new Map<string, Fact>();
  /** Facts that are not in the file yet. */
  readonly #added = new Map<string, Fact>();
  /** Whether the file could not be read; then it is replaced. */
  #isLost: boolean;

  constructor(path: string) {
    this.#path = path;
    this.#file = stampTextOf(this.#path);
    const bytes = bytesOf(this.#path);
    this.#lines = new CatalogueLines(bytes ?? bytesIn(Buffer.alloc(0)));
    this.#isLost = bytes === undefined;
  }

  /** Whether the catalogue's file is the one that was read. */
  isCurrent(): boolean {
    return this.#file === stampTextOf(this.#path);
  }

  /** The ended runs in blocks. @param kind of the facts about them */
  table(kind: FactKind): EndedTable {
    this.#tableKind = kind;
    return (this.#table ??= new EndedTable(this.#lines.blocks(kind)));
  }

  /** The facts of a kind, line by line, those that this process wrote last: of two about a run the later one counts. */
  *pieces(kind: FactKind): Generator<Piece> {
    yield* this.#lines.pieces(kind);
    const own = [...this.#written.values()].filter((fact) => fact.kind === kind);
    if (own.length > 0) yield pieceOf(kind, own);
  }

  /** The value of a fact; undefined if the files must be read. @param files their current stamps */
  find(kind: FactKind, run: string, files: readonly Stamp[]): unknown {
    const fact = this.#factOf(kind, run);
    return fact && areSame(fact.files, files) ? fact.value : undefined;
  }

  /** The value of a fact while the first of its files is unchanged. @param file its current stamp */
  findByFirst(kind: FactKind, run: string, file: Stamp): unknown {
    const fact = this.#factOf(kind, run);
    const [first] = fact?.files ?? [];
    return first && isSameStamp(first, file) ? fact?.value : undefined;
  }

  /** @param files the stamps of the files as they were before they were read */
  note(kind: FactKind, run: string, files: readonly Stamp[], value: unknown): void {
    const before = this.#factOf(kind, run);
    if ((before && areSame(before.files, files)) || !areLasting(files)) return;
    this.#added.set(keyOf(kind, run), { kind, run, files, value });
  }

  /** Whether there are facts to store. */
  get isAdded(): boolean {
    return this.#added.size > 0;
  }

  /** Drops a noted fact that another one contains. */
  drop(kind: FactKind, run: string): void {
    this.#added.delete(keyOf(kind, run));
  }

  /**
   * Stores the noted facts, if the file can be written.
   * @param names of all runs: facts about other names do not count
   */
  keep(names: readonly string[]): void {
    const alone = this.#lines.alone + this.#written.size + this.#added.size;
    const gone = Math.max(0, this.#lines.size - names.length * kinds);
    const isMuch = alone + gone > aloneMax + names.length * aloneShare;
    const isOlder = [...this.#added.values()].some(({ kind }) => {
      return isSummarised(kind) && this.#lines.isOlder(kind);
    });
    if (this.#isLost || isMuch || isOlder) {
      this.#replace(new Set(names));
    } else if (this.#added.size > 0) this.#append();
  }

  #factOf(kind: FactKind, run: string): Fact | undefined {
    const key = keyOf(kind, run);
    return this.#added.get(key) ?? this.#written.get(key) ?? this.#storedFact(kind, run);
  }

  #storedFact(kind: FactKind, run: string): Fact | undefined {
    return kind === this.#tableKind
      ? this.#lines.findAlone(kind, run)
      : this.#lines.find(kind, run);
  }

  #append(): void {
    const isCurrent = this.isCurrent();
    if (!appendDerived(this.#path, (now) => this.#take(now).map(lineOf).join(''))) return;
    if (isCurrent) this.#file = stampTextOf(this.#path);
  }

  #replace(present: ReadonlySet<string>): void {
    const before = wholeOf(this.#path); // with what other processes added
    if (before === undefined && !this.#isLost) return; // another process replaces it now
    const lines = new CatalogueLines(bytesIn(before ?? Buffer.alloc(0)));
    let text = '';
    replaceDerived(this.#path, (now) => {
      this.#take(now);
      const written = [...this.#written.values()].filter(({ run }) => present.has(run));
      const counts = (kind: string, run: string): boolean =>
        present.has(run) && !this.#written.has(keyOf(kind, run));
      text = lines.packed(counts, written);
      return text;
    });
    this.#file = stampTextOf(this.#path);
    this.#lines = new CatalogueLines(bytesIn(Buffer.from(text)));
    this.#table = undefined;
    this.#written.clear();
    this.#isLost = false;
  }

  /** Takes the noted facts that still count. @param now by the clock of the file system */
  #take(now: Millis): readonly Fact[] {
    // The clock of the file system may be another than that of this machine.
    const facts = [...this.#added].filter(([, { files }]) =>
      files.every((each) => isLasting(each, now)),
    );
    for (const [key, fact] of facts) this.#written.set(key, fact);
    this.#added.clear();
    return facts.map(([, fact]) => fact);
  }
}

const aloneMax = 1_000; // single facts: fewer are not worth a new file
const aloneShare = 0.05; // more single facts in a large file: a new one takes longer

function keyOf(kind: string, run: string): string {
  return `${run} ${kind}`;
}

function areSame(before: readonly Stamp[], now: readonly Stamp[]): boolean {
  return (
    before.length === now.length &&
    before.every((each, at) => {
      const other = now[at];
      return other !== undefined && isSameStamp(each, other);
    })
  );
}

function stampTextOf(path: string): string {
  try {
    return stampText(path);
  } catch {
    return '';
  }
}
