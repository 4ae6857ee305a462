/** The channel to Slack: an incoming webhook. */
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
    const text = escaped(content.text);
    return content.facts === undefined ? { text } : { text, ...richText(content) };
  },
} as const satisfies Channel;

/** A message in rich text, whose texts are shown unchanged; `text` is for lists of notifications. */
function richText({ text: sentence, facts = [], command }: Content): object {
  const text = (words: string, style?: object): object => ({
    type: 'text',
    text: words,
    ...(style && { style }),
  });
  const section = (...elements: object[]): object => ({ type: 'rich_text_section', elements });
  const elements = [
    section(text(sentence, { bold: true })),
    {
      type: 'rich_text_list',
      style: 'bullet',
      elements: facts.map(([name, value]) => section(text(`${name}: `), text(value))),
    },
    ...(command === undefined
      ? []
      : [{ type: 'rich_text_preformatted', elements: [text(command)] }]),
  ];
  return {
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [{ type: 'rich_text', elements }],
  };
}

/** Text without mentions and links. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
