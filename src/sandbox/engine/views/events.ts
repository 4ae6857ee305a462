/** The events of a command, as the engine shows them. */
import type { EngineEvent } from '../event.ts';
import { idText } from '../ids.ts';
import type { PendingEvent, Traded } from '../model/pending-event.ts';
import type { Order } from '../model/order.ts';
import { formatUnits } from '../units.ts';

export function viewEvent(event: PendingEvent): EngineEvent {
  switch (event.kind) {
    case 'opened': {
      const { order } = event;
      return { kind: 'order-opened', at: order.at, ...namesOf(order) };
    }
    case 'closed': {
      const { order, reason } = event;
      return { kind: 'order-closed', at: order.updatedAt, reason, ...namesOf(order) };
    }
    case 'traded':
      return viewTrade(event);
    default:
      return event;
  }
}

function namesOf({ id, owner, category, market }: Order) {
  return { orderId: id, uid: owner.uid, category, symbol: market.instrument.symbol };
}

function viewTrade({ at, count, fill }: Traded): EngineEvent {
  const { taker, maker, lots, ticks } = fill;
  const { category, symbol, priceScale, sizeScale } = taker.market.instrument;
  return {
    kind: 'trade',
    at,
    category,
    symbol,
    tradeId: idText('trade', count),
    price: formatUnits(ticks, priceScale),
    size: formatUnits(lots, sizeScale),
    side: taker.isBuy ? 'buy' : 'sell',
    makerOrderId: maker.id,
    makerUid: maker.owner.uid,
    takerOrderId: taker.id,
    takerUid: taker.owner.uid,
  };
}
