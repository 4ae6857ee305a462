/** Sends the notification of a step. */
import type { Millis } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import { channelFor } from '../../language/channels/index.ts';
import { json } from '../../language/channels/json.ts';
import { deliver, type ProxyTo } from './delivery.ts';

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
  const channel = URL.canParse(address) ? channelFor(notice, new URL(address)) : json;
  const { playbook = 'playbook', target = '' } = { ...notice };
  const text = textOf(notice);
  const document = Object.fromEntries(Object.entries(notice).filter(([key]) => key !== 'format'));
  const message = {
    body: channel.body({ text, document }),
    subject: `deskhand ${String(target)}: ${String(playbook)}`.replaceAll(/\s+/g, ' '),
    text,
    isSandbox: isRecord(notice) && notice['target'] === 'sandbox',
  };
  await deliver(address, message, {
    channel,
    ...(key !== undefined && { key }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(proxyTo && { proxyTo }),
  });
}

function textOf(notice: object): string {
  const text = isRecord(notice) ? notice['text'] : undefined;
  return typeof text === 'string' ? text : '';
}
