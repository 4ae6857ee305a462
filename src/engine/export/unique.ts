/** Finds two rows with equal unique columns among any number of rows, in bounded memory. */
import { count, listed, plainText } from '../../base/text.ts';
import type { DiskFile } from './disk.ts';
import { ExportError } from './error.ts';
import type { Row } from '../../exchange/api/listing.ts';
import { fieldText } from './row.ts';
import { sorter } from './sorter.ts';

export interface UniqueCheck {
  add(row: Row, number: number): Promise<void>;
  /** @throws ExportError naming the first two such rows */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param columns the columns that together identify a row; values are compared as text @param
 * emptyIsValue whether rows with an empty column are compared, too
 */
export function uniqueCheck(
  file: string,
  columns: readonly string[],
  makeRun: () => Promise<DiskFile>,
  emptyIsValue = true,
): UniqueCheck {
  // The prefix of each text prevents a numeric comparison: 1.0 and 1.00 are different.
  const marked = (row: Row): Row =>
    Object.fromEntries(columns.map((column) => [column, `=${fieldText(row, column)}`]));
  const names = sorter({ columns, makeRun });
  return {
    add: async (row, number) => {
      const isNamed = emptyIsValue || columns.every((column) => fieldText(row, column) !== '');
      if (isNamed) await names.add({ row: marked(row), number });
    },
    settle: async () => {
      let before: { readonly name: Row; readonly number: number } | undefined;
      for await (const { row: name, number } of names.sorted()) {
        if (before && columns.every((column) => before?.name[column] === name[column])) {
          throw duplicate(file, columns, { name, numbers: [before.number, number] });
        }
        before = { name, number };
      }
    },
    close: () => names.close(),
  };
}

function duplicate(
  file: string,
  columns: readonly string[],
  { name, numbers }: { readonly name: Row; readonly numbers: readonly [number, number] },
): ExportError {
  const shown = columns.map((column) => {
    const text = plainText(fieldText(name, column).slice(1), 60);
    return `${column} ${text === '' ? '(empty)' : text}`;
  });
  return new ExportError(
    'duplicate-row',
    `rows ${numbers[0]} and ${numbers[1]} of ${file} are both ${listed(shown)}`,
    {
      hint: `nothing was written; \`unique\` names ${count(columns.length, 'column')}; add a column that distinguishes them`,
    },
  );
}
