/** A notification in the format of its address: Slack, Teams, e-mail, or our own JSON. */
import { isRecord } from '../base/json.ts';
import { isNoticeFormat, type NoticeFormat } from '../playbook/notice-formats.ts';

/** The body of a POST. */
export function noticeBody(notice: object, format: NoticeFormat): object {
  const text = noticeText(notice);
  switch (format) {
    case 'slack':
      return { text: slackEscaped(text) };
    case 'teams':
      return adaptiveCard(text);
    case 'email':
    case 'json':
      return Object.fromEntries(Object.entries(notice).filter(([key]) => key !== 'format'));
  }
}

/** Text without mentions and links. */
export function slackEscaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export function noticeText(notice: object): string {
  const text = isRecord(notice) ? notice['text'] : undefined;
  return typeof text === 'string' ? text : '';
}

/** The requested format, or the one derived from the address. */
export function formatOf(notice: object, { protocol, hostname }: URL): NoticeFormat {
  const asked = isRecord(notice) ? notice['format'] : undefined;
  if (typeof asked === 'string' && isNoticeFormat(asked)) return asked;
  if (protocol === 'smtps:' || protocol === 'smtp:') return 'email';
  if (hostname === 'hooks.slack.com' || hostname === 'hooks.slack-gov.com') return 'slack';
  return teamsHost.test(hostname) ? 'teams' : 'json';
}

const teamsHost = /\.(?:webhook\.office\.com|logic\.azure\.com|api\.powerplatform\.com)$/;

/** What a Teams workflow that posts to a channel accepts: a message with one Adaptive Card. */
function adaptiveCard(text: string): object {
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
          body: [{ type: 'TextBlock', text, wrap: true }],
        },
      },
    ],
  };
}
