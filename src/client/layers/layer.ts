/** The layers of a call: each wraps the one below it, and the lowest is the wire. */
import type { Millis } from '../../base/clock.ts';
import type { CallOptions, WireRequest } from '../../api/exchange.ts';
import type { Envelope } from '../../api/wire.ts';
import type { Stopwatch } from '../stopwatch.ts';

/** One attempt on its way down; a layer hands on a changed copy. */
export interface Attempt {
  readonly request: WireRequest;
  /** From 1; grows with every attempt of one call. */
  readonly number: number;
  /** Time for the answer, counted from the first byte. */
  readonly timeoutMs: Millis;
  /** The time of the whole call, which is suspended while it waits for its turn. */
  readonly watch: Stopwatch;
  readonly call: CallOptions;
}

/** What came back, whole: an envelope, or bytes that are none. */
export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly content:
    | { readonly kind: 'envelope'; readonly envelope: Envelope }
    | { readonly kind: 'unreadable'; readonly because: string; readonly cause: unknown };
  /** Monotonic moments around the attempt. */
  readonly sentAt: Millis;
  readonly receivedAt: Millis;
}

/** @throws TransportError when there is no whole answer */
export type Carry = (attempt: Attempt) => Promise<Answer>;

export type Layer = (next: Carry) => Carry;

/** Puts layers over the wire; the first one named is the outermost. */
export function layered(wire: Carry, layers: readonly Layer[]): Carry {
  return layers.reduceRight((next, layer) => layer(next), wire);
}
