/** The types with which a handler follows a process: it takes the batches that arrive over the process's
 * connection.
 */
import type { Millis } from '../../../base/clock.ts';
import type { StreamAddress, StreamBatch } from '../stream/messages.ts';

/**
 * The streams of this process of the service. Another process that repeats an invocation knows none of them.
 */
export interface Streams {
  /** The address to which processes connect; undefined if none can. */
  readonly address: StreamAddress | undefined;
  /**
   * Opens a session for an invocation.
   * @param key of the object
   * @param until the attempt of the handler is over
   * @returns undefined if the process is not connected here, or after an interruption
   */
  open(key: string, wanted: WantedStream, until: AbortSignal): Session | undefined;
  /** Number of lines of an object that a session here has reported as stored, now or shortly before. */
  reported(key: string): number;
  /**
   * Ends the session of an object, because another call for it waits.
   * @param holder which opens none for a moment; default: the next one may be opened at once
   */
  interrupt(key: string, holder?: string): void;
}

export interface WantedStream {
  /** Identifies the holder of the run: its `incarnation`. */
  readonly holder: string;
  /** Ids of the connections that the process has. */
  readonly connections: readonly string[];
  /** Number of the session, given by the process. */
  readonly session: number;
  /** The maximum time that the session lasts. */
  readonly atMost: Millis;
}

export interface Session {
  /** Waits for the next batch. The call tells the process that all earlier batches are durable. */
  next(): Promise<Next>;
}

export type Next =
  | { readonly kind: 'batch'; readonly batch: StreamBatch }
  | { readonly kind: 'ended' }
  /** The connection is lost: perhaps the process has ended, too. */
  | { readonly kind: 'lost' };
