/** A pace in the shared state: machines behind one address, or with one account, keep a limit together. */
import { second, type Clock, type Millis } from '../../base/clock.ts';
import { messageOf } from '../../base/error.ts';
import { randomId } from '../../base/random.ts';
import { TransportError } from '../../exchange/api/exchange.ts';
import type { Limit } from '../../exchange/api/operation.ts';
import type { Pace } from '../../exchange/client/pace.ts';
import type { SharedPaces } from '../../stores/shared/shared-paces.ts';
import { StoreError } from '../../stores/store.ts';

const patience: Millis = 2 * second; // then the attempt fails, and the call may make another
const pause: Millis = second / 2;

export interface StoredPaceOptions {
  readonly clock: Clock;
  /** Receives warnings for a person: nothing fails because of them. */
  readonly warn: (message: string) => void;
}

/** The pace of requests under a shared limit. While the database does not answer, nothing is sent. */
export function storedPace(
  paces: SharedPaces,
  key: string,
  limit: Limit,
  { clock, warn }: StoredPaceOptions,
): Pace {
  // A request that gave up while it waited leaves its turn to the next one of this process.
  let waiting: string | undefined;
  return {
    take: async (signal) => {
      const id = (waiting ??= randomId(16));
      const ms = await asked(() => paces.take(key, limit, id), clock, signal);
      if (ms > 0) return { kind: 'wait', ms: Math.ceil(ms) + 1 }; // timers may be early by one
      waiting = undefined;
      return {
        kind: 'go',
        slot: { answered: () => afterwards(paces.answered(key, id), warn) },
      };
    },
    hold: (ms) => afterwards(paces.hold(key, ms), warn),
  };
}

/** @throws TransportError that nothing was sent */
async function asked<T>(ask: () => Promise<T>, clock: Clock, signal?: AbortSignal): Promise<T> {
  const since = clock.monotonic();
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (clock.monotonic() - since >= patience) {
        const because = `the shared rate limit is not known: ${messageOf(error)}`;
        throw new TransportError(because, 'no', error);
      }
    }
    await clock.sleep(pause, signal);
  }
}

/**
 * Writes the pace after a response, and only warns of errors, which must not hide that response. A slot
 * without a response is free after half a minute.
 */
async function afterwards(writing: Promise<void>, warn: StoredPaceOptions['warn']): Promise<void> {
  try {
    await writing;
  } catch (error) {
    warn(`the shared rate limit was not written: ${messageOf(error)}`);
  }
}
