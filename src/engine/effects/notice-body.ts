/** A notification in the format of its address: Slack, Teams, e-mail, or our own JSON. */
import { isRecord } from '../../base/json.ts';
import type { NoticeFormat } from '../../language/notice-formats.ts';

/** The body of a POST. */
export function noticeBody(notice: object, format: NoticeFormat): object {
  const text = noticeText(notice);
  switch (format) {
    case 'slack':
      return { text: slackEscaped(text) };
    case 'teams':
      return adaptiveCard([{ type: 'TextBlock', text, wrap: true }]);
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

/** What a Teams workflow that posts to a channel accepts: a message with one Adaptive Card. */
export function adaptiveCard(body: readonly object[]): object {
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
