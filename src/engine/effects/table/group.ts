/** Groups rows and computes sums, counts and bounds of each group, exactly. */
import { decimal, decimalText, isDecimalText, zero, type Decimal } from '../../../base/decimal.ts';
import { DeskhandError, exits } from '../../../base/error.ts';
import type { Json } from '../../../base/json.ts';
import { grouped } from '../../../base/text.ts';
import type { Row } from '../../../exchange/api/listing.ts';
import { numberOf } from '../../../language/expression/helpers/define.ts';
import type { Aggregate } from '../../../language/tables.ts';

/** A row before it is grouped. */
export interface Grouped {
  /** The values that identify its group. */
  readonly group: Row;
  /** The input of each aggregate. */
  readonly values: readonly (Json | undefined)[];
}

const groupsMax = 100_000; // they are kept in memory; each needs some hundred bytes

/** The error for more groups, or more joined rows, than memory allows. */
export class TooManyGroupsError extends DeskhandError {
  constructor(what: string, most: number) {
    super(`the table has more than ${grouped(String(most))} ${what}`, {
      code: 'too-many-groups',
      actor: 'author',
      exit: exits.stopped,
      hint: 'group by fewer columns, or select fewer rows with where',
    });
  }
}

/** @throws TooManyGroupsError when there are more than `most` */
export function refuseMoreThan(size: number, what: string, most: number = groupsMax): void {
  if (size > most) throw new TooManyGroupsError(what, most);
}

/**
 * The groups in order of appearance; memory grows with them, not with the rows.
 * @param aggregates column names and aggregate functions, in the order of `values`
 */
export async function* groupsOf(
  rows: AsyncIterable<Grouped>,
  aggregates: readonly (readonly [column: string, aggregate: Aggregate])[],
): AsyncGenerator<Row> {
  const groups = new Map<string, { readonly group: Row; readonly totals: Total[] }>();
  for await (const { group, values } of rows) {
    const name = JSON.stringify(Object.values(group));
    let found = groups.get(name);
    if (found === undefined) {
      found = { group, totals: aggregates.map(([, aggregate]) => totalOf(aggregate)) };
      groups.set(name, found);
      refuseMoreThan(groups.size, 'groups');
    }
    for (const [at, total] of found.totals.entries()) total.add(values[at] ?? null);
  }
  for (const { group, totals } of groups.values()) {
    const columns = aggregates.map(([name], at): [string, Json] => [
      name,
      totals[at]?.value() ?? null,
    ]);
    yield { ...group, ...Object.fromEntries(columns) };
  }
}

interface Total {
  add(value: Json): void;
  value(): Json;
}

function totalOf(aggregate: Aggregate): Total {
  switch (aggregate) {
    case 'count':
      return counted();
    case 'sum':
      return summed();
    case 'min':
      return bounded(-1);
    case 'max':
      return bounded(1);
    case 'first':
      return kept((before, value) => before ?? value);
    case 'last':
      return kept((_before, value) => value);
  }
}

function counted(): Total {
  let rows = 0;
  return { add: () => (rows += 1), value: () => rows };
}

function summed(): Total {
  let sum: Decimal = zero;
  return {
    add: (value) => {
      sum = sum.plus(numberOf(scalar(value)));
    },
    value: () => decimalText(sum),
  };
}

function kept(choose: (before: Json | undefined, value: Json) => Json): Total {
  let found: Json | undefined;
  return {
    add: (value) => {
      found = choose(found, value);
    },
    value: () => found ?? null,
  };
}

/** The minimum or maximum of values: numbers are ordered by value and before texts, as files are sorted. */
function bounded(sign: -1 | 1): Total {
  return kept((before, value) =>
    before === undefined || compareScalars(value, before) * sign > 0 ? value : before,
  );
}

/** Compares two scalars: negative when `a` comes first. */
export function compareScalars(a: Json, b: Json): number {
  const [left, right] = [comparable(a), comparable(b)];
  if (typeof left === 'string') {
    if (typeof right !== 'string') return 1;
    return left < right ? -1 : left > right ? 1 : 0;
  }
  return typeof right === 'string' ? -1 : left.cmp(right);
}

function comparable(value: Json): Decimal | string {
  const text = value === null ? '' : String(scalar(value));
  return isDecimalText(text) ? decimal(text) : text;
}

function scalar(value: Json): string | number {
  if (typeof value === 'string' || typeof value === 'number') return value;
  return value === null ? '' : JSON.stringify(value);
}
