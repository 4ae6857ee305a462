/** Remembers the newest rows of a list by what names them, in bounded memory. */
import type { Listing } from './listing.ts';

const remembered = 20_000; // rows; repeated ones stand on the next page, never further off

export class RecentRows {
  /** How many rows it can tell from new ones at the least. */
  static readonly most = remembered;
  readonly #fields: readonly string[];
  // Two sets, the older one dropped whole: taking the first of a large set again and again is slow.
  #newer = new Set<string>();
  #older: ReadonlySet<string> = new Set();

  /** @param fields together they name a row; without any, every row is new */
  constructor(fields: readonly string[]) {
    this.#fields = fields;
  }

  /** What names each row, as texts that outlive the answer; undefined where nothing does. */
  namesOf(rows: Listing): readonly string[] | undefined {
    const [only, ...more] = this.#fields.map((field) => rows.column(field));
    if (only === undefined) return undefined;
    const names = only.map((first, row) =>
      more.length === 0 && typeof first === 'string'
        ? first
        : JSON.stringify([first, ...more.map((column) => column[row])]),
    );
    return JSON.parse(JSON.stringify(names));
  }

  has(name: string): boolean {
    return this.#newer.has(name) || this.#older.has(name);
  }

  add(name: string): void {
    this.#newer.add(name);
    if (this.#newer.size < remembered) return;
    this.#older = this.#newer;
    this.#newer = new Set();
  }
}
