/** Keeps a comment within its host's limit by leaving out whole rows and saying how many. */

/** A text that is always present, or a table whose later rows may be left out. */
export type Block =
  | string
  | {
      /** Heading lines of the table. */
      readonly head: readonly string[];
      readonly rows: readonly string[];
      /** How many rows more there are, that were not even made, as they can never fit. */
      readonly beyond?: number;
      /** What is said below when rows are left out. */
      readonly more: (left: number) => string;
      /** What is there around the table. */
      readonly before?: string;
      readonly after?: string;
    };

/** GitHub refuses comments of more than 65,536 characters. */
export const charactersMax = 60_000;

/** More rows than this never fit: none is shorter than 30 characters. */
export const rowsMax = charactersMax / 30;

/** The blocks as one text of at most `max` characters; the rows of earlier tables go first. */
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

type Table = Exclude<Block, string>;

function tableText(table: Table, shown: readonly string[]): string {
  const left = table.rows.length - shown.length + (table.beyond ?? 0);
  const parts = [
    ...(table.before === undefined ? [] : [table.before]),
    [...table.head, ...shown].join('\n'),
    ...(left === 0 ? [] : [table.more(left)]),
    ...(table.after === undefined ? [] : [table.after]),
  ];
  return parts.join('\n\n');
}

/** The room a block needs without any row, with the words for the most rows left out. */
function lengthOf(block: Block): number {
  const text = typeof block === 'string' ? block : tableText({ ...block }, []);
  return text.length + 2;
}
