/** A map with running numbers as keys, by index instead of hash: fast for millions. */

const pageSize = 1_024;

/** A page of consecutive numbers. An empty page is dropped. */
interface Page<T> {
  readonly things: (T | undefined)[];
  present: number;
}

/**
 * Items by ascending numbers, with gaps. Makers' orders are constantly replaced, so pages are, too.
 */
export class Numbered<T> {
  private readonly pages: (Page<T> | undefined)[] = [];

  get(count: number): T | undefined {
    return this.pages[Math.floor(count / pageSize)]?.things[count % pageSize];
  }

  /** Stores an item under an unused number. */
  add(count: number, thing: T): void {
    const page = this.pageAt(Math.floor(count / pageSize));
    page.things[count % pageSize] = thing;
    page.present++;
  }

  delete(count: number): void {
    const place = Math.floor(count / pageSize);
    const page = this.pages[place];
    const at = count % pageSize;
    if (page?.things[at] === undefined) return;
    page.things[at] = undefined;
    page.present--;
    if (place < this.pages.length - 1) this.forgetEmpty(place);
  }

  /** The items in order of their numbers. */
  *values(): Generator<T, void, undefined> {
    for (const page of this.pages) {
      for (const thing of page?.things ?? []) if (thing !== undefined) yield thing;
    }
  }

  /** Drops a page if it is empty. Never called for the newest page, which will be filled again. */
  private forgetEmpty(place: number): void {
    if (this.pages[place]?.present === 0) this.pages[place] = undefined;
  }

  private pageAt(place: number): Page<T> {
    const known = this.pages[place];
    if (known !== undefined) return known;
    this.forgetEmpty(this.pages.length - 1);
    while (this.pages.length < place) this.pages.push(undefined); // a dense array, even if numbers were skipped
    const things: (T | undefined)[] = [];
    things.length = pageSize; // allocates all slots at once
    const page = { things, present: 0 };
    this.pages[place] = page;
    return page;
  }
}
