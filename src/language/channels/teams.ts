/** Teams, by a workflow that posts to a channel: it accepts a message with one Adaptive Card. */
import { beginning, cut, tailOf, type TextTable } from '../../base/text-table.ts';
import { postProblem, type Channel, type Content } from './channel.ts';

const host = /\.(?:webhook\.office\.com|logic\.azure\.com|api\.powerplatform\.com)$/;

export const teams = {
  name: 'teams',
  recipient: 'teams',
  describes: {
    recipient: 'A Teams channel, by the address of its workflow',
    address: 'Source of the address',
  },
  isSigned: false,
  isMail: false,
  serves: ({ hostname }) => host.test(hostname),
  addressProblem: postProblem,
  body: (content) => {
    const { subject, text, facts, table, command, link } = content;
    const isPlain = [subject, facts, table, command, link].every((part) => part === undefined);
    return isPlain
      ? adaptiveCard([{ type: 'TextBlock', text, wrap: true }])
      : adaptiveCard(richText(content), table !== undefined);
  },
} as const satisfies Channel;

/** A message in RichTextBlocks: unlike a TextBlock, they do not parse Markdown. */
function richText(content: Content): readonly object[] {
  const { subject, text, facts = [], table, command, link } = content;
  const isLead = subject === undefined && content.facts !== undefined;
  return [
    ...(subject === undefined
      ? []
      : [block(run(cut(subject, 200), { weight: 'Bolder', size: 'Medium' }))]),
    block(run(cut(text, textMax), isLead ? { weight: 'Bolder' } : {})),
    ...facts.map(([name, value]) => block(run(`${name}: `, { isSubtle: true }), run(value))),
    ...(table === undefined ? [] : tableBlocks(table)),
    ...(link === undefined ? [] : [block(run(link, { selectAction: openUrl(link) }))]),
    ...(command === undefined ? [] : [block(run(command, { fontType: 'Monospace' }))]),
  ];
}

function block(...inlines: object[]): object {
  return { type: 'RichTextBlock', inlines };
}

function run(text: string, style: object = {}): object {
  return { type: 'TextRun', text, ...style };
}

function openUrl(url: string): object {
  return { type: 'Action.OpenUrl', url };
}

const tableMax = 16_000; // bytes of JSON; Teams refuses messages of more than 28 KB
const textMax = 3000; // characters, at most 9 KB of them

/** A table, as much as Teams accepts of it, and what follows below it. */
function tableBlocks(table: TextTable): readonly object[] {
  const all = [table.columns.map(({ name }) => name), ...table.rows].map((row, at) => ({
    type: 'TableRow',
    cells: row.map((cell) => ({
      type: 'TableCell',
      items: [block(run(cut(cell, 200), at === 0 ? { weight: 'Bolder' } : {}))],
    })),
  }));
  const fitting = beginning(all, tableMax, (row) => Buffer.byteLength(JSON.stringify(row)));
  const columns = table.columns.map(({ isNumber }) => ({
    width: 1,
    horizontalCellContentAlignment: isNumber ? 'Right' : 'Left',
  }));
  const tail = tailOf(table, all.length - fitting.length);
  return [
    { type: 'Table', firstRowAsHeaders: true, columns, rows: fitting },
    ...tail.map((line) => block(run(line, { isSubtle: true }))),
  ];
}

function adaptiveCard(body: readonly object[], hasTable = false): object {
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: hasTable ? '1.5' : '1.4', // tables came with 1.5
          body,
        },
      },
    ],
  };
}
