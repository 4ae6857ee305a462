/** Sends a notification to one recipient, and repeats a failed attempt shortly if that may help. */
import { second, type Clock, type Millis } from '../../base/clock.ts';
import type { Secret } from '../../base/secret.ts';
import { deliver, NoticeError, type ProxyTo } from '../../engine/effects/delivery.ts';
import type { Channel } from '../../language/channels/channel.ts';
import { channelFor } from '../../language/channels/index.ts';
import { json } from '../../language/channels/json.ts';
import { messageOf } from './message.ts';
import type { Notice } from './notice.ts';

export interface Recipient {
  /** The format of the notification. Default: derived from the address. */
  readonly channel?: Channel;
  readonly url: Secret;
  readonly key?: Secret;
  /** Finds the proxy to the recipient. Default: no proxy. */
  readonly proxyTo?: ProxyTo;
}

const pauses: readonly Millis[] = [second, 5 * second]; // before the second and the third attempt

/** @throws NoticeError after the last attempt; it never contains the address */
export async function sendNotice(
  notice: Notice,
  { channel, url, key, proxyTo }: Recipient,
  clock: Clock,
): Promise<void> {
  const address = url.reveal();
  const own = channel ?? (URL.canParse(address) ? channelFor({}, new URL(address)) : json);
  const message = messageOf(notice, own);
  for (let attempt = 0; ; attempt++) {
    try {
      return await deliver(address, message, {
        channel: own,
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
