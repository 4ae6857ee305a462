/** The prices now of the symbols whose orders are in doubt, read from their exchanges. */
import { isRecord } from '../../base/json.ts';
import { keyedWriteOf } from '../../exchange/api/meant-order.ts';
import { lineOf } from '../../exchange/api/order-terms.ts';
import type { TickerCategory } from '../../exchange/api/vocabulary.ts';
import { doubtsIn } from '../../engine/effects/doubts.ts';
import { Prices } from '../../engine/effects/prices.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import type { AppContext } from '../app-context.ts';
import { profileNamed, type Config } from '../config/load.ts';
import { openWork } from './work.ts';

export interface DoubtPrice {
  readonly address: string;
  /** The price, or why it is not known. */
  readonly text: string;
}

interface Priced {
  readonly address: string;
  readonly profile: string;
  readonly market: TickerCategory;
  readonly symbol: string;
}

/** @param entries the journal of a run */
export async function doubtPrices(
  entries: readonly Entry[],
  config: Config,
  context: AppContext,
  signal: AbortSignal,
): Promise<readonly DoubtPrice[]> {
  const orders = pricedIn(entries);
  const found: DoubtPrice[] = [];
  for (const profile of new Set(orders.map((order) => order.profile))) {
    const own = orders.filter((order) => order.profile === profile);
    const named = profileNamed(config, profile);
    const session = await openWork(context, config, named, { needsKey: false });
    try {
      const prices = new Prices(session.exchange, context.clock);
      for (const { address, market, symbol } of own) {
        const { market: now, unpriced = '' } = await prices.of(market, symbol, signal);
        const sides = now?.bid && now.ask ? `, bid ${now.bid}, ask ${now.ask}` : '';
        found.push({ address, text: now === undefined ? unpriced : `${now.mark}${sides}` });
      }
    } finally {
      await session.close();
    }
  }
  return found;
}

function pricedIn(entries: readonly Entry[]): readonly Priced[] {
  const [started] = entries;
  if (started?.kind !== 'started') return [];
  return doubtsIn(entries).flatMap(({ address, intents }) => {
    const last = intents.at(-1);
    const keyed = keyedWriteOf(last?.operation);
    if (last === undefined || keyed === undefined || !isRecord(last.input)) return [];
    const line = lineOf(keyed, last.input);
    const market = line && keyed.markets[line];
    const symbol = last.input[keyed.fields.symbol];
    if (market === undefined || typeof symbol !== 'string') return [];
    return [{ address, profile: last.account ?? started.destination.profile, market, symbol }];
  });
}
