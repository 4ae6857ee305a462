/** Facts read from the files of runs, stored in one file of the state folder: the next command reads
 * this file instead of theirs.
 *
 * There is one rule for all of it. A fact counts while the file system says of the run's files what it
 * said before they were read: device, inode, size, and the times of the last write and change
 * (stamp.ts). So a run whose files were changed, replaced, restored, copied or removed is read again,
 * as is one that another process added, and the answer is the one without the catalogue. A fact is
 * stored only of files that had not changed for two seconds when they were read.
 *
 * Each line is one fact with a checksum, and names its kind with its version. Lines that are
 * damaged, torn, missing, or of another version do not count. Processes append to the file; of two lines
 * about one fact the last one counts. When lines that do not count outnumber the others, the file is
 * replaced without them. Of two processes that write at that moment, one may lose its lines, and the
 * next command reads these runs again. The file is not synced: after a power cut the checksums show
 * what is missing. Without the file the next command takes longer.
 *
 * It does not notice bytes that the disk changed by itself, and a change by another machine only
 * when a network file system shows it. It is not signed, and journals are not either: a user who can
 * write here could as well remove a run.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import { readRegularSync } from '../../base/read-file.ts';
import { appendDerived, replaceDerived } from './file.ts';
import { frame, unframeBytes } from './record.ts';
import { isLasting, stampOf, type Stamp } from './stamp.ts';

/** The kind of a fact and its version, which increases when the fact's values change their meaning. */
export type FactKind = `${'header' | 'ended' | 'overview'} ${number}`;

const kinds = 3; // facts of a run at the most

/** A fact that was read from some files of a run. */
interface Fact {
  readonly kind: string;
  readonly run: string;
  /** The device, inode, size and times of the files, as text. */
  readonly files: string;
  /** The content of the fact, as plain JSON. */
  readonly value: unknown;
}

/** A fact that is not in the file yet. */
interface NewFact extends Fact {
  /** The stamps of the files, taken before the files were read. */
  readonly stamps: readonly Stamp[];
}

export function cataloguePath(stateDir: string): string {
  return join(stateDir, 'catalogue');
}

/** The catalogue of a state folder, which is read again when another process has written to it. */
export function catalogueOf(stateDir: string): Catalogue {
  const known = opened.get(stateDir)?.deref();
  if (known?.isCurrent() === true) return known;
  const catalogue = new Catalogue(stateDir);
  opened.set(stateDir, new WeakRef(catalogue));
  return catalogue;
}

/** A command asks several times within a moment; a process that lives longer frees the memory. */
const opened = new Map<string, WeakRef<Catalogue>>();

/** Whether files that are changed from now on get other stamps, by the clock of this machine. */
export function areLasting(stamps: readonly Stamp[]): boolean {
  const now = BigInt(systemClock.now()) * nsOfMs;
  return stamps.every((each) => isLasting(each, now));
}

/** The stamps of some files as one text: equal for unchanged files. */
export function textOf(stamps: readonly Stamp[]): string {
  return stamps.map(({ text }) => text).join(', ');
}

export class Catalogue {
  readonly #path: string;
  /** The stamp of the catalogue's file itself. */
  #file: string;
  readonly #bytes: Buffer;
  /** The offsets of the lines that count, by kind and run; lines are parsed when they are needed. */
  readonly #lines: Map<string, number>;
  /** Lines that this process has written. */
  readonly #written = new Map<string, string>();
  readonly #facts = new Map<string, Fact>();
  readonly #added = new Map<string, NewFact>();
  /** The number of lines in the file that do not count. */
  #superseded: number;

  constructor(stateDir: string) {
    this.#path = cataloguePath(stateDir);
    this.#file = fileStamp(this.#path);
    const bytes = bytesIn(this.#path);
    this.#bytes = bytes ?? Buffer.alloc(0);
    const { lines, superseded } = linesIn(this.#bytes);
    this.#lines = lines;
    this.#superseded = bytes === undefined ? Infinity : superseded;
  }

  /** Whether the catalogue's file is the one that was read. */
  isCurrent(): boolean {
    return this.#file === fileStamp(this.#path);
  }

  /** The value of a fact; undefined if the files must be read. @param files their current stamps */
  find(kind: FactKind, run: string, files: readonly Stamp[]): unknown {
    const fact = this.#factOf(keyOf(kind, run));
    return fact?.files === textOf(files) ? fact.value : undefined;
  }

  /** @param stamps of the files as they were before they were read */
  note(kind: FactKind, run: string, stamps: readonly Stamp[], value: unknown): void {
    const key = keyOf(kind, run);
    const files = textOf(stamps);
    if (this.#factOf(key)?.files === files || !areLasting(stamps)) return;
    const fact = { kind, run, files, value, stamps };
    this.#facts.set(key, fact);
    this.#added.set(key, fact);
  }

  /** The number of facts that are not in the file yet. */
  get unstored(): number {
    return this.#added.size;
  }

  /**
   * Stores the noted facts, if the file can be written.
   * @param names of all runs: lines about other names do not count
   */
  keep(names: readonly string[]): void {
    const lines = this.#lines.size + this.#written.size;
    const gone = Math.max(0, lines - names.length * kinds);
    if (this.#superseded + gone > names.length * kinds + spareLines) this.#replace(new Set(names));
    else if (this.#added.size > 0) this.#append();
  }

  #factOf(key: string): Fact | undefined {
    const known = this.#facts.get(key);
    if (known !== undefined) return known;
    const line = this.#lineOf(key);
    const fact = line && factIn(line);
    // The checksum covers the kind and the run, by which the line was found.
    if (fact === undefined || keyOf(fact.kind, fact.run) !== key) return undefined;
    this.#facts.set(key, fact);
    return fact;
  }

  /** The line of a key, without its line feed. */
  #lineOf(key: string): Buffer | undefined {
    const from = this.#lines.get(key);
    return from === undefined ? undefined : this.#bytes.subarray(from, lineEnd(this.#bytes, from));
  }

  #append(): void {
    const isCurrent = this.isCurrent();
    if (!appendDerived(this.#path, (now) => this.#take(now).join(''))) return;
    if (isCurrent) this.#file = fileStamp(this.#path);
  }

  #replace(present: ReadonlySet<string>): void {
    replaceDerived(this.#path, (now) => {
      this.#take(now);
      this.#superseded = 0;
      const isPresent = (key: string): boolean => present.has(runOf(key));
      for (const key of this.#lines.keys()) if (!isPresent(key)) this.#lines.delete(key);
      for (const key of this.#written.keys()) if (!isPresent(key)) this.#written.delete(key);
      const kept = [...this.#lines.keys()].map((key) => `${this.#lineOf(key)?.toString() ?? ''}\n`);
      return [...kept, ...this.#written.values()].join('');
    });
    this.#file = fileStamp(this.#path);
  }

  /** The new facts as lines. @param now in ns, by the clock of the file system */
  #take(now: bigint): readonly string[] {
    const lines: string[] = [];
    for (const [key, { stamps, kind, run, files, value }] of this.#added) {
      if (!stamps.every((each) => isLasting(each, now))) {
        this.#facts.delete(key); // the clock of the file system is another
        continue;
      }
      const line = frame(JSON.stringify({ kind, run, files, value }));
      if (this.#lines.delete(key) || this.#written.has(key)) this.#superseded += 1;
      this.#written.set(key, line);
      lines.push(line);
    }
    this.#added.clear();
    return lines;
  }
}

const nsOfMs = 1_000_000n;
const spareLines = 1_000; // a small file is not worth replacing

function keyOf(kind: string, run: string): string {
  return `${run} ${kind}`;
}

function runOf(key: string): string {
  return key.slice(0, key.indexOf(' '));
}

function fileStamp(path: string): string {
  try {
    return stampOf(path)?.text ?? '';
  } catch {
    return '';
  }
}

/** The bytes of a file; undefined if it cannot be read, and then it is replaced. */
function bytesIn(path: string): Buffer | undefined {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return Buffer.alloc(0);
    return found.isFile() ? readRegularSync(path, Infinity) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The offsets of lines by kind and run, read from their beginnings; only the checksum says whether a
 * line is intact.
 */
function linesIn(bytes: Buffer): { readonly lines: Map<string, number>; superseded: number } {
  const lines = new Map<string, number>();
  let superseded = 0;
  for (let from = 0; from < bytes.length; from = lineEnd(bytes, from) + 1) {
    const start = bytes.toString('latin1', from, from + startMax);
    const [, kind, run] = lineStart.exec(start) ?? [];
    if (kind === undefined || run === undefined) continue;
    const key = keyOf(kind, run);
    if (lines.has(key)) superseded += 1;
    lines.set(key, from);
  }
  return { lines, superseded };
}

const startMax = 160; // bytes: run ids are shorter
const lineStart = /^[0-9a-f]{8} \d{1,9} \{"kind":"([a-z]+ \d+)","run":"([^"\\ ]+)"/;
const lineFeed = 0x0a;

function lineEnd(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(lineFeed, from);
  return end === -1 ? bytes.length : end;
}

/** The fact in a line; undefined if the line is damaged. @param line without its line feed */
function factIn(line: Buffer): Fact | undefined {
  let value: unknown;
  try {
    value = JSON.parse(unframeBytes(line));
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const { kind, run, files, value: of } = value;
  const isFact = typeof kind === 'string' && typeof run === 'string' && typeof files === 'string';
  return isFact ? { kind, run, files, value: of } : undefined;
}
