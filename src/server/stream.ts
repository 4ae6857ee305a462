/** A stream of server-sent events, which ends with the client, the session or the server. */
import { streamSSE } from 'hono/streaming';
import { atIntervals, second, type Millis } from '../base/clock.ts';
import type { Context } from './app-options.ts';

export interface StreamOptions {
  /** Aborted when the server ends. */
  readonly signal: AbortSignal;
  /** Takes a place among the open streams. @returns what gives it back @throws Refusal */
  readonly enter: (end: () => void) => () => void;
  /** Whether its session is still valid; asked before each event. */
  readonly isAllowed: () => boolean;
  readonly open: (
    signal: AbortSignal,
  ) => AsyncIterable<{ readonly id: string; readonly data: unknown }>;
}

const heartbeat: Millis = 15 * second; // below the limits of proxies

export function streamed(context: Context, options: StreamOptions): Response {
  const { signal, isAllowed, open } = options;
  const over = new AbortController();
  const end = (): void => over.abort();
  const leave = options.enter(end); // before the answer begins: a refusal has a status
  context.header('X-Accel-Buffering', 'no'); // a proxy passes events at once
  return streamSSE(context, async (stream) => {
    stream.onAbort(end);
    signal.addEventListener('abort', end);
    const stopBeating = atIntervals(heartbeat, () => {
      if (isAllowed()) void stream.write(': alive\n\n');
      else end();
    });
    try {
      await stream.write('retry: 1000\n\n');
      for await (const { id, data } of open(over.signal)) {
        if (over.signal.aborted || !isAllowed()) break;
        await stream.writeSSE({ id, data: JSON.stringify(data) });
      }
    } finally {
      leave();
      stopBeating();
      signal.removeEventListener('abort', end);
    }
  });
}
