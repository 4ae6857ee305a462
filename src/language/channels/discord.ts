/** Discord, by a webhook of a channel. */
import { postProblem, type Channel, type Content } from './channel.ts';
import { cut, drawnTable } from '../../base/text-table.ts';

const hosts: readonly string[] = ['discord.com', 'discordapp.com'];

export const discord = {
  name: 'discord',
  recipient: 'discord',
  describes: { recipient: 'A Discord channel, by its webhook', address: 'Source of the address' },
  isSigned: false,
  isMail: false,
  serves: ({ hostname, pathname }) =>
    hosts.includes(hostname) && pathname.startsWith('/api/webhooks/'),
  addressProblem: postProblem,
  body: (content) => ({
    content: messageOf(content),
    allowed_mentions: { parse: [] }, // nobody is mentioned, whatever the text says
    flags: 4, // no previews of addresses
  }),
} as const satisfies Channel;

const most = 2000; // characters of a message
const tableMax = 1100; // of these, for a table, so that the text always has room

function messageOf({ subject, text, facts, table, command, link }: Content): string {
  const isLead = subject === undefined && facts !== undefined;
  const drawn = table && drawnTable(table, tableMax);
  const lines = (facts ?? []).map(([name, value]) => `${name}: ${cut(value, 300)}`);
  const below = [
    ...(lines.length === 0 ? [] : [fitted(escaped(lines.join('\n')), 1000)]),
    ...(drawn === undefined ? [] : [fence(drawn.lines), escaped(drawn.tail.join('\n'))]),
    ...(command === undefined ? [] : [fence(cut(command, 300))]),
    ...(link === undefined ? [] : [`<${link}>`]),
  ].filter((block) => block !== '');
  const heading = subject === undefined ? '' : `**${fitted(escaped(subject), 200)}**\n`;
  const room = most - heading.length - below.join('\n').length - 8;
  const words = fitted(escaped(text), Math.max(200, room));
  return fitted([`${heading}${isLead ? `**${words}**` : words}`, ...below].join('\n'), most);
}

/** Text in which Discord finds no markup, no mentions and no addresses. */
function escaped(text: string): string {
  return text.replaceAll(/[\\*_~`|>#[\]()<:@-]/g, String.raw`\$&`);
}

/** The beginning of an escaped text that does not end in half of an escape. */
function fitted(text: string, length: number): string {
  if (text.length <= length) return text;
  const begun = cut(text, length).slice(0, -1);
  const [slashes = ''] = /\\*$/.exec(begun) ?? [];
  return `${slashes.length % 2 === 0 ? begun : begun.slice(0, -1)}…`;
}

/** A block of code, which the text cannot end. */
function fence(text: string): string {
  return `\`\`\`\n${text.replaceAll('`', '`\u200B')}\n\`\`\``;
}
