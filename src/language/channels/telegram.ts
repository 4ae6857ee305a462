/** Telegram, by a bot: `https://api.telegram.org/botTOKEN/sendMessage?chat_id=CHAT`. */
import { postProblem, type Channel, type Content } from './channel.ts';
import { cut, drawnTable } from '../../base/text-table.ts';

export const telegram = {
  name: 'telegram',
  recipient: 'telegram',
  describes: {
    recipient: 'A Telegram chat, by a bot',
    address: 'Source of the address: https://api.telegram.org/botTOKEN/sendMessage?chat_id=CHAT',
  },
  isSigned: false,
  isMail: false,
  serves: ({ hostname }) => hostname === 'api.telegram.org',
  addressProblem: (url, isSandbox) => {
    const isComplete =
      /^\/bot[^/]+\/sendMessage$/.test(url.pathname) && url.searchParams.get('chat_id');
    return isComplete
      ? postProblem(url, isSandbox)
      : 'the url for Telegram must end in /botTOKEN/sendMessage?chat_id=CHAT';
  },
  body: messageOf,
} as const satisfies Channel;

const most = 4096; // UTF-16 units of a message
const tableMax = 2500; // of these, for a table, so that the text always has room

/**
 * A text and the ranges of its formats. Nothing in it is parsed as markup, and Telegram looks for no
 * addresses and names in what is formatted as code.
 */
function messageOf({ subject, text, facts, table, command, link }: Content): object {
  const drawn = table && drawnTable(table, tableMax);
  const below: Piece[][] = [
    (facts ?? []).flatMap(([name, value], at) => [
      piece(`${at > 0 ? '\n' : ''}${name}: `),
      piece(cut(value, 400), 'code'),
    ]),
    drawn === undefined
      ? []
      : [piece(drawn.lines, 'pre'), piece(withoutMentions(`\n${drawn.tail.join('\n')}`))],
    command === undefined ? [] : [piece(command, 'code')],
    link === undefined ? [] : [piece(link)],
  ];
  const heading =
    subject === undefined ? [] : [piece(`${withoutMentions(cut(subject, 200))}\n`, 'bold')];
  const rest = sizeOf([...heading, ...below.flat()]) + 2 * below.length;
  const isLead = subject === undefined && facts !== undefined;
  const body = piece(
    cut(withoutMentions(text), Math.max(200, most - rest)),
    isLead ? 'bold' : undefined,
  );
  return {
    ...composed([[...heading, body], ...below].filter((block) => sizeOf(block) > 0)),
    link_preview_options: { is_disabled: true }, // nothing is fetched
  };
}

/** A text, and the ranges of it that have a format. */
interface FormattedText {
  readonly text: string;
  readonly entities: readonly Entity[];
}

interface Entity {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
}

interface Piece {
  readonly text: string;
  readonly type: 'bold' | 'code' | 'pre' | undefined;
}

function piece(text: string, type?: Piece['type']): Piece {
  return { text, type };
}

function sizeOf(pieces: readonly Piece[]): number {
  return pieces.reduce((size, { text }) => size + text.length, 0);
}

/** Blocks with an empty line between them, as far as the limit of a message allows. */
function composed(blocks: readonly (readonly Piece[])[]): FormattedText {
  const entities: Entity[] = [];
  let text = '';
  const pieces = blocks.flatMap((block, at) => [...(at > 0 ? [piece('\n\n')] : []), ...block]);
  for (const each of pieces) {
    const shown = cut(each.text, most - text.length);
    if (text.length >= most) break;
    if (each.type !== undefined && shown !== '') {
      entities.push({ type: each.type, offset: text.length, length: shown.trimEnd().length });
    }
    text += shown;
  }
  return { text, entities };
}

const joiner = '\u2060'; // has no width, and ends the name of a user for Telegram

function withoutMentions(text: string): string {
  return text.replaceAll(/@(?=\w)/g, `@${joiner}`);
}
