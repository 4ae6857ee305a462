/** A store that gives no answer is asked again for a while, by commands that only read from it. */
import { second, type Millis } from '../../base/clock.ts';
import { plainText } from '../../base/text.ts';
import { UnreachableError } from '../../state-store/store.ts';
import type { SessionContext } from '../context.ts';

const patience: Millis = 10 * second; // a store under load, or a node that another one follows
const pause: Millis = second / 2;

/**
 * @param ask changes nothing in the store, so that it may be repeated
 * @throws UnreachableError when there was no answer in time. A worker does not wait, because its leases end
 */
export async function untilAnswered<T>(
  ask: () => Promise<T>,
  { clock, note, stop, isWorker }: SessionContext,
): Promise<T> {
  const until = clock.monotonic() + (isWorker === true ? 0 : patience);
  for (let isNoted = false; ; isNoted = true) {
    try {
      return await ask();
    } catch (error) {
      const isOver = clock.monotonic() >= until || stop?.aborted === true;
      if (!(error instanceof UnreachableError) || isOver) throw error;
      const message = `waiting for the store: ${plainText(error.message, 300)}`;
      if (!isNoted) note({ kind: 'remark', message });
    }
    await clock.sleep(pause);
  }
}
