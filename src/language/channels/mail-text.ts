/** The text and the HTML of an e-mail. */
import { escapeControls } from '../../base/text.ts';
import { drawnTable, tailOf, type TextTable } from '../../base/text-table.ts';
import type { Content } from './channel.ts';

/** Everything as lines; a text without anything else is unchanged. */
export function mailText({ text, facts, table, command, link }: Content): string {
  const drawn = table && drawnTable(table);
  const blocks = [
    ...(facts === undefined ? [] : [facts.map(([name, value]) => `${name}: ${value}`).join('\n')]),
    ...(drawn === undefined ? [] : [[drawn.lines, ...drawn.tail].join('\n')]),
    ...(command === undefined ? [] : [`  ${command}`]),
    ...(link === undefined ? [] : [link]),
  ];
  return blocks.length === 0 ? text : [text, ...blocks, ''].join('\n\n').replace(/\n\n$/, '\n');
}

/** The content with its table as HTML, whose styles are those that mail programs know. */
export function mailHtml({ subject, text, table, command, link }: Content): string {
  const paragraphs = text.split(/\r?\n\s*\r?\n/).map((each) => `<p>${lines(each)}</p>`);
  const address = escaped(link ?? '');
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"></head>',
    '<body style="font-family:sans-serif">',
    ...(subject === undefined ? [] : [`<h2>${escaped(subject)}</h2>`]),
    ...paragraphs,
    ...(table === undefined ? [] : [tableMarkup(table)]),
    ...(command === undefined ? [] : [`<pre>${escaped(command)}</pre>`]),
    ...(link === undefined ? [] : [`<p><a href="${address}">${address}</a></p>`]),
    '</body></html>\n',
  ].join('\n');
}

function tableMarkup(table: TextTable): string {
  const { columns, rows } = table;
  const style = (at: number): string =>
    `padding:4px 10px;border-bottom:1px solid #bbb;text-align:${columns[at]?.isNumber === true ? 'right' : 'left'}`;
  const row = (cells: readonly string[], tag: 'th' | 'td'): string =>
    `<tr>${cells.map((cell, at) => `<${tag} style="${style(at)}">${escaped(cell)}</${tag}>`).join('')}</tr>`;
  const tail = tailOf(table, 0).map((line) => `<p>${escaped(line)}</p>`);
  const head = row(
    columns.map(({ name }) => name),
    'th',
  );
  return [
    '<table style="border-collapse:collapse">',
    `<thead>${head}</thead>`,
    `<tbody>${rows.map((cells) => row(cells, 'td')).join('\n')}</tbody>`,
    '</table>',
    ...tail,
  ].join('\n');
}

function lines(text: string): string {
  return text.split(/\r?\n/).map(escaped).join('<br>');
}

function escaped(text: string): string {
  return escapeControls(text).replaceAll(/[&<>"'`]/g, (sign) => `&#${sign.codePointAt(0)};`);
}
