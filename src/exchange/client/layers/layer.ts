/** The layers of a call: each wraps the next, and the last is the wire. */
import type { Millis } from '../../../base/clock.ts';
import type { CallOptions, WireRequest } from '../../api/exchange.ts';
import type { Envelope } from '../../api/wire.ts';
import type { Stopwatch } from '../stopwatch.ts';

/** One attempt on its way to the wire; a layer passes on a modified copy. */
export interface Attempt {
  readonly request: WireRequest;
  /** The number of the attempt: starts at 1 and grows with every attempt of one call. */
  readonly number: number;
  /** Time limit for the response, from the first byte. */
  readonly timeoutMs: Millis;
  /** The duration of the call, paused while it waits for a slot. */
  readonly watch: Stopwatch;
  readonly call: CallOptions;
}

/** A complete response: an envelope, or other bytes. */
export interface Answer {
  readonly status: number;
  /** The headers of the response, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly content:
    | { readonly kind: 'envelope'; readonly envelope: Envelope }
    | { readonly kind: 'unreadable'; readonly because: string; readonly cause: unknown };
  /** The monotonic times before and after the attempt. */
  readonly sentAt: Millis;
  readonly receivedAt: Millis;
}

/** @throws TransportError without a complete response */
export type Carry = (attempt: Attempt) => Promise<Answer>;

export type Layer = (next: Carry) => Carry;

/** Wraps the wire in layers; the first is the outermost. */
export function layered(wire: Carry, layers: readonly Layer[]): Carry {
  return layers.reduceRight((next, layer) => layer(next), wire);
}
