/** Sends a notification to one recipient, and again shortly if that may help. */
import { second, type Clock, type Millis } from '../../base/clock.ts';
import type { Secret } from '../../base/secret.ts';
import { deliver, NoticeError, type ProxyTo } from '../../engine/effects/delivery.ts';
import { formatOf, type NoticeFormat } from '../../language/notice-formats.ts';
import { messageOf } from './message.ts';
import type { Notice } from './notice.ts';

export interface Recipient {
  /** Default: derived from the address. */
  readonly format?: NoticeFormat;
  readonly url: Secret;
  readonly key?: Secret;
  /** Default: none. */
  readonly proxyTo?: ProxyTo;
}

const pauses: readonly Millis[] = [second, 5 * second]; // before the second and the third attempt

/** @throws NoticeError after the last attempt; it never contains the address */
export async function sendNotice(
  notice: Notice,
  { format, url, key, proxyTo }: Recipient,
  clock: Clock,
): Promise<void> {
  const address = url.reveal();
  const own = format ?? (URL.canParse(address) ? formatOf({}, new URL(address)) : 'json');
  const message = messageOf(notice, own);
  for (let attempt = 0; ; attempt++) {
    try {
      return await deliver(address, message, {
        format: own,
        at: clock.now(),
        ...(key && { key: key.reveal() }),
        ...(proxyTo && { proxyTo }),
      });
    } catch (error) {
      const pause = pauses[attempt];
      if (!(error instanceof NoticeError) || !error.mayRetry || pause === undefined) throw error;
      await clock.sleep(pause);
    }
  }
}
