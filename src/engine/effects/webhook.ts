/** Sends the notification of a step. */
import type { Millis } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import { formatOf } from '../../language/notice-formats.ts';
import { deliver, type ProxyTo } from './delivery.ts';
import { noticeBody, noticeText } from './notice-body.ts';

/**
 * @param notice `text`, with a `format` derived from the address by default; `target` is unchanged
 * @param key signs the body: the receiver compares X-Deskhand-Signature with its own HMAC
 * @param timeoutMs for everything, from the DNS lookup to the response
 * @throws NoticeError; it never contains the address, which often has a token
 */
export async function postNotice(
  address: string,
  notice: object,
  key?: string,
  { timeoutMs, proxyTo }: { readonly timeoutMs?: Millis; readonly proxyTo?: ProxyTo } = {},
): Promise<void> {
  const format = URL.canParse(address) ? formatOf(notice, new URL(address)) : 'json';
  const { playbook = 'playbook', target = '' } = { ...notice };
  const message = {
    body: noticeBody(notice, format),
    subject: `deskhand ${String(target)}: ${String(playbook)}`.replaceAll(/\s+/g, ' '),
    text: noticeText(notice),
    isSandbox: isRecord(notice) && notice['target'] === 'sandbox',
  };
  await deliver(address, message, {
    format,
    ...(key !== undefined && { key }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(proxyTo && { proxyTo }),
  });
}
