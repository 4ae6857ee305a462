/** The ended runs of the catalogue as lists show them, by columns: the line of a run is made when a page shows it.
 * A block with a summary is read when something is asked of its runs, and the table has their number before.
 *
 * A place is the number of a run in the table. It counts as long as the files of the run are as they were when
 * the fact was made, which the caller looks at.
 */
import type { Millis } from '../../base/clock.ts';
import { nameHash } from '../../engine/journal/block-summary.ts';
import type { Piece } from '../../engine/journal/catalogue-blocks.ts';
import { areStamps, Groups, type RunGroup } from '../../engine/journal/run-columns.ts';
import type { Stamp } from '../../engine/journal/stamp.ts';
import { runStatuses, type RunStatus } from '../run-status.ts';
import type { ListedRun } from './listed.ts';
import { columnsOf, fill, type Columns } from './listed-columns.ts';
import { Lists, partOf, type Part } from './listed-parts.ts';
import { listedSummary, type ListedSummary } from './listed-summary.ts';

/** A block of the table. */
interface Segment {
  /** The place of the first run of the block. */
  readonly from: number;
  readonly rows: number;
  readonly piece: Piece;
  /** The summary of the block; absent if the block was read at once. */
  readonly summary?: ListedSummary;
}

export class ListedTable {
  readonly size: number;
  /** The blocks in the order of their places. */
  readonly #segments: readonly Segment[];
  /** The blocks that were read; undefined for a damaged one. */
  readonly #parts = new Map<Segment, Part | undefined>();
  /** The blocks that were not read yet, the one with the newest run last. */
  #unread: readonly Summarised[];
  readonly #groups = new Groups();
  readonly #people = new Lists();
  readonly #places = new Map<string, number>();
  readonly #columns: Columns;
  /** The number of the segment of a place. */
  readonly #segmentOf: Uint32Array;
  /** Whether the run of a place is another one now, or gone. */
  readonly #isGone: Uint8Array;
  #gone = 0;
  #isDamaged = false;
  /** Lines that were made, for tests of how many a page makes. */
  made = 0;

  constructor(pieces: Iterable<Piece>) {
    const segments: Segment[] = [];
    const read = new Map<Segment, Part | undefined>();
    let size = 0;
    for (const piece of pieces) {
      const found = piece.summary();
      const summary = found && listedSummary(found);
      const part = summary === undefined ? this.#partIn(piece) : undefined;
      const rows = summary?.rows ?? part?.names.length ?? 0;
      const segment = { from: size, rows, piece, ...(summary && { summary }) };
      if (summary === undefined) read.set(segment, part);
      segments.push(segment);
      size += rows;
    }
    this.size = size;
    this.#segments = segments;
    this.#columns = columnsOf(size);
    this.#segmentOf = new Uint32Array(size);
    for (const [number, { from, rows }] of segments.entries()) {
      this.#segmentOf.fill(number, from, from + rows);
    }
    this.#isGone = new Uint8Array(size);
    this.#unread = segments
      .filter(isSummarised)
      .toSorted((a, b) => a.summary.last - b.summary.last);
    for (const [segment, part] of read) this.#add(segment, part);
    this.#readHaving([...this.#places.keys()]); // of two facts about a run the later one counts
  }

  /** The groups of the runs that were read. */
  get groups(): readonly RunGroup[] {
    return this.#groups.all;
  }

  /** The lists of people that these runs have, each once. */
  get people(): readonly (readonly string[])[] {
    return this.#people.all;
  }

  /** The summaries of the blocks that were not read yet. */
  get unread(): readonly ListedSummary[] {
    return this.#unread.map(({ summary }) => summary);
  }

  /** Number of blocks that were read so far. */
  get blocksRead(): number {
    return this.#parts.size;
  }

  /** Whether a block could not be read: the table does not have its runs. */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  /** When the newest of the runs that were not read started; -Infinity if all were read. */
  get unreadUntil(): Millis {
    return this.#unread.at(-1)?.summary.last ?? -Infinity;
  }

  /** Reads the newest of the other blocks, so many that they have that many runs. @returns whether there was one */
  readNewest(runs: number): boolean {
    const newest: Summarised[] = [];
    for (let left = runs; left > 0;) {
      const next = this.#unread.at(-1 - newest.length);
      if (next === undefined) break;
      newest.push(next);
      left -= next.rows;
    }
    this.#read(newest);
    return newest.length > 0;
  }

  /** Reads the blocks that may have something; default: all. */
  read(mayHave: (summary: ListedSummary) => boolean = () => true): void {
    this.#read(this.#unread.filter(({ summary }) => mayHave(summary)));
  }

  /** The places of the runs that were read, and are as the table has them. */
  *places(): Generator<number> {
    for (const [{ from, rows }, part] of this.#parts) {
      if (part === undefined) continue;
      for (let place = from; place < from + rows; place++) if (this.has(place)) yield place;
    }
  }

  /** Number of runs that are as the table has them, as far as that is known. */
  get count(): number {
    return this.size - this.#gone;
  }

  /** The runs that are as the table has them, of which all are read. */
  runs(): Iterable<string> {
    this.read();
    return this.#places.keys();
  }

  /** Whether a block that was read has a run. */
  hasRead(run: string): boolean {
    return this.#places.has(run);
  }

  /** The place of a run, whose block is read. */
  find(run: string): number | undefined {
    const place = this.#places.get(run);
    if (place !== undefined || this.#unread.length === 0) return place;
    this.#readHaving([run]);
    return this.#places.get(run);
  }

  has(place: number): boolean {
    return this.#isGone[place] === 0;
  }

  /** Forgets a run that was changed or removed. */
  remove(run: string): void {
    const place = this.find(run);
    if (place === undefined) return;
    this.#places.delete(run);
    this.#leave(place);
  }

  runAt(place: number): string {
    const { part, at } = this.#partAt(place);
    return part.names[at] ?? '';
  }

  groupAt(place: number): number {
    return this.#columns.groups[place] ?? 0;
  }

  peopleAt(place: number): number {
    return this.#columns.people[place] ?? 0;
  }

  startedAt(place: number): Millis {
    return this.#columns.startedAt[place] ?? 0;
  }

  statusAt(place: number): RunStatus {
    return runStatuses[this.#columns.statuses[place] ?? 0] ?? 'damaged';
  }

  doubtsAt(place: number): number {
    return this.#columns.doubts[place] ?? 0;
  }

  asksAt(place: number): boolean {
    return this.#columns.asks[place] === 1;
  }

  /** When the last entry of the run was recorded. */
  lastAt(place: number): Millis {
    const { part, at } = this.#partAt(place);
    return part.lastAt(at);
  }

  /** Whether an order of the run may have been sent in a time, of which the end is excluded. */
  hasSent(place: number, from: Millis, to: Millis): boolean {
    const { part, at } = this.#partAt(place);
    const [first, last] = [part.sentFrom(at), part.sentTo(at)];
    return typeof first === 'number' && typeof last === 'number' && last >= from && first < to;
  }

  /** The time in the header of the run. */
  createdAt(place: number): Millis {
    const { part, at } = this.#partAt(place);
    return part.createdAt(at);
  }

  /** What the run did, in words. */
  whatAt(place: number): string {
    const { part, at } = this.#partAt(place);
    return String(part.what(at));
  }

  /** The line of a run. */
  lineAt(place: number): ListedRun {
    const { part, at } = this.#partAt(place);
    this.made += 1;
    return part.line(at);
  }

  /** Whether the files of a run are as they were. @param stamps current ones, of header, journal and mark */
  isUnchanged(place: number, stamps: readonly (Stamp | undefined)[]): boolean {
    const { part, at } = this.#partAt(place);
    return areStamps(stamps, at, part.stampOf);
  }

  /** Reads the blocks that may have some runs. */
  #readHaving(runs: readonly string[]): void {
    const hashes = this.#unread.length === 0 ? [] : runs.map(nameHash);
    this.#read(this.#unread.filter(({ summary }) => hashes.some(summary.mayHave)));
  }

  #read(segments: readonly Segment[]): void {
    if (segments.length === 0) return;
    const read = new Set(segments);
    this.#unread = this.#unread.filter((each) => !read.has(each));
    for (const segment of segments) this.#add(segment, this.#partIn(segment.piece));
  }

  #partIn(piece: Piece): Part | undefined {
    const block = piece.block();
    return block && partOf(block, this.#groups, this.#people);
  }

  #add(segment: Segment, part: Part | undefined): void {
    const { from, rows } = segment;
    const isWhole = part?.names.length === rows;
    this.#parts.set(segment, isWhole ? part : undefined);
    if (part === undefined || !isWhole) {
      this.#isDamaged = true;
      for (let place = from; place < from + rows; place++) this.#leave(place);
      return;
    }
    fill(this.#columns, part, from);
    for (const [at, run] of part.names.entries()) {
      const place = from + at;
      const other = this.#places.get(run) ?? -1;
      if (other >= 0) this.#leave(Math.min(other, place)); // the later fact counts
      if (place > other) this.#places.set(run, place);
    }
  }

  #leave(place: number): void {
    if (this.#isGone[place] === 1) return;
    this.#isGone[place] = 1;
    this.#gone += 1;
  }

  #partAt(place: number): { readonly part: Part; readonly at: number } {
    const segment = this.#segments[this.#segmentOf[place] ?? -1];
    const part = segment && this.#parts.get(segment);
    if (segment === undefined || part === undefined)
      throw new RangeError(`no place ${place} in the table`);
    return { part, at: place - segment.from };
  }
}

type Summarised = Segment & { readonly summary: ListedSummary };

function isSummarised(segment: Segment): segment is Summarised {
  return segment.summary !== undefined;
}
