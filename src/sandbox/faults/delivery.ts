/** How a response is delivered: complete, late, damaged, or not at all. */
import type { Millis } from '../../base/clock.ts';
import type { RawResponse } from '../gateway/request.ts';

export type Delivery =
  | { readonly kind: 'whole'; readonly response: RawResponse }
  /** Compressed, although no request asks for it. */
  | { readonly kind: 'packed'; readonly response: RawResponse }
  /** Not decided yet: wait, then ask again. */
  | { readonly kind: 'wait'; readonly ms: Millis; readonly next: () => Delivery }
  /** The connection is reset. */
  | { readonly kind: 'reset' }
  /** The connection is closed without a response. */
  | { readonly kind: 'empty' }
  /** The connection stays open without data for this long. */
  | { readonly kind: 'silence'; readonly ms: Millis }
  /** The first half arrives, then the connection is closed. */
  | { readonly kind: 'half'; readonly response: RawResponse }
  /** Sends one byte at a time. */
  | { readonly kind: 'drip'; readonly response: RawResponse; readonly everyMs: Millis };
