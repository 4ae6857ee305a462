/** Teams, by a workflow that posts to a channel: it accepts a message with one Adaptive Card. */
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
  body: (content) =>
    adaptiveCard(
      content.facts === undefined
        ? [{ type: 'TextBlock', text: content.text, wrap: true }]
        : richText(content),
    ),
} as const satisfies Channel;

/** A message in RichTextBlocks: unlike a TextBlock, they do not parse Markdown. */
function richText({ text: sentence, facts = [], command }: Content): readonly object[] {
  const block = (...inlines: object[]): object => ({ type: 'RichTextBlock', inlines });
  const run = (text: string, style: object = {}): object => ({ type: 'TextRun', text, ...style });
  return [
    block(run(sentence, { weight: 'Bolder' })),
    ...facts.map(([name, value]) => block(run(`${name}: `, { isSubtle: true }), run(value))),
    ...(command === undefined ? [] : [block(run(command, { fontType: 'Monospace' }))]),
  ];
}

function adaptiveCard(body: readonly object[]): object {
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body,
        },
      },
    ],
  };
}
