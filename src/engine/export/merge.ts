/** Rows of a file together with newer ones: of two that are equal in their unique columns, the newer stays. */
import { InternalError } from '../../base/error.ts';
import { isRow, type Row } from '../../exchange/api/listing.ts';
import type { DiskFile } from './disk.ts';
import { fieldText } from './row.ts';
import { sorter } from './sorter.ts';

export interface Merged {
  /** All rows, ordered by their unique columns; can be read once. */
  readonly rows: AsyncIterable<Row>;
  /** The numbers until now. */
  readonly counts: { added: number; replaced: number };
}

/** Merges any number of rows in bounded memory. */
export function merged(
  { earlier, fresh }: { readonly earlier: AsyncIterable<Row>; readonly fresh: AsyncIterable<Row> },
  unique: readonly string[],
  makeRun: () => Promise<DiskFile>,
): Merged {
  const counts = { added: 0, replaced: 0 };
  const keyFields = [...unique.map(keyField), wholeField];
  return { rows: mergedRows(), counts };

  async function* mergedRows(): AsyncGenerator<Row> {
    const order = sorter({ columns: keyFields, makeRun });
    try {
      let number = 0;
      for await (const row of earlier)
        await order.add({ row: marked(row, false), number: ++number });
      for await (const row of fresh) await order.add({ row: marked(row, true), number: ++number });
      let group: Marked[] = [];
      for await (const { row } of order.sorted()) {
        const next = markedIn(row);
        const [first] = group;
        if (first && !isSameKey(first.keys, next.keys)) {
          yield settled(group);
          group = [];
        }
        group.push(next);
      }
      if (group.length > 0) yield settled(group);
    } finally {
      await order.close();
    }
  }

  /** The row that stays of those with the same key, the earlier before the newer. */
  function settled(group: readonly Marked[]): Row {
    const before = group.findLast(({ isFresh }) => !isFresh);
    const last = group.at(-1);
    if (last === undefined) throw new InternalError('no row has this key');
    if (before === undefined) counts.added += 1;
    else if (last.isFresh && !isSameRow(before.row, last.row)) counts.replaced += 1;
    return last.row;
  }

  function marked(row: Row, isFresh: boolean): Row {
    const keys = unique.map((column): [string, string] => [
      keyField(column),
      `=${fieldText(row, column)}`, // a prefix prevents a numeric comparison: 1.0 and 1.00 are different
    ]);
    // A row without an id is compared by all its fields, as the read itself does.
    const isNamed = unique.every((column) => fieldText(row, column) !== '');
    const whole = isNamed ? '' : JSON.stringify(filledIn(row));
    return { ...Object.fromEntries(keys), [wholeField]: whole, row, isFresh };
  }

  function markedIn(found: Row): Marked {
    const { row, isFresh } = found;
    if (!isRow(row)) throw new InternalError('a sorted row has no row');
    return {
      row,
      isFresh: isFresh === true,
      keys: keyFields.map((field) => fieldText(found, field)),
    };
  }
}

interface Marked {
  readonly row: Row;
  readonly isFresh: boolean;
  readonly keys: readonly string[];
}

function keyField(column: string): string {
  return `key ${column}`;
}

const wholeField = 'whole';

/** The fields of a row that are not empty, as texts, in order of their names. */
function filledIn(row: Row): readonly (readonly [string, string])[] {
  return Object.keys(row)
    .toSorted()
    .map((column) => [column, fieldText(row, column)] as const)
    .filter(([, text]) => text !== '');
}

function isSameKey(a: readonly string[], b: readonly string[]): boolean {
  return a.every((value, at) => value === b[at]);
}

/** Whether two rows have equal texts: a CSV file has only texts, and an empty one for a missing field. */
function isSameRow(a: Row, b: Row): boolean {
  const columns = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...columns].every((column) => fieldText(a, column) === fieldText(b, column));
}
