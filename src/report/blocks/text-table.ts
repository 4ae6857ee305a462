/** Rows of a step as cells of text, for a message. */
import type { TablePart } from '../../engine/export/document-parts.ts';
import type { TextTable } from '../../base/text-table.ts';
import { withoutWords } from '../without.ts';
import type { Inline } from './block.ts';
import { dataTable } from './tables.ts';

export function textTable(part: TablePart): TextTable {
  const { columns } = dataTable(part);
  const { rows, total, without = [] } = part;
  return {
    columns: columns.map(({ name, isNumber = false }) => ({ name, isNumber })),
    rows: rows.map((row) => columns.map(({ cell }) => textOf(cell(row)))),
    left: total - rows.length,
    notes: without.map((each) => `${withoutWords(each)}.`),
  };
}

/** Cells of rows are texts without marks. */
function textOf(cell: Inline): string {
  return typeof cell === 'string' ? cell : '';
}
