/** The sorted prices of one side, in short rows so that a new price moves few others. */
import { Level } from './level.ts';

const rowMax = 256; // prices in a row before it is split

export class Levels<T> {
  private readonly rows: Level<T>[][] = [];
  private readonly byTicks = new Map<number, Level<T>>();

  get lowest(): Level<T> | undefined {
    return this.rows[0]?.[0];
  }

  get highest(): Level<T> | undefined {
    const row = this.rows[this.rows.length - 1];
    return row?.[row.length - 1];
  }

  /** The level of a price, created if there is none. */
  at(ticks: number): Level<T> {
    const known = this.byTicks.get(ticks);
    if (known !== undefined) return known;
    const level = new Level<T>(ticks);
    this.byTicks.set(ticks, level);
    this.insert(level);
    return level;
  }

  remove(level: Level<T>): void {
    this.byTicks.delete(level.ticks);
    const place = this.rowOf(level.ticks);
    const row = this.rows[place];
    if (row === undefined) return;
    row.splice(firstNotBelow(row, level.ticks), 1);
    if (row.length === 0) this.rows.splice(place, 1);
  }

  /** The level of the next higher price. */
  above(ticks: number): Level<T> | undefined {
    const place = this.rowOf(ticks);
    const row = this.rows[place];
    if (row === undefined) return undefined;
    return row[firstNotBelow(row, ticks + 1)] ?? this.rows[place + 1]?.[0];
  }

  /** The level of the next lower price. */
  below(ticks: number): Level<T> | undefined {
    const place = this.rowOf(ticks);
    const row = this.rows[place];
    if (row === undefined) return undefined;
    const at = firstNotBelow(row, ticks);
    if (at > 0) return row[at - 1];
    const lower = this.rows[place - 1];
    return lower?.[lower.length - 1];
  }

  *upwards(): Generator<Level<T>, void, undefined> {
    for (const row of this.rows) yield* row;
  }

  *downwards(): Generator<Level<T>, void, undefined> {
    for (let place = this.rows.length - 1; place >= 0; place--) {
      const row = this.rows[place] ?? [];
      for (let at = row.length - 1; at >= 0; at--) {
        const level = row[at];
        if (level !== undefined) yield level;
      }
    }
  }

  private insert(level: Level<T>): void {
    const place = this.rowOf(level.ticks);
    const row = this.rows[place];
    if (row === undefined) {
      this.rows.push([level]);
      return;
    }
    row.splice(firstNotBelow(row, level.ticks), 0, level);
    if (row.length > rowMax) this.rows.splice(place + 1, 0, row.splice(rowMax / 2));
  }

  /** The last row that does not start above the price, or the first one. */
  private rowOf(ticks: number): number {
    let low = 0;
    let high = this.rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const first = this.rows[middle]?.[0];
      if (first !== undefined && first.ticks <= ticks) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}

function firstNotBelow<T>(row: readonly Level<T>[], ticks: number): number {
  let low = 0;
  let high = row.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const level = row[middle];
    if (level !== undefined && level.ticks < ticks) low = middle + 1;
    else high = middle;
  }
  return low;
}
