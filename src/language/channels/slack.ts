/** The channel to Slack: an incoming webhook. */
import { beginning, cut, tailOf, type TextTable } from '../../base/text-table.ts';
import { postProblem, type Channel, type Content } from './channel.ts';

export const slack = {
  name: 'slack',
  recipient: 'slack',
  describes: {
    recipient: 'A Slack channel, by its incoming webhook',
    address: 'Source of the address',
  },
  isSigned: false,
  isMail: false,
  serves: ({ hostname }) => hostname === 'hooks.slack.com' || hostname === 'hooks.slack-gov.com',
  addressProblem: postProblem,
  body: (content) => {
    const { subject, facts, table, command, link } = content;
    const text = escaped(subject ?? content.text);
    const isPlain = [subject, facts, table, command, link].every((part) => part === undefined);
    return isPlain ? { text } : { text, ...richText(content) };
  },
} as const satisfies Channel;

/** A message in rich text, whose texts are shown unchanged; `text` is for lists of notifications. */
function richText({ subject, text: words, facts, table, command, link }: Content): object {
  const isLead = subject === undefined && facts !== undefined;
  const head = [
    ...(subject === undefined ? [] : [section(text(subject, { bold: true }))]),
    section(text(words, isLead ? { bold: true } : undefined)),
    ...(facts === undefined ? [] : [list(facts)]),
  ];
  const shown = table && tableBlock(table);
  const foot = [
    ...(shown?.tail.map((line) => section(text(line, { italic: true }))) ?? []),
    ...(link === undefined ? [] : [section({ type: 'link', url: link })]),
    ...(command === undefined
      ? []
      : [{ type: 'rich_text_preformatted', elements: [text(command)] }]),
  ];
  const isOne = shown === undefined;
  return {
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: isOne
      ? [{ type: 'rich_text', elements: [...head, ...foot] }]
      : [
          { type: 'rich_text', elements: head },
          shown.block,
          ...(foot.length === 0 ? [] : [{ type: 'rich_text', elements: foot }]),
        ],
  };
}

function text(words: string, style?: object): object {
  return { type: 'text', text: words, ...(style && { style }) };
}

function section(...elements: object[]): object {
  return { type: 'rich_text_section', elements };
}

function list(facts: NonNullable<Content['facts']>): object {
  return {
    type: 'rich_text_list',
    style: 'bullet',
    elements: facts.map(([name, value]) => section(text(`${name}: `), text(value))),
  };
}

const rowsMax = 100; // of a table block, with the row of names
const columnsMax = 20;
const charactersMax = 10_000; // of all cells

/** A table block, as much as Slack allows of it. */
function tableBlock(table: TextTable): {
  readonly block: object;
  readonly tail: readonly string[];
} {
  const columns = table.columns.slice(0, columnsMax);
  const all = [table.columns.map(({ name }) => name), ...table.rows].map((row) =>
    row.slice(0, columnsMax).map((cell) => cut(cell, 200)),
  );
  const fitting = beginning(
    all.slice(0, rowsMax),
    charactersMax,
    (row) => row.join('-').length + 1,
  );
  const block = {
    type: 'table',
    column_settings: columns.map(({ isNumber }) => ({ align: isNumber ? 'right' : 'left' })),
    // An empty text is refused.
    rows: fitting.map((row) => row.map((cell) => ({ type: 'raw_text', text: cell || '–' }))),
  };
  const left = table.columns.length - columns.length;
  const tail = tailOf(table, all.length - fitting.length);
  return { block, tail: left > 0 ? [...tail, `… ${left} more columns`] : tail };
}

/** Text without mentions and links. */
function escaped(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
