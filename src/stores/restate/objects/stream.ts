/** What a handler is written with that follows a process: the batches that it sends over its connection. */
import type { Millis } from '../../../base/clock.ts';
import type { StreamAddress, StreamBatch } from '../stream/messages.ts';

/** Of this process of the service; another one that repeats an invocation knows none of it. */
export interface Streams {
  /** Where processes connect; undefined if none can. */
  readonly address: StreamAddress | undefined;
  /**
   * @param key of the object
   * @param until the attempt of the handler is over
   * @returns undefined if the process is not connected here, or after an interruption
   */
  open(key: string, wanted: WantedStream, until: AbortSignal): Session | undefined;
  /** Number of lines of an object that a session here has reported as stored, now or shortly before. */
  reported(key: string): number;
  /**
   * Another call for an object waits: its session ends.
   * @param holder which opens none for a moment; default: the next one may be opened at once
   */
  interrupt(key: string, holder?: string): void;
}

export interface WantedStream {
  /** Identifies the holder of the run: its `incarnation`. */
  readonly holder: string;
  /** Ids of the connections of the process. */
  readonly connections: readonly string[];
  /** Number of the session, by the process. */
  readonly session: number;
  /** The session lasts no longer. */
  readonly atMost: Millis;
}

export interface Session {
  /** The next batch. Calling it says that everything before is durable. */
  next(): Promise<Next>;
}

export type Next =
  | { readonly kind: 'batch'; readonly batch: StreamBatch }
  | { readonly kind: 'ended' }
  /** The connection is gone: perhaps the process is, too. */
  | { readonly kind: 'lost' };
