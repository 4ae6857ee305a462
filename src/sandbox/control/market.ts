/** Control of markets: prices by hand, funding, phases of delivery. */
import { deliveryStatuses, tickerCategories } from '../../contract/vocabulary.ts';
import { Refusal } from '../refusal.ts';
import type { Store } from '../state/store.ts';
import { scaled } from '../world/digits.ts';
import type { Market } from '../world/markets.ts';
import type { ControlTable } from './bench.ts';
import type { Fields } from './fields.ts';

export const marketControls: ControlTable = {
  market: {
    GET: (_fields, { store }) =>
      [...store.world().markets.values()].map((market) => shown(store, market)),
    POST: (fields, { store }) => {
      const market = marketNamed(fields, store);
      changeMarket(fields, store, market);
      return shown(store, market);
    },
  },
};

const pinned = [
  ['price', 'price'],
  ['mark', 'mark'],
  ['fundingRate', 'funding'],
] as const;

/** Applies every field that is given; prices and rates of null are given back to chance. */
export function changeMarket(fields: Fields, store: Store, market: Market): void {
  const { category, symbol } = market.instrument;
  for (const [field, what] of pinned) {
    if (!fields.has(field)) continue;
    const price = fields.value(field) === null ? null : fields.decimal(field);
    store.commit({ kind: 'pin', market: market.key, what, price });
  }
  const status = fields.optionalChoice('deliveryStatus', deliveryStatuses);
  if (status !== undefined) {
    const command = { kind: 'set-delivery-status', category, symbol, status } as const;
    store.commit({ kind: 'command', command });
  }
  if (fields.flag('deliver', false)) {
    store.commit({ kind: 'command', command: { kind: 'deliver', category, symbol } });
  }
}

export function marketNamed(fields: Fields, store: Store): Market {
  const category = fields.choice('category', tickerCategories);
  const market = store.world().market(category, fields.text('symbol'));
  if (market === undefined) throw new Refusal('40102', fields.text('symbol'));
  return market;
}

/** Where nobody is, the engine's mark price stands still, and what it would be is shown. */
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
