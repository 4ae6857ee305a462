/** A span of a trace, in a form that no protocol determines. */
import { createHash } from 'node:crypto';
import type { Millis } from '../../base/clock.ts';

/** The value of an attribute: text, a whole number, or a truth value. */
export type Attribute = string | number | boolean;
export type Attributes = Readonly<Record<string, Attribute>>;

export interface Span {
  /** The id of the trace: 32 hex digits, the same for all attempts of a run. */
  readonly traceId: string;
  /** The id of the span: 16 hex digits. */
  readonly spanId: string;
  /** The id of the span above this one; absent for the first attempt of a run. */
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: 'internal' | 'client';
  readonly from: Millis;
  readonly to: Millis;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  /** The error; absent for a span that did not fail. */
  readonly error?: string;
}

export interface SpanEvent {
  readonly name: string;
  readonly at: Millis;
  readonly attributes: Attributes;
}

/** An id derived from a text, so that all machines agree on it; never only zeros, which no id may be. */
export function spanIdOf(text: string, digits: 16 | 32 = 16): string {
  return createHash('sha256').update(`trace of deskhand: ${text}`).digest('hex').slice(0, digits);
}
