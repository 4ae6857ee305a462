/** Control of markets: manual prices, funding, phases of delivery. */
import type { Infer } from '../../exchange/api/schema.ts';
import { Refusal } from '../refusal.ts';
import { market as marketFields, type Named } from '../scenario/trading.ts';
import type { Store } from '../persistence/world-store.ts';
import { scaled } from '../world/digits.ts';
import type { Market } from '../world/markets.ts';
import { asking, type ControlTable } from './control-context.ts';

export const marketControls: ControlTable = {
  market: {
    GET: (_fields, { store }) =>
      [...store.world().markets.values()].map((market) => shown(store, market)),
    POST: asking(marketFields, (fields, { store }) => shown(store, changeMarket(fields, store))),
  },
};

/** Applies every given field; null makes a price or rate random again. */
export function changeMarket(
  { price, mark, fundingRate, deliveryStatus, deliver, ...name }: Infer<typeof marketFields>,
  store: Store,
): Market {
  const market = marketNamed(name, store);
  const byHand = [
    ['price', price],
    ['mark', mark],
    ['funding', fundingRate],
  ] as const;
  for (const [what, to] of byHand) {
    if (to !== undefined) store.commit({ kind: 'pin', market: market.key, what, price: to });
  }
  if (deliveryStatus !== undefined) {
    const command = { kind: 'set-delivery-status', ...name, status: deliveryStatus } as const;
    store.commit({ kind: 'command', command });
  }
  if (deliver === true) store.commit({ kind: 'command', command: { kind: 'deliver', ...name } });
  return market;
}

export function marketNamed({ category, symbol }: Named, store: Store): Market {
  const market = store.world().market(category, symbol);
  if (market === undefined) throw new Refusal('40102', symbol);
  return market;
}

/** The market's mark price, computed now: without traders the engine does not update it. */
function markOf(store: Store, market: Market, held: string | undefined): string | undefined {
  if (held === undefined || store.world().registry.quoted[market.key] !== undefined) return held;
  return scaled(market.markAt(store.now()), market.instrument.priceScale);
}

function shown(store: Store, market: Market) {
  const { category, symbol, priceScale } = market.instrument;
  const view = store.world().engine.market(category, symbol);
  return {
    category,
    symbol,
    price: scaled(market.ticksAt(store.now()), priceScale),
    mark: markOf(store, market, view?.markPrice),
    openInterest: view?.openInterest,
    deliveryStatus: view?.deliveryStatus,
    depth: store.world().engine.depth(category, symbol, 10),
  };
}
