/** What happened, noted in passing: most of it no one asks about, so it is reported later. */
import type { Millis } from '../../../base/clock.ts';
import type { Filled } from '../book/match.ts';
import type { CloseReason, EngineEvent } from '../event.ts';
import type { Order } from './order.ts';

/** An execution of the public market. */
export interface Traded {
  readonly kind: 'traded';
  readonly at: Millis;
  /** Running number of the trade. */
  readonly count: number;
  readonly fill: Filled<Order>;
}

/** One after the other, because most commands make one or two things happen. */
export interface PendingEventNode {
  readonly event: PendingEvent;
  next: PendingEventNode | undefined;
}

export type PendingEvent =
  /** When is written on the order and does not change any longer. */
  | { readonly kind: 'opened'; readonly order: Order }
  | { readonly kind: 'closed'; readonly order: Order; readonly reason: CloseReason }
  | Traded
  /** The rare rest needs no short form. */
  | Exclude<EngineEvent, { readonly kind: 'order-opened' | 'order-closed' | 'trade' }>;
