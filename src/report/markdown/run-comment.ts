/** A finished run as a comment for a pull request. */
import { count, moreText } from '../../base/text.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { excerptLines, stopPlace, stopSource, stopTitle } from '../blocks/excerpt.ts';
import { runFacts } from '../blocks/facts.ts';
import { guardBlock, guardFacts } from '../blocks/guards.ts';
import { outcomeTable } from '../blocks/outcome.ts';
import { fileTable, orderTable, placedWords } from '../blocks/tables.ts';
import { warningsIn } from '../blocks/warnings.ts';
import { outputWords } from '../named-outputs.ts';
import { summaryOf, type Summary } from '../summary.ts';
import { drawn, factLine, signOf, tableBlock } from './draw.ts';
import { fitted, type Block } from './fit.ts';
import { code, codeBlock, marker, points, prose, tableHead, tableRow } from './text.ts';

/**
 * The comment, at most 60,000 characters: rows that do not fit are omitted completely and counted.
 * @param entries a whole journal, in order
 */
export function runMarkdown(entries: readonly Entry[]): string {
  const summary = summaryOf(entries, { isWriting: true });
  const { playbook, headline, status, destination, lead, rest, files, run } = summary;
  const warnings = warningsIn(summary).map(([what, why]) => `! **${prose(what)}**: ${drawn(why)}`);
  return fitted([
    marker('run', playbook.name),
    `### ${signOf(status)} ${prose(playbook.name)}: ${prose(headline)}`,
    factLine(destination, runFacts(summary)),
    `**${prose(lead)}** ${prose(rest)}`,
    ...stop(summary),
    tableBlock(outcomeTable(summary)),
    ...(warnings.length === 0 ? [] : [points(warnings)]),
    ...orders(summary),
    ...(files.length === 0 ? [] : [tableBlock(fileTable(files, run))]),
    ...outputs(summary),
    ...guards(summary),
    next(summary),
  ]);
}

function stop({ stop: found }: Summary): Block[] {
  if (found === undefined) return [];
  const { code: number, message, hint, excerpt } = found;
  const lines = excerptLines(excerpt).map(
    ({ number: at, text, isMarked }) => `${isMarked ? '>' : ' '} ${at} | ${text}`,
  );
  const place = code(stopPlace(found));
  return [
    `**${stopTitle(found)}:** ${code(`${number} ${message}`)}, ${drawn(stopSource(found))}`,
    ...(lines.length === 0 ? [] : [codeBlock(lines)]),
    hint === undefined ? place : `${place}: ${prose(hint)}`,
  ];
}

function orders(summary: Summary): Block[] {
  const total = summary.orders.length;
  if (total === 0) return [];
  const title = `${count(total, 'order')}, ${prose(placedWords(summary))}`;
  return [
    {
      ...tableBlock(orderTable(summary)),
      before: `<details><summary>${title}</summary>`,
      after: '</details>',
    },
  ];
}

function outputs({ outputs: all }: Summary): Block[] {
  if (all.length === 0) return [];
  const rows = all.map((line) => tableRow([code(line.name), code(outputWords(line))]));
  return [{ head: tableHead(['Output', 'Value']), rows, more: (left) => moreText(left) }];
}

function guards({ guards: all }: Summary): Block[] {
  const table = guardBlock(all);
  if (table !== undefined) return [tableBlock(table)];
  return guardFacts(all).map(([name, value]) => `${name}: ${drawn(value)}`);
}

function next({ next: commands }: Summary): string {
  const lines = commands.map(({ command, why }) => `- ${code(command)} ${prose(why)}`);
  return ['**Next**', ...lines].join('\n');
}
