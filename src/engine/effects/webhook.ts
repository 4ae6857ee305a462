/** Sends the notification of a step. */
import { basename } from 'node:path/posix';
import type { Millis } from '../../base/clock.ts';
import { escapeControls } from '../../base/text.ts';
import type { Content } from '../../language/channels/channel.ts';
import { channelFor } from '../../language/channels/index.ts';
import { json } from '../../language/channels/json.ts';
import { mailHtml, mailText } from '../../language/channels/mail-text.ts';
import { deliver, type Message, type ProxyTo } from './delivery.ts';
import type { StepNotice } from './step-notice.ts';

/**
 * @param key signs the body: the receiver compares X-Deskhand-Signature with its own HMAC
 * @param timeoutMs for everything, from the DNS lookup to the response
 * @throws NoticeError; it never contains the address, which often has a token
 */
export async function postNotice(
  address: string,
  notice: StepNotice,
  key?: string,
  { timeoutMs, proxyTo }: { readonly timeoutMs?: Millis; readonly proxyTo?: ProxyTo } = {},
): Promise<void> {
  const channel = URL.canParse(address) ? channelFor(notice, new URL(address)) : json;
  const { id, target, subject, playbook = 'playbook' } = notice;
  const content = contentOf(notice);
  const message: Message = {
    ...(id !== undefined && { id }),
    body: channel.body(content),
    subject: escapeControls(
      subject ?? `deskhand ${target ?? ''}: ${playbook}`.replaceAll(/\s+/g, ' '),
    ),
    ...mailOf(notice, content),
    isSandbox: target === 'sandbox',
  };
  await deliver(address, message, {
    channel,
    ...(key !== undefined && { key }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(proxyTo && { proxyTo }),
  });
}

function contentOf(notice: StepNotice): Content {
  const { format: _format, page: _page, attached: _attached, ...document } = notice;
  const { text, subject, table, link, command } = notice;
  return {
    text,
    ...(subject !== undefined && { subject }),
    ...(table && { table }),
    ...(link !== undefined && { link }),
    ...(command !== undefined && { command }),
    document,
  };
}

/** The parts of an e-mail: a page is its HTML, and follows the text for readers without HTML. */
function mailOf(
  { page, attached = [] }: StepNotice,
  content: Content,
): Pick<Message, 'text' | 'html' | 'attached'> {
  const text = mailText(content);
  const html = page ? page.html : content.table && mailHtml(content);
  return {
    text: page ? `${text.trimEnd()}\n\n${page.text}` : text,
    ...(html !== undefined && { html }),
    ...(attached.length > 0 && {
      attached: attached.map(({ file, content: bytes }) => ({
        name: basename(file),
        content: bytes,
      })),
    }),
  };
}
