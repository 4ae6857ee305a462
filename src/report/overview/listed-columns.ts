/** What every place of the table of listed runs has at hand once its block was read. */
import type { Part } from './listed-parts.ts';

export interface Columns {
  readonly groups: Uint32Array;
  readonly people: Uint32Array;
  readonly statuses: Uint8Array;
  readonly startedAt: Float64Array;
  readonly doubts: Uint32Array;
  readonly asks: Uint8Array;
}

export function columnsOf(size: number): Columns {
  return {
    groups: new Uint32Array(size),
    people: new Uint32Array(size),
    statuses: new Uint8Array(size),
    startedAt: new Float64Array(size),
    doubts: new Uint32Array(size),
    asks: new Uint8Array(size),
  };
}

/** Fills in a block. @param from the place of its first run */
export function fill(columns: Columns, part: Part, from: number): void {
  const count = part.names.length;
  columns.groups.set(part.groups, from);
  for (let at = 0; at < count; at++) {
    columns.people[from + at] = part.people(at);
    columns.statuses[from + at] = part.status(at);
    columns.startedAt[from + at] = part.startedAt(at);
    columns.doubts[from + at] = part.doubts(at);
    columns.asks[from + at] = part.asks(at) === undefined ? 0 : 1;
  }
}
