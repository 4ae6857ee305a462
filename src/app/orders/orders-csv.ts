/** The orders of all runs as a table: CSV (RFC 4180), which spreadsheets do not evaluate. */
import { cellOf } from '../../engine/export/writers/csv-cell.ts';
import type { RunOrder } from '../documents/order-documents.ts';

/** The columns of the CSV, which are the fields of the JSON. */
const csvColumns = [
  'sentAt',
  'run',
  'playbook',
  'address',
  'account',
  'target',
  'symbol',
  'side',
  'size',
  'price',
  'notional',
  'coin',
  'clientOid',
  'orderId',
  'state',
  'now',
  'plan',
  'approvedBy',
] as const satisfies readonly (keyof RunOrder)[];

/** The lines of the table, its head first. */
export function ordersCsv(orders: readonly RunOrder[]): readonly string[] {
  const rows = orders.map((order) =>
    csvColumns.map((name) => {
      const value = order[name];
      if (name === 'sentAt') return new Date(order.sentAt).toISOString();
      return Array.isArray(value) ? value.join(' ') : String(value ?? '');
    }),
  );
  return [csvColumns, ...rows].map((row) => row.map(cellOf).join(','));
}
