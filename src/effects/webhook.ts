/** Sends a notification: one POST over HTTPS or one e-mail, without redirects and retries. */
import { createHmac } from 'node:crypto';
import { second, type Millis } from '../base/clock.ts';
import { DeskhandError, exits } from '../base/error.ts';
import { isLoopbackName } from '../base/host.ts';
import { isRecord } from '../base/json.ts';
import { postText } from '../base/post.ts';
import { spoken } from '../base/text.ts';
import { EmailError, sendEmail } from './email.ts';
import { formatOf, noticeBody, noticeText } from './notice-body.ts';

/** The notification was not delivered; the run itself is not affected. */
export class NoticeError extends DeskhandError {
  constructor(because: string) {
    super(`the notification was not delivered: ${because}`, {
      code: 'notice',
      actor: 'operator',
      exit: exits.stopped,
      hint: 'check the address of the webhook; it is a secret and not shown',
    });
  }
}

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
  timeoutMs: Millis = 10 * second,
): Promise<void> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const format = url && formatOf(notice, url);
  if (url === undefined || !isPermitted(url, format === 'email', notice)) {
    throw new NoticeError(
      format === 'email'
        ? 'the url of an e-mail must be smtps://'
        : 'url must be https:// (http:// only to this machine, and only in the sandbox)',
    );
  }
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    if (format === 'email') await mail(url, notice, key, signal);
    else await post(url, JSON.stringify(noticeBody(notice, format ?? 'json')), key, signal);
  } catch (error) {
    if (error instanceof NoticeError) throw error;
    if (signal.aborted) throw new NoticeError(`no response within ${spoken(timeoutMs)}`);
    if (error instanceof EmailError) throw new NoticeError(error.message);
    const isCoded = error instanceof Error && 'code' in error;
    throw new NoticeError(isCoded ? String(error.code) : 'the connection failed');
  }
}

/** Without encryption only to this machine, and only for events of a sandbox. */
function isPermitted({ protocol, hostname }: URL, isEmail: boolean, notice: object): boolean {
  const scheme = isEmail ? 'smtp' : 'http';
  if (protocol === `${scheme}s:`) return true;
  const isSandbox = isRecord(notice) && notice['target'] === 'sandbox';
  return protocol === `${scheme}:` && isSandbox && isLoopbackName(hostname);
}

function mail(
  url: URL,
  notice: object,
  key: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (key !== undefined) throw new NoticeError('an e-mail is not signed: remove sign-with');
  const { playbook = 'playbook', target = '' } = { ...notice };
  const subject = `deskhand ${String(target)}: ${String(playbook)}`.replaceAll(/\s+/g, ' ');
  return sendEmail(url, { subject, text: noticeText(notice) }, signal);
}

async function post(
  url: URL,
  text: string,
  key: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const headers = key === undefined ? {} : { 'x-deskhand-signature': signatureOf(text, key) };
  const status = await postText(url, text, { headers, signal });
  if (status >= 200 && status < 300) return;
  const what = status >= 300 && status < 400 ? `, a redirect, which is never followed` : '';
  throw new NoticeError(`the server responded with ${status}${what}`);
}

/** `sha256=` and the HMAC of the body in hex, like webhooks of code hosts. */
export function signatureOf(body: string, key: string): string {
  return `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
}
