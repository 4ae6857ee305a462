/** Formats any JSON value as lines for a person: lists of records as tables, records as pairs. */
import { isRecord } from '../../base/json.ts';
import { plainText } from '../../base/text.ts';
import { columns, widthOf } from './columns.ts';
import type { Theme } from './theme.ts';

const rowsShown = 200; // more than a person reads; `-o json` has all of them
const cellMax = 60; // characters per cell

export function valueLines(value: unknown, theme: Theme): string[] {
  if (Array.isArray(value)) return listLines(value, theme);
  if (!isRecord(value)) return [scalar(value)];
  const pairs = Object.entries(value).filter(([, item]) => !isTable(item));
  const tables = Object.entries(value).filter(([, item]) => isTable(item));
  return [
    ...columns(
      pairs.map(([key, item]) => [theme.paint('faint', plainText(key)), scalar(item)]),
      theme,
      { indent: 0 },
    ),
    ...tables.flatMap(([key, item]) => [
      '',
      theme.paint('strong', key),
      ...valueLines(item, theme),
    ]),
  ];
}

function isTable(value: unknown): boolean {
  return Array.isArray(value) && value.some(isRecord);
}

function listLines(items: readonly unknown[], theme: Theme): string[] {
  if (items.length === 0) return [theme.paint('faint', 'no rows')];
  const shown = items.slice(0, rowsShown);
  const more = items.length - shown.length;
  const rest = more > 0 ? [theme.paint('faint', `${theme.more(more)}; -o json has all`)] : [];
  if (!shown.every(isRecord)) return [...shown.map(scalar), ...rest];
  const keys = [...new Set(shown.flatMap((row) => Object.keys(row)))];
  const head = keys.map((key) => theme.paint('faint', plainText(key)));
  const rows = shown.map((row) => keys.map((key) => cell(row[key])));
  const table = columns([head, ...rows], { ...theme, columns: Infinity }, { indent: 0 });
  const isTooWide = theme.isTerminal && table.some((line) => widthOf(line) > theme.columns);
  if (!isTooWide) return [...table, ...rest];
  const records = shown.map((row) => valueLines(row, theme).join('\n'));
  return [records.join('\n\n'), ...rest];
}

function cell(value: unknown): string {
  return plainText(value === undefined ? '' : scalar(value), cellMax);
}

function scalar(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '""' : plainText(value);
  return plainText(JSON.stringify(value));
}
