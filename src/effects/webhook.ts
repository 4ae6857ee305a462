/** Tells another system what happened: one HTTPS POST, never redirected, never retried. */
import { createHmac } from 'node:crypto';
import { request } from 'node:https';
import { second, type Millis } from '../base/clock.ts';
import { DeskhandError, exits } from '../base/error.ts';
import { spoken } from '../base/text.ts';

/** The notice was not delivered; the run itself is not touched by that. */
export class NoticeError extends DeskhandError {
  constructor(because: string) {
    super(`the notice was not delivered: ${because}`, {
      code: 'notice',
      actor: 'operator',
      exit: exits.stopped,
      hint: 'check the address of the webhook; it is a secret and not shown here',
    });
  }
}

/**
 * @param key signs the body: the other side compares X-Deskhand-Signature with its own HMAC
 * @param timeoutMs for everything, from the name's address to the answer
 * @throws NoticeError; the address never stands in it, for it often holds a token
 */
export function postNotice(
  address: string,
  body: object,
  key?: string,
  timeoutMs: Millis = 10 * second,
): Promise<void> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'https:') return Promise.reject(new NoticeError('url must be https://'));
  const text = JSON.stringify(body);
  const signal = AbortSignal.timeout(timeoutMs);
  return new Promise((resolve, reject) => {
    const posting = request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        ...(key !== undefined && { 'x-deskhand-signature': signatureOf(text, key) }),
      },
      signal,
    });
    posting.once('response', (response) => {
      response.destroy(); // what else it says is of no interest, however long it is
      const status = response.statusCode ?? 0;
      if (status >= 200 && status < 300) return resolve();
      const what = status >= 300 && status < 400 ? `, a redirect, which is never followed` : '';
      reject(new NoticeError(`the other side answered ${status}${what}`));
    });
    posting.once('error', (error) => {
      const why = 'code' in error ? String(error.code) : error.name;
      reject(new NoticeError(signal.aborted ? `no answer within ${spoken(timeoutMs)}` : why));
    });
    posting.end(text);
  });
}

/** `sha256=` and the HMAC of the body in hex, as webhooks of code hosts are signed. */
export function signatureOf(body: string, key: string): string {
  return `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
}
