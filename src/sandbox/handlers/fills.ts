/** Endpoint 13: public trades of a futures symbol, newest first. */
import type { Output } from '../../exchange/api/operations/index.ts';
import { Refusal } from '../refusal.ts';
import { timeRangeOf } from '../windows.ts';
import { scaled } from '../world/digits.ts';
import { momentOfTradeId, tradeIdOf, type PublicTrade } from '../world/tape.ts';
import { tradesBetween } from '../world/trades.ts';
import type { Handler } from './handler.ts';
import { sizeOf, take } from './pages.ts';

type Fill = Output<'market/list-fills'>[number];

export const listFills: Handler<'market/list-fills'> = (input, { world, now }) => {
  const productType = productTypeOf(input.productType);
  const market = world.market(productType, input.symbol);
  if (market === undefined) throw new Refusal('40102', input.symbol);
  const span = timeRangeOf('market/list-fills', input, { now });
  const to = Math.min(span.to, now, momentOf(input.idLessThan));
  const trades = olderThan(tradesBetween(world, market, { from: span.from, to }), input.idLessThan);
  const { priceScale, sizeScale, symbol } = market.instrument;
  const { lowerCaseSides } = world.registry.config.quirks;
  return take(trades, sizeOf('market/list-fills', input.limit)).map((trade): Fill => ({
    tradeId: tradeIdOf(trade),
    price: scaled(trade.ticks, priceScale),
    size: scaled(trade.lots, sizeScale),
    side: lowerCaseSides ? trade.side : capitalised[trade.side], // as in the sample payload
    ts: String(trade.ts),
    symbol,
  }));
};

const capitalised = { buy: 'Buy', sell: 'Sell' } as const;

/** The product type whose trades are shown: demo product types show those of the real ones. */
function productTypeOf(productType: Parameters<typeof listFills>[0]['productType']) {
  switch (productType) {
    case 'SUSDT-FUTURES':
      return 'USDT-FUTURES';
    case 'SCOIN-FUTURES':
      return 'COIN-FUTURES';
    case 'SUSDC-FUTURES':
      return 'USDC-FUTURES';
    case 'USDT-FUTURES':
    case 'COIN-FUTURES':
    case 'USDC-FUTURES':
      return productType;
  }
}

function momentOf(id: string | undefined): number {
  return id === undefined ? Infinity : momentOfTradeId(id);
}

function* olderThan(trades: Iterable<PublicTrade>, id: string | undefined): Iterable<PublicTrade> {
  const below = id === undefined ? undefined : BigInt(id);
  for (const trade of trades) {
    if (below === undefined || BigInt(tradeIdOf(trade)) < below) yield trade;
  }
}
