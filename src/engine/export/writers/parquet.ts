/** Rows as Parquet: exact decimals as DECIMAL, times as TIMESTAMP, row groups of bounded size. */
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { numberIn, timeIn, unscaled, type ColumnType } from '../../../exchange/api/column-types.ts';
import type { Column } from '../survey.ts';
import type { Row } from '../../../exchange/api/listing.ts';
import { fieldText } from '../row.ts';

const groupRows = 10_000; // rows in memory at once

/** @param columns as surveyed in the same rows */
export async function* parquetBytes(
  rows: AsyncIterable<Row>,
  columns: readonly Column[],
): AsyncGenerator<Uint8Array> {
  const writer = new ByteWriter();
  const file = new ParquetWriter({ writer, schema: schemaOf(columns), createdBy: 'deskhand' });
  const write = async (group: readonly Row[]): Promise<void> => {
    const columnData = columns.map((column) => ({
      name: column.name,
      data: group.map((row) => valueOf(fieldText(row, column.name), column.type)),
    }));
    await file.write({ columnData, rowGroupSize: groupRows });
  };
  let group: Row[] = [];
  for await (const row of rows) {
    group.push(row);
    if (group.length < groupRows) continue;
    await write(group);
    group = [];
    yield taken(writer);
  }
  if (group.length > 0) await write(group);
  await file.finish();
  yield taken(writer);
}

/** The bytes written since the last call; file offsets continue. */
function taken(writer: ByteWriter): Uint8Array {
  const bytes = writer.getBytes().slice();
  writer.index = 0;
  return bytes;
}

function schemaOf(columns: readonly Column[]): SchemaElement[] {
  return [{ name: 'rows', num_children: columns.length }, ...columns.map(elementOf)];
}

const int64Digits = 18; // every number of this many digits fits

function elementOf({ name, type }: Column): SchemaElement {
  const base = { name, repetition_type: 'OPTIONAL' } as const;
  switch (type.kind) {
    case 'text':
      return { ...base, type: 'BYTE_ARRAY', converted_type: 'UTF8' };
    case 'time':
      return { ...base, type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' };
    case 'number': {
      const { precision, scale } = type;
      const decimal = { ...base, converted_type: 'DECIMAL', precision, scale } as const;
      return precision <= int64Digits
        ? { ...decimal, type: 'INT64' }
        : { ...decimal, type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16 };
    }
  }
}

/** The value of a field. An empty one is null, and so is a value that the survey reported. */
function valueOf(text: string, type: ColumnType): string | bigint | undefined {
  if (text === '') return undefined;
  if (type.kind === 'text') return text;
  if (type.kind === 'time') {
    const ms = timeIn(text);
    return typeof ms === 'number' ? BigInt(ms) : undefined;
  }
  const plain = numberIn(text);
  return plain === undefined ? undefined : unscaled(plain, type);
}
