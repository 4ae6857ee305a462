/** Things under running numbers, found by counting instead of hashing: a million stay quick. */

const pageSize = 1_024;

/** So many numbers in a row. A page whose things have all gone is forgotten. */
interface Page<T> {
  readonly things: (T | undefined)[];
  present: number;
}

/** Numbers only rise, apart from gaps; makers' orders come and go all day, so pages do, too. */
export class Numbered<T> {
  private readonly pages: (Page<T> | undefined)[] = [];

  get(count: number): T | undefined {
    return this.pages[Math.floor(count / pageSize)]?.things[count % pageSize];
  }

  /** Puts a thing under a number nothing has yet. */
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

  /** In order of their numbers. */
  *values(): Generator<T, void, undefined> {
    for (const page of this.pages) {
      for (const thing of page?.things ?? []) if (thing !== undefined) yield thing;
    }
  }

  /** Not the newest page: it fills up again. */
  private forgetEmpty(place: number): void {
    if (this.pages[place]?.present === 0) this.pages[place] = undefined;
  }

  private pageAt(place: number): Page<T> {
    const known = this.pages[place];
    if (known !== undefined) return known;
    this.forgetEmpty(this.pages.length - 1);
    while (this.pages.length < place) this.pages.push(undefined); // dense, whatever was skipped
    const things: (T | undefined)[] = [];
    things.length = pageSize; // room for all, at once
    const page = { things, present: 0 };
    this.pages[place] = page;
    return page;
  }
}
