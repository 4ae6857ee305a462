/** Delivers a notification: one POST over HTTPS or one e-mail, without redirects and retries. */
import { createHmac } from 'node:crypto';
import { second, systemClock, type Millis } from '../../base/clock.ts';
import { ConfigError, DeskhandError, exits, isCode } from '../../base/error.ts';
import { postText } from '../../base/post.ts';
import { ProxyError, type Proxy } from '../../base/proxy.ts';
import { spoken } from '../../base/text.ts';
import type { Channel } from '../../language/channels/channel.ts';
import { isEncryptedMail } from '../../language/channels/email.ts';
import { EmailError } from './email-error.ts';
import type { AttachedFile } from './email-message.ts';

/** The notification was not delivered; the run itself is not affected. */
export class NoticeError extends DeskhandError {
  /** Whether another attempt may succeed. */
  readonly mayRetry: boolean;

  constructor(
    because: string,
    mayRetry = false,
    hint = 'check the address of the webhook; it is a secret and not shown',
  ) {
    super(`the notification was not delivered: ${because}`, {
      code: 'notice',
      actor: 'operator',
      exit: exits.stopped,
      hint,
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
  /** The HTML form of the text, and the files, of an e-mail. */
  readonly html?: string;
  readonly attached?: readonly AttachedFile[];
  /** Whether the notification is about a sandbox: then it is sent unencrypted to this machine. */
  readonly isSandbox: boolean;
}

export interface DeliveryOptions {
  readonly channel: Channel;
  /** Signs the body: the receiver compares X-Deskhand-Signature with its own HMAC. */
  readonly key?: string;
  /** The limit of the whole delivery, from the DNS lookup to the response. Default: 10 s. */
  readonly timeoutMs?: Millis;
  /** The proxy to an address; e-mail is always sent directly. Default: none. */
  readonly proxyTo?: ProxyTo;
  /** The date of an e-mail. Default: now. */
  readonly at?: Millis;
}

/** @throws ConfigError for a variable that is not the address of a proxy */
export type ProxyTo = (url: URL) => Proxy | undefined;

/** @throws NoticeError; it never contains the address, which often has a token */
export async function deliver(
  address: string,
  message: Message,
  { channel, key, timeoutMs = 10 * second, proxyTo, at = systemClock.now() }: DeliveryOptions,
): Promise<void> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const problem = url ? channel.addressProblem(url, message.isSandbox) : 'url is not an address';
  if (url === undefined || problem !== undefined) throw new NoticeError(problem ?? '');
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    if (channel.isMail) await mail(url, message, { key, signal, at });
    else await post(url, JSON.stringify(message.body), { key, signal, proxy: proxyTo?.(url) });
  } catch (error) {
    if (error instanceof NoticeError) throw error;
    if (signal.aborted) throw new NoticeError(`no response within ${spoken(timeoutMs)}`);
    if (error instanceof ProxyError)
      throw new NoticeError(error.message, !error.isLasting, error.hint);
    if (error instanceof ConfigError) throw new NoticeError(error.message, false, error.hint);
    if (error instanceof EmailError)
      throw new NoticeError(error.message, error.isPassing, mailHint);
    const isCoded = error instanceof Error && 'code' in error;
    const isLasting = lasting.some((code) => isCode(error, code));
    throw new NoticeError(isCoded ? String(error.code) : 'the connection failed', !isLasting);
  }
}

const mailHint = 'check the mail server, and the address, which is a secret and not shown';

/** A name that does not exist, and a certificate that is not accepted. */
const lasting: readonly string[] = [
  'ENOTFOUND',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
];

async function mail(
  url: URL,
  { id, subject, text, html, attached, isSandbox }: Message,
  { key, signal, at }: Sending & { readonly at: Millis },
): Promise<void> {
  if (key !== undefined) throw new NoticeError('an e-mail is not signed: remove sign-with');
  const { sendEmail } = await import('./email.ts'); // few commands send any
  const isEncrypted = isEncryptedMail(url, isSandbox);
  const parts = { ...(html !== undefined && { html }), ...(attached && { attached }) };
  const email = { subject, text, at, ...(id !== undefined && { id }), ...parts };
  await sendEmail(url, email, { isEncrypted, signal });
}

interface Sending {
  readonly key: string | undefined;
  readonly signal: AbortSignal;
}

const passing: readonly number[] = [408, 425, 429, 500, 502, 503, 504];

async function post(
  url: URL,
  text: string,
  { key, signal, proxy }: Sending & { readonly proxy: Proxy | undefined },
): Promise<void> {
  const headers = key === undefined ? {} : { 'x-deskhand-signature': signatureOf(text, key) };
  const status = await postText(url, text, { headers, signal, proxy });
  if (status >= 200 && status < 300) return;
  const what = status >= 300 && status < 400 ? `, a redirect, which is never followed` : '';
  throw new NoticeError(`the server responded with ${status}${what}`, passing.includes(status));
}

/** `sha256=` and the HMAC of the body in hex, like webhooks of code hosts. */
export function signatureOf(body: string, key: string): string {
  return `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
}
