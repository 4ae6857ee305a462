/** The events of a command, in order, for statistics or a journal. */
import type { Millis } from '../../base/clock.ts';
import type { OrderCategory } from '../../exchange/api/vocabulary.ts';
import type { InstrumentCategory, Side } from './instrument.ts';

/** Why an order is closed; the interface has only `normal_cancel`. */
export type CloseReason =
  | 'filled'
  | 'user_cancel'
  | 'ioc_not_full_cancel'
  | 'fok_not_full_cancel'
  | 'post_only_fill_cancel'
  | 'stp_cancel'
  | 'reduce_only_cancel'
  | 'give_way_cancel'
  | 'unaffordable_cancel'
  | 'burst_cancel'
  | 'delivery_cancel';

/** How an order was executed, in the interface's spelling. */
export type ExecutionType = 'normal' | 'offset' | 'reduce' | 'liquidation' | 'delivery';

interface InMarket {
  readonly category: InstrumentCategory;
  readonly symbol: string;
}

export type EngineEvent =
  | ({
      readonly kind: 'order-opened';
      readonly at: Millis;
      readonly orderId: string;
      readonly uid: string;
      readonly symbol: string;
    } & { readonly category: OrderCategory })
  | ({
      readonly kind: 'order-closed';
      readonly at: Millis;
      readonly orderId: string;
      readonly uid: string;
      readonly symbol: string;
      readonly reason: CloseReason;
    } & { readonly category: OrderCategory })
  | ({
      readonly kind: 'trade';
      readonly at: Millis;
      readonly tradeId: string;
      readonly price: string;
      readonly size: string;
      /** The side of the trade's taker. */
      readonly side: Side;
      readonly makerOrderId: string;
      readonly makerUid: string;
      readonly takerOrderId: string;
      readonly takerUid: string;
    } & InMarket)
  | ({ readonly kind: 'trigger'; readonly at: Millis; readonly uid: string } & InMarket)
  | ({
      readonly kind: 'liquidation';
      readonly at: Millis;
      readonly uid: string;
      readonly executionType: 'offset' | 'reduce' | 'liquidation';
      readonly size: string;
    } & InMarket)
  | ({
      readonly kind: 'deleveraging';
      readonly at: Millis;
      /** The account whose profitable position was reduced. */
      readonly uid: string;
      readonly price: string;
      readonly size: string;
    } & InMarket)
  | ({ readonly kind: 'funding'; readonly at: Millis; readonly rate: string } & InMarket)
  | ({ readonly kind: 'delivery'; readonly at: Millis; readonly price: string } & InMarket);
