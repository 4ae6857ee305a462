/** The tables of a run: its orders, its files, and the rows of a custom page. */
import type { Row } from '../../exchange/api/listing.ts';
import { formattedNumber, type NumberFormat } from '../../base/number-format.ts';
import { grouped, plainText } from '../../base/text.ts';
import { fieldText } from '../../engine/export/row.ts';
import type { TablePart } from '../../engine/export/document-parts.ts';
import { cellOf, isNumbers, placesIn } from './cells.ts';
import { notionalWords, urgentFirst, type OrderLine } from '../orders.ts';
import { groupedNumber } from '../request-text.ts';
import type { FileLine } from '../file-lines.ts';
import { ranksOf } from './ranks.ts';
import type { Summary } from '../summary.ts';
import { dayOf, gapWords, money, rangeWords, sizeOf } from '../words.ts';
import { showCommand, withAccount, type Column, type Table } from './block.ts';

export function orderTable({ orders, run }: Summary): Table<OrderLine> {
  return {
    columns: withAccount(orderColumns, orders),
    rows: urgentFirst(orders),
    rest: [': ', { code: showCommand(run) }],
  };
}

/** The placed orders by value, as text: `3,100.00 USDT placed`. */
export function placedWords({ orders }: Summary): string {
  const there = orders.filter(({ standing }) => standing === 'done' || standing === 'found');
  return there.length === 0 ? 'none placed' : `${notionalWords(there)} placed`;
}

export const orderColumns: readonly Column<OrderLine>[] = [
  { name: 'State', cell: ({ state }) => ({ state }) },
  { name: 'Order', wraps: true, cell: ({ symbol, side }) => `${symbol} ${side}` },
  { name: 'Size', isNumber: true, cell: ({ size }) => groupedNumber(size) },
  {
    name: 'Price',
    isNumber: true,
    cell: ({ price }) => (price === '' ? 'market' : groupedNumber(price)),
  },
  { name: 'Terms', wraps: true, cell: ({ terms }) => terms.join(', ') },
  {
    name: 'Notional',
    isNumber: true,
    cell: ({ notional, coin }) => (notional ? `${money(notional)} ${coin}` : '–'),
  },
  {
    name: 'clientOid, orderId',
    cell: ({ clientOid, orderId }) => ({
      lines: [{ code: clientOid }, orderId === '' ? { dim: 'no orderId' } : { code: orderId }],
    }),
  },
  { name: 'Evidence', wraps: true, cell: ({ how }) => ({ dim: how }) },
];

export function fileTable(files: readonly FileLine[], run: string): Table<FileLine> {
  return {
    columns: withAccount(fileColumns, files),
    rows: files,
    rest: [': ', { code: showCommand(run) }],
  };
}

export const fileColumns: readonly Column<FileLine>[] = [
  { name: 'File', cell: ({ file }) => ({ strong: file }) },
  { name: 'Step', cell: ({ step }) => step },
  { name: 'Rows', isNumber: true, cell: ({ rows }) => grouped(String(rows)) },
  { name: 'Size', isNumber: true, cell: ({ bytes }) => sizeOf(bytes) },
  { name: 'Pages read', isNumber: true, cell: ({ pages }) => grouped(String(pages)) },
  {
    name: 'Complete',
    wraps: true,
    cell: ({ clamped, range, continued }) => {
      if (continued?.gaps) return gapWords(continued.gaps);
      if (clamped) return `from ${dayOf(clamped.from)}: older data is not kept`;
      return range ? `all requested data: ${rangeWords(range)}` : 'all requested data';
    },
  },
  { name: 'sha256', cell: ({ sha256 }) => ({ digest: sha256 }) },
];

/** Rows of a step on a custom page; a column of amounts is right-aligned. */
export function dataTable(part: TablePart): Table<Row> {
  const { columns, rows, total, files, formats, sortable = false } = part;
  const names = files.map((file) => plainText(file, 160)).join(', ');
  return {
    columns: columns.map((name) => ({
      ...dataColumn(name, rows, formats?.get(name)),
      ...(sortable && { ranks: ranksOf(rows, name) }),
    })),
    rows,
    total,
    rest: names === '' ? '' : ` in ${names}`,
  };
}

function dataColumn(name: string, rows: readonly Row[], format?: NumberFormat): Column<Row> {
  const title = plainText(name, 60);
  if (format !== undefined) {
    const cell = (row: Row): string => formattedNumber(fieldText(row, name), format);
    return { name: title, isNumber: true, cell: (row) => plainText(cell(row), 300) };
  }
  const isNumber = isNumbers(rows, name);
  const places = isNumber ? placesIn(rows, name) : 0;
  const cell = (row: Row): string => cellOf(row[name] ?? '', { isNumber, places });
  return { name: title, cell, ...(isNumber && { isNumber: true }) };
}
