/** A notification in the format of its recipient.
 *
 * Names and texts come from playbooks and from the exchange. Each format has them where it looks for
 * no markup, so that mentions, links, and lines that look like a header stay text.
 */
import { escapeControls } from '../../base/text.ts';
import { adaptiveCard, slackEscaped } from '../../engine/effects/notice-body.ts';
import type { Message } from '../../engine/effects/delivery.ts';
import type { NoticeFormat } from '../../language/notice-formats.ts';
import type { Notice } from './notice.ts';

export function messageOf(notice: Notice, format: NoticeFormat): Message {
  const { id, event, target, playbook, profile } = notice;
  return {
    id,
    body: bodyOf(notice, format),
    subject: escapeControls(`deskhand ${target}: ${titles[event]}: ${playbook} on ${profile}`),
    text: textOf(notice),
    isSandbox: target === 'sandbox',
  };
}

const titles = {
  'in-doubt': 'in doubt',
  stopped: 'stopped',
  'approval-wanted': 'approval wanted',
  missed: 'missed',
  drift: 'drift',
} as const satisfies Record<Notice['event'], string>;

function bodyOf(notice: Notice, format: NoticeFormat): object {
  switch (format) {
    case 'slack':
      return slackBody(notice);
    case 'teams':
      return teamsBody(notice);
    case 'email':
    case 'json':
      return jsonBody(notice);
  }
}

/** Our own format; its schema is in docs/monitoring.md. */
function jsonBody({ sentence: text, facts, ...rest }: Notice): object {
  return { version: 1, ...rest, text, facts: facts.map(([name, value]) => ({ name, value })) };
}

/** Text of rich text elements is shown unchanged; `text` is for lists of notifications. */
function slackBody(notice: Notice): object {
  const { sentence, facts, command } = notice;
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
    text: slackEscaped(sentence),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [{ type: 'rich_text', elements }],
  };
}

/** A message with one Adaptive Card. A TextBlock would parse Markdown, a RichTextBlock does not. */
function teamsBody({ sentence, facts, command }: Notice): object {
  const block = (...inlines: object[]): object => ({ type: 'RichTextBlock', inlines });
  const run = (text: string, style: object = {}): object => ({ type: 'TextRun', text, ...style });
  return adaptiveCard([
    block(run(sentence, { weight: 'Bolder' })),
    ...facts.map(([name, value]) => block(run(`${name}: `, { isSubtle: true }), run(value))),
    ...(command === undefined ? [] : [block(run(command, { fontType: 'Monospace' }))]),
  ]);
}

/** For e-mail, which has no other part: nothing in it is HTML. */
function textOf({ sentence, facts, command }: Notice): string {
  const lines = facts.map(([name, value]) => `${name}: ${value}`);
  return [sentence, '', ...lines, ...(command === undefined ? [] : ['', `  ${command}`]), ''].join(
    '\n',
  );
}
