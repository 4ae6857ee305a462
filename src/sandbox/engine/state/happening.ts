/** What happened, as it is noted in passing: most of it nobody asks about, so it is told later. */
import type { Millis } from '../../../base/clock.ts';
import type { CloseReason, EngineEvent } from '../event.ts';
import type { Order } from './order.ts';

/** An execution of the public market. */
export interface Traded {
  readonly kind: 'traded';
  readonly at: Millis;
  /** Running number of the trade. */
  readonly count: number;
  readonly taker: Order;
  readonly maker: Order;
  readonly lots: number;
  readonly ticks: number;
}

export type Happening =
  | { readonly kind: 'opened'; readonly at: Millis; readonly order: Order }
  | {
      readonly kind: 'closed';
      readonly at: Millis;
      readonly order: Order;
      readonly reason: CloseReason;
    }
  | Traded
  /** The rare rest needs no short form. */
  | Exclude<EngineEvent, { readonly kind: 'order-opened' | 'order-closed' | 'trade' }>;
