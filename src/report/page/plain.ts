/** The text of a page for readers without HTML, made from the markup that `html` made. */
import { drawnTable } from '../../base/text-table.ts';

/**
 * The words of a page in its order: tables in columns, a chart as its description.
 * @param page a page of this program; other HTML is not understood
 */
export function plainPage(page: string): string {
  const body = /<body>([^]*)<\/body>/.exec(page)?.[1] ?? page;
  const withCharts = body
    .replaceAll(/<div class="chart near">[^]*?<\/svg>\s*<\/div>/g, '')
    .replaceAll(/<svg[^>]*?aria-label="([^"]*)"[^]*?<\/svg>/g, '[Chart: $1]')
    .replaceAll(/<(svg|style|script)\b[^]*?<\/\1>/g, '');
  const pieces = withCharts.split(/(<table[^]*?<\/table>|<pre[^]*?<\/pre>)/).map((piece) => {
    if (piece.startsWith('<table')) return `\n${tableText(piece)}\n`;
    if (piece.startsWith('<pre')) return `\n${unescaped(untagged(piece))}\n`;
    return proseText(piece);
  });
  return `${pieces
    .join('')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

function proseText(markup: string): string {
  const text = markup
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<(?:h[1-3]|section|header)\b[^>]*>/g, '\n\n')
    .replaceAll(/<li\b[^>]*>/g, '\n- ')
    .replaceAll(/<\/dt>\s*<dd>/g, ': ')
    .replaceAll(
      /<br ?\/?>|<\/?(?:p|h[1-3]|div|ul|ol|dl|dd|blockquote|summary|details)\b[^>]*>/g,
      '\n',
    );
  const lines = unescaped(untagged(text)).split('\n');
  return lines
    .map((line) => line.trim())
    .join('\n')
    .replaceAll(/\n{2,}/g, '\n\n');
}

function tableText(markup: string): string {
  const rows = [...markup.matchAll(/<tr>([^]*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<(?:th|td)([^>]*)>([^]*?)<\/(?:th|td)>/g)].map(
      ([, attributes = '', cell = '']) => ({
        name: unescaped(untagged(cell.replaceAll('<br />', ', ')))
          .replaceAll(/\s+/g, ' ')
          .trim(),
        isNumber: attributes.includes('class="n"'),
      }),
    ),
  );
  const [columns = [], ...cells] = rows;
  const shown = cells.map((row) => row.map(({ name }) => name));
  return drawnTable({ columns, rows: shown, left: 0, notes: [] }).lines;
}

function untagged(markup: string): string {
  return markup.replaceAll(/<[^>]*>/g, '');
}

/** The text of escaped text; `&` last, so that nothing is read twice. */
function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#96;', '`')
    .replaceAll('&amp;', '&');
}
