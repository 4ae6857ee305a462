/** The ended runs of the catalogue as lists show them, by columns: the line of a run is made when a page shows it.
 *
 * A place is the number of a run in the table. It counts as long as the files of the run are as they were when
 * the fact was made, which the caller looks at.
 */
import type { Millis } from '../../base/clock.ts';
import type { Piece } from '../../engine/journal/catalogue-blocks.ts';
import { filesOfRun, Groups, type RunGroup } from '../../engine/journal/run-columns.ts';
import { isSameStamp, type Stamp } from '../../engine/journal/stamp.ts';
import { runStatuses, type RunStatus } from '../run-status.ts';
import type { ListedRun } from './listed.ts';
import { Lists, partOf, type Part } from './listed-parts.ts';

export class ListedTable {
  readonly groups: readonly RunGroup[];
  /** The lists of people that runs have, each once. */
  readonly people: readonly (readonly string[])[];
  readonly size: number;
  readonly #parts: readonly Part[];
  readonly #names: readonly string[];
  readonly #places = new Map<string, number>();
  readonly #columns: Columns;
  /** Whether the run of a place is another one now, or gone. */
  readonly #isGone: Uint8Array;
  #gone = 0;
  /** Lines that were made, for tests of how many a page makes. */
  made = 0;

  constructor(pieces: Iterable<Piece>) {
    const groups = new Groups();
    const people = new Lists();
    const parts = [...pieces].flatMap((piece) => {
      const block = piece.block();
      return (block && partOf(block, groups, people)) ?? [];
    });
    this.#parts = parts;
    this.#names = parts.flatMap(({ names }) => names);
    this.size = this.#names.length;
    this.#columns = columnsOf(parts, this.size);
    this.#isGone = new Uint8Array(this.size);
    this.groups = groups.all;
    this.people = people.all;
    for (const [place, run] of this.#names.entries()) {
      const before = this.#places.get(run);
      if (before !== undefined) this.#leave(before); // the later fact counts
      this.#places.set(run, place);
    }
  }

  /** Number of runs that are as the table has them, as far as that is known. */
  get count(): number {
    return this.size - this.#gone;
  }

  /** The runs that are as the table has them. */
  runs(): Iterable<string> {
    return this.#places.keys();
  }

  find(run: string): number | undefined {
    return this.#places.get(run);
  }

  has(place: number): boolean {
    return this.#isGone[place] === 0;
  }

  /** Forgets a run that was changed or removed. */
  remove(run: string): void {
    const place = this.#places.get(run);
    if (place === undefined) return;
    this.#places.delete(run);
    this.#leave(place);
  }

  runAt(place: number): string {
    return this.#names[place] ?? '';
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
    return filesOfRun.every((_file, file) => {
      const stamp = stamps[file];
      return stamp !== undefined && isSameStamp(part.stampOf(file, at), stamp);
    });
  }

  #leave(place: number): void {
    if (this.#isGone[place] === 1) return;
    this.#isGone[place] = 1;
    this.#gone += 1;
  }

  #partAt(place: number): { readonly part: Part; readonly at: number } {
    const part = this.#parts[this.#columns.parts[place] ?? -1];
    if (part === undefined) throw new RangeError(`no place ${place} in the table`);
    return { part, at: place - (this.#columns.from[this.#columns.parts[place] ?? 0] ?? 0) };
  }
}

/** What every place has at hand. */
interface Columns {
  /** The number of the part of a place, and the first place of each part. */
  readonly parts: Uint32Array;
  readonly from: readonly number[];
  readonly groups: Uint32Array;
  readonly people: Uint32Array;
  readonly statuses: Uint8Array;
  readonly startedAt: Float64Array;
  readonly doubts: Uint32Array;
  readonly asks: Uint8Array;
}

function columnsOf(parts: readonly Part[], size: number): Columns {
  const columns = {
    parts: new Uint32Array(size),
    from: [] as number[],
    groups: new Uint32Array(size),
    people: new Uint32Array(size),
    statuses: new Uint8Array(size),
    startedAt: new Float64Array(size),
    doubts: new Uint32Array(size),
    asks: new Uint8Array(size),
  };
  let from = 0;
  for (const [number, part] of parts.entries()) {
    columns.from.push(from);
    const count = part.names.length;
    columns.parts.fill(number, from, from + count);
    columns.groups.set(part.groups, from);
    for (let at = 0; at < count; at++) {
      columns.people[from + at] = part.people(at);
      columns.statuses[from + at] = part.status(at);
      columns.startedAt[from + at] = part.startedAt(at);
      columns.doubts[from + at] = part.doubts(at);
      columns.asks[from + at] = part.asks(at) === undefined ? 0 : 1;
    }
    from += count;
  }
  return columns;
}
