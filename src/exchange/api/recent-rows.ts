/** Keeps the names of the newest rows of a list, in bounded memory. */
import { InternalError } from '../../base/error.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Listing } from './listing.ts';

const remembered = 20_000; // rows; duplicates are on the next page, never further away
const spansMax = 64; // more than the windows of any ordinary list

/** The names between two bounds, inclusive; names are compared as texts. */
interface NameRange {
  readonly low: string;
  readonly high: string;
}

export class RecentRows {
  /** The minimum number of rows that are remembered. */
  static readonly most = remembered;
  readonly #fields: readonly string[];
  // Two generations, of which the older is dropped completely: removing single entries from a large
  // set is slow.
  #newer = new Heap();
  #older = new Heap();
  /** Ranges that cover all added names. */
  readonly #spans: NameRange[] = [];

  /** @param fields the fields that together identify a row; without any, every row is new */
  constructor(fields: readonly string[]) {
    this.#fields = fields;
  }

  /** The name of each row; undefined if rows have none. A row without an id is named by all its fields. */
  namesOf(rows: Listing): readonly string[] | undefined {
    const [only, ...more] = this.#fields.map((field) => rows.column(field));
    if (only === undefined) return undefined;
    const names = only.map((first, row) => {
      const parts = [first, ...more.map((column) => column[row])];
      if (!parts.every(isPart)) return undefined;
      return parts.length === 1 ? parts[0] : JSON.stringify(parts);
    });
    return names.every((name) => name !== undefined) ? names : withContents(names, rows);
  }

  /**
   * Whether all rows are certainly new and unique, without a lookup: lists are nearly always sorted
   * by id. False proves nothing.
   */
  areClearlyNew(names: readonly string[]): boolean {
    const [first = ''] = names;
    const last = names.at(-1) ?? '';
    const [low, high] = first < last ? [first, last] : [last, first];
    if (this.#spans.some((span) => low <= span.high && high >= span.low)) return false;
    return first < last ? isRising(names) : isRising(names.toReversed());
  }

  has(name: string): boolean {
    return this.#newer.has(name) || this.#older.has(name);
  }

  /** Adds the names of a page, in its order. */
  add(names: readonly string[]): void {
    const [first] = names;
    if (first === undefined) return;
    this.#newer.add(names);
    this.#widen(names, first);
    if (this.#newer.size < remembered) return;
    this.#older = this.#newer;
    this.#newer = new Heap();
  }

  #widen(names: readonly string[], first: string): void {
    let [low, high] = [first, first];
    for (const name of names) {
      if (name < low) low = name;
      else if (name > high) high = name;
    }
    const last = this.#spans.at(-1);
    const isFalling = first === high;
    // A page continues the order of the previous one; the next window starts elsewhere.
    if (last !== undefined && (isFalling ? high < last.low : low > last.high)) {
      this.#spans.pop();
      this.#spans.push(isFalling ? { low, high: last.high } : { low: last.low, high });
      return;
    }
    this.#spans.push({ low, high });
    if (this.#spans.length <= spansMax) return;
    const [oldest, next] = this.#spans.splice(0, 2);
    if (oldest && next) this.#spans.unshift(around(oldest, next));
  }
}

/** Names of whole pages, kept compactly until one is looked up. */
class Heap {
  size = 0;
  readonly #pages: string[] = [];
  #names: Set<string> | undefined;

  add(names: readonly string[]): void {
    this.size += names.length;
    if (this.#names === undefined) this.#pages.push(JSON.stringify(names));
    else for (const name of names) this.#names.add(name);
  }

  has(name: string): boolean {
    this.#names ??= new Set(this.#pages.splice(0).flatMap(namesIn));
    return this.#names.has(name);
  }
}

/** Names of a page, which we serialized as JSON. */
export function namesIn(text: string): readonly string[] {
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value)) throw new InternalError('a kept line holds no names');
  return value.map(String);
}

/** Whether a value can be part of a name that distinguishes rows. */
function isPart(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/**
 * Names of rows of which some have no readable id: such a row is named by its content, and by how
 * many equal ones are before it on its page.
 */
function withContents(names: readonly (string | undefined)[], rows: Listing): readonly string[] {
  const equal = new Map<string, number>();
  const objects = rows.objects();
  return names.map((name, at) => {
    if (name !== undefined) return name;
    const content = canonicalJson(objects[at]);
    const before = equal.get(content) ?? 0;
    equal.set(content, before + 1);
    return `${content} ${before}`;
  });
}

function isRising(names: readonly string[]): boolean {
  return names.every((name, at) => at === 0 || name > (names[at - 1] ?? name));
}

function around(a: NameRange, b: NameRange): NameRange {
  return { low: a.low < b.low ? a.low : b.low, high: a.high > b.high ? a.high : b.high };
}
