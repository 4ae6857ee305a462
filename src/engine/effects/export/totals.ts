/** The progress of an export, derived from its checkpoints in the journal, during and after the read. */
import type { Bookmark } from '../../../exchange/api/progress.ts';
import type { TimeWindow } from '../../export/manifest.ts';
import type { Entry } from '../../journal/entry.ts';

export type Paged = Omit<Extract<Entry, { readonly kind: 'paged' }>, 'seq' | 'at'>;

/** Rows stored with the same known columns, from an offset of the stored text. */
export interface Section {
  readonly from: number;
  readonly columns: number;
}

export interface ExportTotals {
  pages: number;
  rows: number;
  duplicates: number;
  readonly columns: Set<string>;
  readonly sections: Section[];
  readonly covered: TimeWindow[];
  bytes: number;
  next?: Bookmark;
  isWhole: boolean;
}

export function totalsOf(marks: readonly Paged[]): ExportTotals {
  const tally: ExportTotals = {
    pages: 0,
    rows: 0,
    duplicates: 0,
    columns: new Set(),
    sections: [],
    covered: [],
    bytes: 0,
    isWhole: false,
  };
  for (const mark of marks) count(tally, mark);
  return tally;
}

/** Adds a checkpoint to the totals. */
export function count(tally: ExportTotals, mark: Paged): void {
  const { page, rows, duplicates, columns = [], window, isLast, next, kept } = mark;
  for (const column of columns) tally.columns.add(column);
  if (columns.length > 0) tally.sections.push({ from: tally.bytes, columns: tally.columns.size });
  if (isLast && window) tally.covered.push(window);
  tally.pages = page;
  tally.rows = rows;
  tally.duplicates = duplicates;
  tally.bytes = kept.bytes;
  delete tally.next;
  if (next) tally.next = next;
  tally.isWhole = next === undefined;
}
