/** Asks a store without an answer again for a while, for commands whose questions may be repeated. */
import { second, type Millis } from '../../base/clock.ts';
import { plainText, spoken } from '../../base/text.ts';
import { UnreachableError } from '../../stores/store.ts';
import type { AppContext } from '../app-context.ts';

const readsFor: Millis = 10 * second; // a store under load, or a node that another one follows
const pause: Millis = second / 2;

/**
 * Asks a question until the store answers.
 * @param ask may be repeated, whether or not it had its effect
 * @throws UnreachableError when there was no answer in time. A worker does not wait, because its leases end
 */
export async function untilAnswered<T>(
  ask: () => Promise<T>,
  { clock, note, stop, isWorker, patience = readsFor }: AppContext,
): Promise<T> {
  const longest = isWorker === true ? 0 : patience;
  const until = clock.monotonic() + longest;
  for (let isNoted = false; ; isNoted = true) {
    try {
      return await ask();
    } catch (error) {
      const isOver = clock.monotonic() >= until || stop?.aborted === true;
      if (!(error instanceof UnreachableError) || isOver) throw error;
      const why = plainText(error.message, 300);
      const message = `waiting up to ${spoken(longest)} for the store: ${why}`;
      if (!isNoted) note({ kind: 'remark', message });
    }
    await clock.sleep(pause);
  }
}
