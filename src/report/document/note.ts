/** A custom page as Markdown, for a pull request. */
import { count } from '../../base/text.ts';
import type { PagePart, PageRequest, Prose } from '../../engine/export/document-parts.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { reusedFilesIn } from '../../engine/journal/reused-files.ts';
import { cellOf } from '../blocks/cells.ts';
import { documentFacts } from '../blocks/facts.ts';
import { dataTable } from '../blocks/tables.ts';
import { fitted, type Block } from '../markdown/fit.ts';
import { factLine, tableBlock } from '../markdown/draw.ts';
import { code, prose, tableRow } from '../markdown/text.ts';
import { storyOf } from '../story.ts';
import { filesOf } from '../file-lines.ts';
import { withoutWords } from '../without.ts';

/**
 * The Markdown of a custom page, at most 60,000 characters: rows that do not fit are omitted completely and
 * counted.
 */
export function documentNote(
  { title, parts }: PageRequest,
  entries: readonly Entry[],
  file: string,
): string {
  const story = storyOf(entries);
  const files = [...reusedFilesIn(entries), ...filesOf(story)].map(
    ({ file: name, rows, sha256 }) =>
      `${code(name)} ${count(rows, 'row')} ${code(`sha256 ${sha256.slice(0, 16)}…`)}`,
  );
  return fitted([
    `### ${prose(title)}`,
    factLine(story.started.destination, documentFacts(story)),
    ...parts.map((part) => blockOf(part, file)),
    ...(files.length === 0 ? [] : [`Made from ${files.join(', ')}`]),
  ]);
}

function blockOf(part: PagePart, file: string): Block {
  switch (part.kind) {
    case 'text':
      return written(part.text);
    case 'figures': {
      const [names, values] = [
        part.figures.map(({ name }) => prose(name)),
        part.figures.map(({ value }) => `**${prose(cellOf(value))}**`),
      ];
      return [tableRow(names), tableRow(names.map(() => '---')), tableRow(values)].join('\n');
    }
    case 'chart': {
      const { title, description } = part.chart;
      const shown =
        part.file === undefined
          ? `*Chart: ${prose(description)}*`
          : `![${prose(title)}](${beside(part.file, file)})`;
      return [shown, ...footnotes(part)].join('\n\n');
    }
    case 'table':
      return {
        before: `**${prose(part.title)}** (${count(part.total, 'row')})`,
        ...tableBlock(dataTable(part)),
        ...(part.without && { after: footnotes(part).join('\n\n') }),
      };
    case 'missing':
      return `**${prose(part.step)} was not done: its rows are missing here.**`;
  }
}

/** Names the items that are missing in a table or chart. */
function footnotes({
  without = [],
}: Extract<PagePart, { kind: 'table' | 'chart' }>): readonly string[] {
  return without.map((each) => `*${prose(withoutWords(each))}.*`);
}

/** The Markdown that the author wrote, with its values as text. */
function written(parts: Prose): string {
  const text = parts.map((part) => (typeof part === 'string' ? part : prose(part.value)));
  return text.join('').trim();
}

/** A file name relative to another file's folder. */
function beside(file: string, from: string): string {
  const [parts, base] = [file.split('/'), from.split('/').slice(0, -1)];
  while (base.length > 0 && base[0] === parts[0]) {
    base.shift();
    parts.shift();
  }
  return [...base.map(() => '..'), ...parts].join('/');
}
