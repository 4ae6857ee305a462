/** Waits for changes of the queue: for notifications of the database, or else until the time is over. */
import { alarm, systemClock, timerMax, type Clock, type Millis } from '../../base/clock.ts';
import { listen } from './driver.ts';

/** The channel that every change of the queue notifies, within the statement that makes the change. */
export const channel = 'deskhand_job';

export interface Waker {
  /** Waits for a change, as `JobQueue` does. */
  wake(atMost: Millis, signal: AbortSignal): Promise<void>;
  close(): void;
}

export interface WakerOptions {
  readonly url: string;
  /** The timeout for opening the connection. */
  readonly timeoutMs: Millis;
  readonly clock?: Clock;
}

export function wakerAt({ url, timeoutMs, clock = systemClock }: WakerOptions): Waker {
  let listening: Promise<void> | undefined;
  let lastAttempt = Number.NEGATIVE_INFINITY;
  let hasChanged = false;
  const waiting = new Set<() => void>();
  const closing = new AbortController();
  const { signal: closed } = closing;

  const changed = (): void => {
    hasChanged = waiting.size === 0;
    for (const resolve of waiting) resolve();
  };

  /**
   * Listens again, at most once in the time that a call waits, also when each connection is lost immediately.
   */
  const listenAgain = (atMost: Millis): void => {
    const now = clock.monotonic();
    if (listening !== undefined || closed.aborted || now - lastAttempt < atMost) return;
    lastAttempt = now;
    const onEnd = (): void => {
      if (listening === attempt) listening = undefined;
    };
    const attempt = listen({
      url,
      timeoutMs,
      channel,
      onNotification: changed,
      onEnd,
      signal: closed,
    }).then(changed, onEnd); // what happened before was not heard
    listening = attempt;
  };

  return {
    wake: async (atMost, signal) => {
      listenAgain(atMost);
      if (!hasChanged && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const end = (): void => {
            waiting.delete(end);
            signal.removeEventListener('abort', end);
            cancel();
            resolve();
          };
          const cancel = alarm(Math.min(atMost, timerMax), end);
          signal.addEventListener('abort', end);
          waiting.add(end);
        });
      }
      hasChanged = false;
    },
    close: () => {
      closing.abort();
      changed();
    },
  };
}
