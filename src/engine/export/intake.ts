/** Incoming rows: reduced to their columns, checked against `unique`, and sorted. */
import { ExportError } from './error.ts';
import type { DiskFile } from './disk.ts';
import type { Row } from '../../exchange/api/listing.ts';
import { picked } from './row.ts';
import { sorter, type Numbered, type Sorter } from './sorter.ts';
import { uniqueCheck } from './unique.ts';

export interface IntakeOptions {
  readonly file: string;
  readonly rows: AsyncIterable<Row>;
  readonly columns?: readonly string[];
  readonly unique?: readonly string[];
  readonly sort?: readonly string[];
  /** Unselected fields are removed from the rows; a table removes them itself. */
  readonly picks: boolean;
  /** Whether all rows are read before the first is returned, so that `columns` is known. */
  readonly readsAhead: boolean;
  readonly makeRun: () => Promise<DiskFile>;
}

export interface Intake {
  /** The rows in their final order; can be read once. */
  readonly rows: AsyncIterable<Row>;
  /** The selected columns, or the columns seen until now. */
  columns(): readonly string[];
  /** The number of rows until now. */
  count(): number;
  /** @throws ExportError when two rows have equal unique columns; call it after the last row */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Starts to read rows; with `sort` or `readsAhead` it reads all of them first. */
export async function intake(options: IntakeOptions): Promise<Intake> {
  const { file, unique, makeRun, sort } = options;
  const names = unique && uniqueCheck(file, unique, makeRun);
  const columns = columnsSeen(file, options.columns);
  let arrived = 0;
  async function* rows(): AsyncGenerator<Row> {
    for await (const arriving of options.rows) {
      const row = options.picks ? picked(arriving, options.columns) : arriving;
      arrived += 1;
      columns.note(row);
      if (names) await names.add(row, arrived);
      yield row;
    }
  }
  const order = sort || options.readsAhead ? sorter({ columns: sort ?? [], makeRun }) : undefined;
  const close = async (): Promise<void> => {
    await names?.close();
    await order?.close();
  };
  try {
    if (order) await addAll(order, rows());
  } catch (error) {
    await close();
    throw error;
  }
  return {
    rows: order ? rowsOnly(order.sorted()) : rows(),
    columns: () => columns.all(),
    count: () => arrived,
    settle: async () => names?.settle(),
    close,
  };
}

async function addAll(order: Sorter, rows: AsyncIterable<Row>): Promise<void> {
  let number = 0;
  for await (const row of rows) await order.add({ row, number: ++number });
}

async function* rowsOnly(items: AsyncIterable<Numbered>): AsyncGenerator<Row> {
  for await (const { row } of items) yield row;
}

const columnsMax = 1000; // no response has 40 fields; more than this is keys made of data

function columnsSeen(
  file: string,
  asked: readonly string[] | undefined,
): { note(row: Row): void; all(): readonly string[] } {
  const seen = new Set(asked);
  return {
    note: (row) => {
      if (asked) return;
      for (const column of Object.keys(row)) seen.add(column);
      if (seen.size > columnsMax) throw tooManyColumns(file);
    },
    all: () => [...seen],
  };
}

/** The error for too many columns: probably data is used as field names. */
export function tooManyColumns(file: string): ExportError {
  return new ExportError(
    'too-many-columns',
    `${file} was not written: its rows have more than ${columnsMax} different fields`,
    { hint: 'select columns with `columns`' },
  );
}
