/** Delivers a notification: one POST over HTTPS or one e-mail, without redirects and retries. */
import { createHmac } from 'node:crypto';
import { second, type Millis } from '../base/clock.ts';
import { DeskhandError, exits, isCode } from '../base/error.ts';
import { isLoopbackName } from '../base/host.ts';
import { postText } from '../base/post.ts';
import { spoken } from '../base/text.ts';
import type { NoticeFormat } from '../playbook/notice-formats.ts';
import { EmailError, sendEmail } from './email.ts';

/** The notification was not delivered; the run itself is not affected. */
export class NoticeError extends DeskhandError {
  /** Whether another attempt may succeed. */
  readonly mayRetry: boolean;

  constructor(because: string, mayRetry = false) {
    super(`the notification was not delivered: ${because}`, {
      code: 'notice',
      actor: 'operator',
      exit: exits.stopped,
      hint: 'check the address of the webhook; it is a secret and not shown',
    });
    this.mayRetry = mayRetry;
  }
}

export interface Message {
  /** Identifies the event; a mail program shows the second of two e-mails with one id only once. */
  readonly id?: string;
  /** The body of a POST. */
  readonly body: object;
  /** Subject and text of an e-mail. */
  readonly subject: string;
  readonly text: string;
  /** Whether it is about a sandbox: only then it may be sent unencrypted, to this machine. */
  readonly isSandbox: boolean;
}

export interface DeliveryOptions {
  readonly format: NoticeFormat;
  /** Signs the body: the receiver compares X-Deskhand-Signature with its own HMAC. */
  readonly key?: string;
  /** For everything, from the DNS lookup to the response. Default: 10 s. */
  readonly timeoutMs?: Millis;
}

/** @throws NoticeError; it never contains the address, which often has a token */
export async function deliver(
  address: string,
  message: Message,
  { format, key, timeoutMs = 10 * second }: DeliveryOptions,
): Promise<void> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !isPermitted(url, format === 'email', message)) {
    throw new NoticeError(
      format === 'email'
        ? 'the url of an e-mail must be smtps://'
        : 'url must be https:// (http:// only to this machine, and only in the sandbox)',
    );
  }
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    if (format === 'email') await mail(url, message, key, signal);
    else await post(url, JSON.stringify(message.body), key, signal);
  } catch (error) {
    if (error instanceof NoticeError) throw error;
    if (signal.aborted) throw new NoticeError(`no response within ${spoken(timeoutMs)}`);
    if (error instanceof EmailError) throw new NoticeError(error.message, error.isPassing);
    const isCoded = error instanceof Error && 'code' in error;
    const isLasting = lasting.some((code) => isCode(error, code));
    throw new NoticeError(isCoded ? String(error.code) : 'the connection failed', !isLasting);
  }
}

/** A name that does not exist, and a certificate that is not accepted. */
const lasting: readonly string[] = [
  'ENOTFOUND',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
];

/** Without encryption only to this machine, and only for events of a sandbox. */
function isPermitted(
  { protocol, hostname }: URL,
  isEmail: boolean,
  { isSandbox }: Message,
): boolean {
  const scheme = isEmail ? 'smtp' : 'http';
  if (protocol === `${scheme}s:`) return true;
  return protocol === `${scheme}:` && isSandbox && isLoopbackName(hostname);
}

function mail(
  url: URL,
  { id, subject, text }: Message,
  key: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (key !== undefined) throw new NoticeError('an e-mail is not signed: remove sign-with');
  return sendEmail(url, { subject, text, ...(id !== undefined && { id }) }, signal);
}

const passing: readonly number[] = [408, 425, 429, 500, 502, 503, 504];

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
  throw new NoticeError(`the server responded with ${status}${what}`, passing.includes(status));
}

/** `sha256=` and the HMAC of the body in hex, like webhooks of code hosts. */
export function signatureOf(body: string, key: string): string {
  return `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
}
