/** One time range for every way to read a list: exports, steps without a file, and all pages of a call. */
import { describe, expect, test } from 'vitest';
import { day, hour, second, type Millis } from '../../../src/base/clock.ts';
import { fieldOf, type Json } from '../../../src/base/json.ts';
import { operationOf, type OperationName } from '../../../src/exchange/api/operations/index.ts';
import { readAll } from '../../../src/exchange/api/reading.ts';
import { clientOf } from '../../support/harness.ts';
import {
  exported,
  isKeptIn,
  keptRows,
  lived,
  nameOf,
  openLivedHarness,
  since,
  timedLists,
  type Timed,
} from '../../support/lived.ts';

type Times = Readonly<Partial<Record<'startTime' | 'endTime', string>>>;

/** What is read for the times; undefined if they are refused. */
type Range = { readonly from: Millis; readonly to: Millis } | undefined;

const fewDays = (operation: Timed): number => (operation === 'market/list-fills' ? 10 : 60);

function cases(operation: Timed): readonly (readonly [string, Times, Range])[] {
  const start = lived - fewDays(operation) * day;
  const end = lived - fewDays(operation) * day + 9 * day;
  const kept = Math.max(start, since(operation, lived));
  const isKept = operationOf(operation).window?.lookBack !== undefined;
  const bounds: (readonly [string, Times, Range])[] = [
    ['a start', { startTime: String(start) }, { from: kept, to: lived }],
    [
      'a start and an end in the future',
      { startTime: String(lived - day), endTime: String(lived + day) },
      { from: lived - day, to: lived },
    ],
  ];
  // Every symbol has 2,700 trades a day: ninety days of them take too long.
  if (operation === 'market/list-fills') return bounds;
  const fromKept = isKept ? since(operation, lived) : undefined;
  const isOver = fromKept === undefined || end < fromKept;
  bounds.push([
    'an end',
    { endTime: String(end) },
    isOver ? undefined : { from: fromKept, to: end },
  ]);
  return [...bounds, ['no times', {}, omitted(operation, fromKept)]];
}

function omitted(operation: Timed, fromKept: Millis | undefined): Range {
  if (operation === 'tax/list-p2p') return undefined;
  if (operation === 'loan/list-orders') return { from: lived - 30 * day, to: lived };
  if (!operation.startsWith('agent/'))
    return fromKept === undefined ? undefined : { from: fromKept, to: lived };
  const midnight = Math.floor((lived + 8 * hour) / day) * day - 8 * hour;
  return { from: midnight - day, to: midnight - 1 };
}

function rowsIn(answer: Json): readonly unknown[] {
  const rows = Array.isArray(answer)
    ? answer
    : (fieldOf(answer, 'list') ?? fieldOf(answer, 'bills'));
  return Array.isArray(rows) ? rows : [];
}

/** A client that waits for its turn assumes that the exchange's clock advances meanwhile. */
function expectNear(found: unknown, { from, to }: { from: Millis; to: Millis }): void {
  expect(Math.abs(Number(fieldOf(found, 'from')) - from)).toBeLessThan(3 * second);
  expect(Math.abs(Number(fieldOf(found, 'to')) - to)).toBeLessThan(3 * second);
}

const sorted = (names: readonly string[]): string[] => [...names].sort();

describe('the same rows are exported, read by a step and shown by call --page all', async () => {
  const harness = await openLivedHarness();
  const books = keptRows(harness, lived);
  const nameIn = (operation: OperationName, row: unknown): string =>
    nameOf(operation, typeof row === 'object' ? { ...row } : {});

  for (const [operation, fields] of timedLists) {
    test.each(cases(operation))(
      `${operation} ${JSON.stringify(fields)} with %s`,
      async (_, times, range) => {
        const input = { ...fields, ...times };
        const exchange = clientOf(harness);
        const now = await exchange.serverTime();
        const reading = { exchange, options: {}, now };
        if (range === undefined) {
          await expect(readAll(operation, input, reading)).rejects.toThrow(/startTime/);
          return;
        }
        const { answer, range: read } = await readAll(operation, input, reading);
        const { rows, manifest } = await exported(harness, operation, input);
        const names = sorted(rows.map((row) => nameOf(operation, row)));
        expect(sorted(rowsIn(answer).map((row) => nameIn(operation, row)))).toEqual(names);
        expectNear(read, range);
        const covered = fieldOf(manifest, 'covered');
        const windows: readonly unknown[] = Array.isArray(covered) ? covered : [];
        const [first, last] = [windows[0], windows.at(-1)];
        expectNear({ from: fieldOf(first, 'from'), to: fieldOf(last, 'to') }, range);
        const own = books[operation](fields).filter((row) => isKeptIn(row, range.from, range.to));
        expect(names).toEqual(sorted(own.map(({ name }) => name)));
      },
    );
  }
});
