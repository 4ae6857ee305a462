/** Events in a compact form: most are never requested, so they are created on demand. */
import type { Millis } from '../../../base/clock.ts';
import type { Filled } from '../book/match.ts';
import type { CloseReason, EngineEvent } from '../event.ts';
import type { Order } from './order.ts';

/** A trade on the public market. */
export interface Traded {
  readonly kind: 'traded';
  readonly at: Millis;
  /** Sequence number of the trade. */
  readonly count: number;
  readonly fill: Filled<Order>;
}

/** One event in a linked list, because most commands cause one or two events. */
export interface PendingEventNode {
  readonly event: PendingEvent;
  next: PendingEventNode | undefined;
}

export type PendingEvent =
  /** An opened order. The order stores its final time. */
  | { readonly kind: 'opened'; readonly order: Order }
  | { readonly kind: 'closed'; readonly order: Order; readonly reason: CloseReason }
  | Traded
  /** Any other event is rare and stored in full. */
  | Exclude<EngineEvent, { readonly kind: 'order-opened' | 'order-closed' | 'trade' }>;
