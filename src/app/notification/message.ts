/** A notification in the format of its recipient.
 *
 * Names and texts come from playbooks and from the exchange. Each format puts them where it looks for no
 * markup, so that mentions, links, and lines that look like a header stay text.
 */
import { escapeControls } from '../../base/text.ts';
import type { Message } from '../../engine/effects/delivery.ts';
import type { Channel } from '../../language/channels/channel.ts';
import { mailText } from '../../language/channels/mail-text.ts';
import type { Notice } from './notice.ts';

export function messageOf(notice: Notice, channel: Channel): Message {
  const { id, event, target, playbook, profile, sentence, facts, command, link } = notice;
  const content = {
    text: sentence,
    facts,
    ...(command !== undefined && { command }),
    ...(link !== undefined && { link }),
    document: documentOf(notice),
  };
  return {
    id,
    body: channel.body(content),
    subject: escapeControls(`deskhand ${target}: ${titles[event]}: ${playbook} on ${profile}`),
    text: mailText(content),
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

/** A notification as a JSON document of deskhand; its schema is in docs/monitoring.md. */
function documentOf({ sentence: text, facts, ...rest }: Notice): object {
  return { version: 1, ...rest, text, facts: facts.map(([name, value]) => ({ name, value })) };
}
