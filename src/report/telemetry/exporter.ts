/** Sends traces of runs to a collector, in parallel with the runs: it never delays or fails one. */
import { second, type Clock, type Millis } from '../../base/clock.ts';
import { isCode, messageOf } from '../../base/error.ts';
import { postText } from '../../base/post.ts';
import { ProxyError } from '../../base/proxy.ts';
import { redactor, type Secret } from '../../base/secret.ts';
import { count } from '../../base/text.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { otlpTraces } from './otlp.ts';
import type { TraceSettings } from './settings.ts';
import type { Span } from './span.ts';
import { spansOf } from './spans.ts';

export interface TraceExporter {
  /** Queues the trace of the last attempt of a run. */
  readonly add: (entries: readonly Entry[]) => void;
  /** Resolves when everything queued was sent or given up. */
  readonly idle: () => Promise<void>;
}

export interface ExporterOptions extends TraceSettings {
  readonly version: string;
  readonly clock: Clock;
  /** Secrets that are masked in everything that is sent. */
  readonly secrets: readonly Secret[];
  /** Maximum number of spans of finished runs that wait; more are dropped. Default: 50,000, some 50 MB. */
  readonly queueMax?: number;
  /** Called when spans were not sent, with the reason. */
  readonly onLost: (message: string) => void;
}

const batchSpans = 512; // of a request; the size that SDKs use
const retryPause: Millis = second;
const passing: readonly number[] = [429, 502, 503, 504]; // statuses to try again after, by the specification

export function traceExporter(options: ExporterOptions): TraceExporter {
  const { queueMax = 50_000 } = options;
  const queue: Span[] = [];
  let sending: Promise<void> | undefined;

  /**
   * Sends all queued traces. After a failure the rest is dropped, too, so that an unreachable collector
   * causes no backlog.
   */
  const sendAll = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue.splice(0, batchSpans);
      const problem = await problemOf(() => send(batch, options));
      if (problem === undefined) continue;
      const lost = batch.length + queue.splice(0).length;
      options.onLost(`${count(lost, 'span')} of traces not sent: ${problem}`);
    }
  };

  return {
    add: (entries) => {
      const spans = spansOf(entries);
      const room = Math.max(0, queueMax - queue.length);
      for (const span of spans.slice(0, room)) queue.push(span);
      const left = spans.length - room;
      if (left > 0) options.onLost(`${count(left, 'span')} of traces not sent: the queue is full`);
      sending ??= sendAll().finally(() => (sending = undefined));
    },
    idle: async () => sending,
  };
}

async function send(spans: readonly Span[], options: ExporterOptions): Promise<void> {
  const { url, proxy, service, version, timeoutMs, clock, secrets } = options;
  const text = redactor(secrets)(JSON.stringify(otlpTraces(spans, { service, version })));
  const headers = Object.fromEntries(
    [...options.headers].map(([name, value]) => [name, value.reveal()]),
  );
  for (let isLast = false; ; isLast = true) {
    const signal = AbortSignal.timeout(timeoutMs);
    const status = await postText(url, text, { headers, signal, proxy });
    if (status >= 200 && status < 300) return;
    if (isLast || !passing.includes(status))
      throw new Error(`the collector responded with ${status}`);
    await clock.sleep(retryPause);
  }
}

/** Why the work failed; never with the address, which may have a password. */
async function problemOf(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (isCode(error, 'ABORT_ERR')) return 'no response in time';
    if (error instanceof ProxyError) return error.message;
    if (error instanceof Error && 'code' in error) return String(error.code);
    return messageOf(error);
  }
}
