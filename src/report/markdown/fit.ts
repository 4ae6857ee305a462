/** Keeps a comment within its host's limit by omitting whole rows and counting them. */

/** A text that is always present, or a table whose later rows may be omitted. */
export type Block = string | TableBlock;

export interface TableBlock {
  /** Heading lines of the table. */
  readonly head: readonly string[];
  readonly rows: readonly string[];
  /** Number of further rows that were not even created, because they cannot fit. */
  readonly beyond?: number;
  /** Gives the text that is printed below omitted rows. */
  readonly more: (left: number) => string;
  /** The text around the table. */
  readonly before?: string;
  readonly after?: string;
}

/** GitHub refuses comments of more than 65,536 characters. */
export const charactersMax = 60_000;

/** The number of rows that could fit at most: none is shorter than 30 characters. */
export const rowsMax = charactersMax / 30;

/** The blocks as one text of at most `max` characters; rows of earlier tables are omitted first. */
export function fitted(blocks: readonly Block[], max: number = charactersMax): string {
  const fixed = blocks.reduce((sum, block) => sum + lengthOf(block), 0);
  let room = max - fixed;
  const texts = blocks.map((block) => {
    if (typeof block === 'string') return block;
    const shown: string[] = [];
    for (const row of block.rows) {
      if (row.length + 1 > room) break;
      room -= row.length + 1;
      shown.push(row);
    }
    return tableText(block, shown);
  });
  return `${texts.filter((text) => text !== '').join('\n\n')}\n`;
}

function tableText(table: TableBlock, shown: readonly string[]): string {
  const left = table.rows.length - shown.length + (table.beyond ?? 0);
  const parts = [
    ...(table.before === undefined ? [] : [table.before]),
    [...table.head, ...shown].join('\n'),
    ...(left === 0 ? [] : [table.more(left)]),
    ...(table.after === undefined ? [] : [table.after]),
  ];
  return parts.join('\n\n');
}

/** The length of a block without rows, with the text for the maximum of omitted ones. */
function lengthOf(block: Block): number {
  const text = typeof block === 'string' ? block : tableText({ ...block }, []);
  return text.length + 2;
}
