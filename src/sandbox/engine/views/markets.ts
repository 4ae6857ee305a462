/** Markets, books, public trades, reserves and the ledger as the engine shows them. */
import type { Millis } from '../../../base/clock.ts';
import type { ProductType } from '../../../exchange/api/vocabulary.ts';
import { countBefore, idText } from '../ids.ts';
import type { Level } from '../book/level.ts';
import { formatMoney } from '../money.ts';
import type { Market } from '../model/market.ts';
import type { Order } from '../model/order.ts';
import type { State } from '../model/state.ts';
import { formatUnits } from '../units.ts';
import type {
  DepthLevel,
  DepthView,
  LedgerView,
  MarketView,
  ReserveRecordView,
  ReserveView,
  TradeView,
  TransferView,
} from '../view.ts';

export function viewMarket(market: Market): MarketView {
  const { instrument, book, lastTicks, markTicks, indexTicks, nextFunding } = market;
  const { bestBid, bestAsk } = book;
  const price = (ticks: number): string => formatUnits(ticks, instrument.priceScale);
  return {
    instrument,
    ...(lastTicks !== undefined && { lastPrice: price(lastTicks) }),
    ...(markTicks !== undefined && { markPrice: price(markTicks) }),
    ...(indexTicks !== undefined && { indexPrice: price(indexTicks) }),
    ...(nextFunding !== undefined && {
      fundingRate: formatMoney(market.fundingRate),
      nextFundingTime: nextFunding,
    }),
    openInterest: formatUnits(market.openLots, instrument.sizeScale),
    deliveryStatus: market.deliveryStatus,
    ...(bestBid !== undefined && { bid: viewLevel(market, bestBid) }),
    ...(bestAsk !== undefined && { ask: viewLevel(market, bestAsk) }),
  };
}

export function depthOf(market: Market | undefined, levels: number): DepthView {
  if (market === undefined) return { bids: [], asks: [] };
  const first = (side: Iterable<Level<Order>>): DepthLevel[] => {
    const shown: DepthLevel[] = [];
    for (const level of side) {
      if (shown.length === levels) break;
      shown.push(viewLevel(market, level));
    }
    return shown;
  };
  return { bids: first(market.book.bidLevels()), asks: first(market.book.askLevels()) };
}

export function* tradesOf(
  market: Market | undefined,
  before: string | undefined,
  until: Millis | undefined,
): Generator<TradeView, void, undefined> {
  if (market === undefined) return;
  const { priceScale, sizeScale } = market.instrument;
  for (const trade of market.tape.newest(countBefore('trade', before), until)) {
    yield {
      tradeId: idText('trade', trade.count),
      sequence: trade.sequence,
      price: formatUnits(trade.ticks, priceScale),
      size: formatUnits(trade.lots, sizeScale),
      side: trade.isBuy ? 'buy' : 'sell',
      time: trade.at,
    };
  }
}

export function viewReserve(state: State, productType: ProductType, coin: string): ReserveView {
  const balance = state.reserves.get(`${productType} ${coin}`)?.ledger.balance ?? 0n;
  return { productType, coin, balance: formatMoney(balance) };
}

/** The changes of the risk reserves, newest first. */
export function reserveRecordsOf(
  state: State,
  productType: ProductType,
  coin: string,
): ReserveRecordView[] {
  const records = state.reserves.get(`${productType} ${coin}`)?.records() ?? [];
  return records
    .map(({ amount, balance, at }) => ({
      amount: formatMoney(amount),
      balance: formatMoney(balance),
      time: at,
    }))
    .reverse();
}

export function viewLedger(state: State): LedgerView[] {
  return [...state.ledger.all()].map(({ name, coin, balance }) => ({
    name,
    coin,
    balance: formatMoney(balance),
  }));
}

/** The ledger's movements, newest first. */
export function* transfersOf(state: State): Generator<TransferView, void, undefined> {
  for (const { from, to, amount, because, at } of state.ledger.transfers()) {
    yield {
      from: from.name,
      to: to.name,
      coin: from.coin,
      amount: formatMoney(amount),
      because,
      time: at,
    };
  }
}

function viewLevel({ instrument }: Market, { ticks, lots }: Level<Order>): DepthLevel {
  const { priceScale, sizeScale } = instrument;
  return { price: formatUnits(ticks, priceScale), size: formatUnits(lots, sizeScale) };
}
