/** A stream of server-sent events, which ends with the client, the session or the server. Nothing is
 * made before the client reads it: a client that does not read costs one event, not a growing queue.
 */
import { alarm, second, type Millis } from '../../base/clock.ts';
import type { Context } from './app-options.ts';
import { Refusal } from './failure.ts';
import type { ServerEvent } from './notices.ts';

export interface StreamOptions {
  /**
   * Takes a place among the open streams.
   * @param end called when the place is needed, or the server ends
   * @returns what gives it back
   * @throws Refusal
   */
  readonly enter: (end: () => void) => () => void;
  /** Whether the stream's session is still valid; called before each event. */
  readonly isAllowed: () => boolean;
  readonly open: (signal: AbortSignal) => AsyncIterable<ServerEvent<unknown>>;
  /** Called with an error of the events; the stream ends, and the client asks again. */
  readonly onError: (error: unknown) => void;
}

const heartbeat: Millis = 15 * second; // below the limits of proxies

export function streamed(context: Context, options: StreamOptions): Response {
  // The answer to HEAD has no body: nobody would read the stream, or end it.
  if (context.req.method === 'HEAD') {
    throw new Refusal(405, 'method', 'a stream is read with GET', undefined, { Allow: 'GET' });
  }
  return context.body(eventBytes(options), 200, {
    'Content-Type': 'text/event-stream',
    'Transfer-Encoding': 'chunked',
    'X-Accel-Buffering': 'no', // a proxy passes events at once
  });
}

/** A stream of events as bytes. @throws Refusal when too many are open */
function eventBytes({ enter, isAllowed, open, onError }: StreamOptions): ReadableStream {
  const over = new AbortController();
  const encoder = new TextEncoder();
  let close = (): void => undefined;
  let wake = (): void => undefined;
  const end = (): void => {
    if (over.signal.aborted) return;
    over.abort();
    leave();
    close();
    wake();
    void events.return?.().catch(onError);
  };
  const leave = enter(end);
  const events = open(over.signal)[Symbol.asyncIterator]();

  /** Whether the next event was already asked for: a heartbeat does not ask for another one. */
  let isAsked = false;
  let next: IteratorResult<ServerEvent<unknown>> | undefined;
  const ask = async (): Promise<void> => {
    try {
      next = await events.next();
    } catch (error) {
      onError(error);
      end();
    }
    wake();
  };
  const taken = async (): Promise<string | undefined> => {
    if (!isAsked) void ask();
    isAsked = true;
    if (next === undefined && !over.signal.aborted) await until((resolve) => (wake = resolve));
    if (over.signal.aborted || !isAllowed() || next?.done === true) return undefined;
    if (next === undefined) return ': alive\n\n';
    const { id, data } = next.value;
    isAsked = false;
    next = undefined;
    return `data: ${JSON.stringify(data)}\nid: ${id}\n\n`;
  };
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        close = () => controller.close();
        controller.enqueue(encoder.encode('retry: 1000\n\n'));
      },
      pull: async (controller) => {
        const text = await taken();
        if (text === undefined) end();
        else if (!over.signal.aborted) controller.enqueue(encoder.encode(text));
      },
      cancel: () => {
        close = () => undefined; // it is closed
        end();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Waits until it is woken, and for one heartbeat at most. */
async function until(onWake: (resolve: () => void) => void): Promise<void> {
  let stop = (): void => undefined;
  await new Promise<void>((resolve) => {
    onWake(resolve);
    stop = alarm(heartbeat, resolve);
  });
  stop();
}
