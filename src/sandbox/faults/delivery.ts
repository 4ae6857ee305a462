/** How a response is delivered: complete, late, damaged, or not at all. */
import type { Millis } from '../../base/clock.ts';
import type { RawResponse } from '../gateway/request.ts';

export type Delivery =
  | { readonly kind: 'whole'; readonly response: RawResponse }
  /** The response is compressed, although no request asks for it. */
  | { readonly kind: 'packed'; readonly response: RawResponse }
  /** The delivery is not decided yet: wait, then ask again. */
  | { readonly kind: 'wait'; readonly ms: Millis; readonly next: () => Delivery }
  /** The connection is reset. */
  | { readonly kind: 'reset' }
  /** The connection is closed without a response. */
  | { readonly kind: 'empty' }
  /** The connection stays open without data for this long. */
  | { readonly kind: 'silence'; readonly ms: Millis }
  /** The first half of the response arrives, then the connection is closed. */
  | { readonly kind: 'half'; readonly response: RawResponse }
  /** The response is sent one byte at a time. */
  | { readonly kind: 'drip'; readonly response: RawResponse; readonly everyMs: Millis };
