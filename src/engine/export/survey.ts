/** Reads all rows once before a file with types is written: finds the types of columns and the values
 * that do not fit.
 */
import { plainText } from '../../base/text.ts';
import type { Row } from '../../exchange/api/listing.ts';
import { formats } from '../../exchange/api/vocabulary.ts';
import {
  decimalType,
  numberIn,
  textType,
  timeIn,
  typeName,
  unscaled,
  type ColumnType,
  type ColumnTypes,
  type DecimalType,
} from '../../exchange/api/column-types.ts';
import { ExportError } from './error.ts';
import { fieldText } from './row.ts';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** The number of characters of the column's longest value. */
  readonly width: number;
}

/** Values that are not of the type of their column, and how they were written instead. */
export interface ColumnException {
  readonly column: string;
  /** `null` for each such value, or the whole column as text. */
  readonly written: 'null' | 'text';
  /** The number of rows with such a value. */
  readonly rows: number;
  /** The first row with such a value; rows are numbered from 1. */
  readonly first: { readonly row: number; readonly value: string };
}

export interface Survey {
  readonly columns: readonly Column[];
  readonly exceptions: readonly ColumnException[];
}

/** `parquet` keeps every type and all digits; `xlsx` has doubles, and a column is numbers or text throughout. */
type Typed = 'parquet' | 'xlsx';

interface ColumnsOf {
  readonly names: readonly string[];
  readonly types: ColumnTypes;
  /** The type of columns that `types` does not have; default: their values decide. */
  readonly otherType?: ColumnType | undefined;
}

/**
 * @throws ExportError when a number of a Parquet file has more digits than its column: none is lost
 * silently
 */
export async function survey(
  file: string,
  format: Typed,
  rows: AsyncIterable<Row>,
  { names, types, otherType }: ColumnsOf,
): Promise<Survey> {
  const seen = names.map((name) => newColumn(name, types.get(name) ?? otherType));
  let number = 0;
  for await (const row of rows) {
    number += 1;
    for (const column of seen) note(column, fieldText(row, column.name), number, format);
  }
  const columns: Column[] = [];
  const exceptions: ColumnException[] = [];
  for (const column of seen) {
    const { name, width, odd, unfit } = column;
    const type = typeOf(column);
    if (type.kind === 'number' && unfit !== undefined) throw tooPrecise(file, name, type, unfit);
    const written = format === 'parquet' ? 'null' : 'text';
    if (type.kind !== 'text' && odd !== undefined)
      exceptions.push({ column: name, written, ...odd });
    const isText = format === 'xlsx' && odd !== undefined;
    columns.push({ name, type: isText ? textType : type, width });
  }
  return { columns, exceptions };
}

type First = ColumnException['first'];

interface Seen {
  readonly name: string;
  readonly declared: ColumnType | undefined;
  width: number;
  filled: number;
  /** The number of filled values that are numbers. */
  numbers: number;
  odd?: { rows: number; readonly first: First };
  unfit?: First;
}

function newColumn(name: string, declared: ColumnType | undefined): Seen {
  return { name, declared, width: 0, filled: 0, numbers: 0 };
}

/** A column without a declared type is numbers if every value is one that fits. */
function typeOf({ declared, filled, numbers, unfit }: Seen): ColumnType {
  if (declared !== undefined) return declared;
  return filled > 0 && numbers === filled && unfit === undefined ? decimalType : textType;
}

function note(column: Seen, text: string, row: number, format: Typed): void {
  if (text === '') return;
  column.filled += 1;
  column.width = Math.max(column.width, text.length);
  const { declared = decimalType } = column;
  if (declared.kind === 'text') return;
  const first = { row, value: plainText(text, 80) };
  if (declared.kind === 'time') {
    if (timeIn(text) === undefined) count(column, first);
    return;
  }
  // Without a declared type, 007 may be an id and 1e3 a name.
  const mayBeNumber = column.declared !== undefined || formats.decimal.test(text);
  const plain = mayBeNumber ? numberIn(text) : undefined;
  if (plain !== undefined) column.numbers += 1;
  const isKept = plain !== undefined && (format === 'parquet' || isExact(plain));
  if (!isKept) count(column, first);
  else if (format === 'parquet' && unscaled(plain, declared) === undefined) column.unfit ??= first;
}

function count(column: Seen, first: First): void {
  column.odd ??= { rows: 0, first };
  column.odd.rows += 1;
}

const doubleDigits = 15; // digits of a number that a spreadsheet keeps, and a double can hold

/** Whether a spreadsheet keeps all digits. */
function isExact(plain: string): boolean {
  return plain.replace(/^-/, '').replace('.', '').replace(/^0+/, '').length <= doubleDigits;
}

function tooPrecise(
  file: string,
  column: string,
  type: DecimalType,
  { row, value }: First,
): ExportError {
  const name = plainText(column, 60);
  return new ExportError(
    'file-format',
    `${file} was not written: ${name} of row ${row} is ${value}, which ${typeName(type)} does not hold`,
    {
      hint: `give the column a type in write.columns, as ${name}: { value: "{{ row.${name} }}", type: "decimal(38,30)" } or type: text; or write csv or ndjson`,
    },
  );
}
