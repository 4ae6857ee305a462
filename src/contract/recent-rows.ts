/** Remembers the newest rows of a list by what names them, in bounded memory. */
import { fieldOf } from '../base/json.ts';

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

  /** What names a row; undefined where nothing does. */
  nameOf(row: unknown): string | undefined {
    const [only, ...more] = this.#fields;
    if (only === undefined) return undefined;
    const first = fieldOf(row, only);
    if (more.length === 0 && typeof first === 'string') return first;
    return JSON.stringify(this.#fields.map((field) => fieldOf(row, field)));
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
