/** Any JSON value as lines for a person: lists of records as tables, records as pairs. */
import { isRecord } from '../../base/json.ts';
import { plainText } from '../../base/text.ts';
import { columns } from './columns.ts';
import type { Look } from './look.ts';

const rowsShown = 200; // more than anybody reads; `-o json` has them all
const cellMax = 60; // characters of one cell

export function valueLines(value: unknown, look: Look): string[] {
  if (Array.isArray(value)) return listLines(value, look);
  if (!isRecord(value)) return [scalar(value)];
  const pairs = Object.entries(value).filter(([, item]) => !isTable(item));
  const tables = Object.entries(value).filter(([, item]) => isTable(item));
  return [
    ...columns(
      pairs.map(([key, item]) => [look.paint('faint', plainText(key)), scalar(item)]),
      look,
      { indent: 0 },
    ),
    ...tables.flatMap(([key, item]) => ['', look.paint('strong', key), ...valueLines(item, look)]),
  ];
}

function isTable(value: unknown): boolean {
  return Array.isArray(value) && value.some(isRecord);
}

function listLines(items: readonly unknown[], look: Look): string[] {
  if (items.length === 0) return [look.paint('faint', 'no rows')];
  const shown = items.slice(0, rowsShown);
  const more = items.length - shown.length;
  const rest =
    more > 0 ? [look.paint('faint', `${look.glyphs.dots} ${more} more; -o json has all`)] : [];
  if (!shown.every(isRecord)) return [...shown.map(scalar), ...rest];
  const keys = [...new Set(shown.flatMap((row) => Object.keys(row)))];
  const head = keys.map((key) => look.paint('faint', plainText(key)));
  const rows = shown.map((row) => keys.map((key) => cell(row[key])));
  return [...columns([head, ...rows], { ...look, columns: Infinity }, { indent: 0 }), ...rest];
}

function cell(value: unknown): string {
  return plainText(value === undefined ? '' : scalar(value), cellMax);
}

function scalar(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '""' : plainText(value);
  return plainText(JSON.stringify(value));
}
