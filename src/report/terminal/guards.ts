/** The guards on a screen: a list, or a table of accounts and guards if single accounts have some. */
import type { GuardResult } from '../../engine/journal/guard-result.ts';
import { guardLines, guardName, guardTable, type GuardTable } from '../guard-lines.ts';
import { columns, widthOf } from './columns.ts';
import type { Theme } from './theme.ts';

/** Usage of every guard, then the violated ones with their reasons. */
export function guardScreen(guards: readonly GuardResult[], theme: Theme): string[] {
  const lines = guardLines(guards);
  const table = guardTable(lines);
  const kept = lines.filter(({ isKept }) => isKept);
  const label = theme.paint('faint', 'guard');
  const usage =
    table === undefined
      ? kept.map((line) => [label, line.name, line.use])
      : tableRows(table, theme, 0);
  return [
    ...columns(usage, theme, { indent: 0 }),
    ...lines
      .filter(({ isKept }) => !isKept)
      .flatMap((line) => {
        const name = theme.paint('warn', `! guard ${guardName(line)}`);
        return columns([[name, line.message]], theme, { indent: 0 });
      }),
  ];
}

/** The usage of guards in one paragraph, for the end of a run. */
export function guardSummary(guards: readonly GuardResult[], theme: Theme): string[] {
  const lines = guardLines(guards);
  const table = guardTable(lines);
  if (table !== undefined) return columns(tableRows(table, theme, 2), theme, { indent: 2 });
  if (lines.length === 0) return [];
  const words = lines.map((line) => marked(`${line.name} ${line.use}`, line.isKept, theme));
  return columns([[theme.paint('faint', 'guards'), words.join(', ')]], theme, { indent: 2 });
}

/** The rows of the table, one for each owner; in a narrow terminal the guards of an owner are one text. */
function tableRows({ names, rows }: GuardTable, theme: Theme, indent: number): string[][] {
  const wide = [
    ['guards', ...names].map((name) => theme.paint('faint', name)),
    ...rows.map(({ owner, cells }) => [
      owner,
      ...cells.map((cell) => (cell === undefined ? '' : marked(cell.use, cell.isKept, theme))),
    ]),
  ];
  if (rowWidth(wide) + indent <= theme.columns) return wide;
  return rows.map(({ owner, cells }) => {
    const words = cells.flatMap((cell) =>
      cell === undefined ? [] : [marked(`${cell.name} ${cell.use}`, cell.isKept, theme)],
    );
    return [theme.paint('faint', 'guards'), owner, words.join(', ')];
  });
}

function marked(text: string, isKept: boolean, theme: Theme): string {
  return isKept ? text : theme.paint('warn', `! ${text}`);
}

const gap = 2;

function rowWidth(rows: readonly (readonly string[])[]): number {
  const count = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, at) =>
    Math.max(...rows.map((row) => widthOf(row[at] ?? ''))),
  );
  return widths.reduce((sum, width) => sum + width + gap, -gap);
}
