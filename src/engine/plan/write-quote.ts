/** The quote that a planned write depends on, and notes for a reviewer. */
import type { Call } from './call.ts';
import type { PlanContext } from './plan-context.ts';
import { isCapped } from './measure.ts';
import { productTypeOf, scaleOf, type Quote } from './observe.ts';
import type { PlannedAction } from './plan.ts';
import { otherAccount } from './account-context.ts';
import { lineName } from './recorded.ts';

export async function quoteOf(call: Call, context: PlanContext): Promise<Quote | undefined> {
  const productType = productTypeOf(call.input['productType']);
  const symbol = call.input['symbol'];
  if (call.operation !== 'futures/place-order' || productType === undefined || context.isOffline) {
    return undefined;
  }
  if (typeof symbol !== 'string') return undefined;
  const name = symbol.toUpperCase();
  const quote = (await context.observer.quotes(productType)).get(name);
  if (quote !== undefined) hold(quote, name, call, context);
  return quote;
}

/** Records in the plan the quote on which its orders depend. */
function hold({ market, unpriced }: Quote, symbol: string, { input }: Call, context: PlanContext) {
  if (market !== undefined) context.marks.set(symbol, market.mark);
  const { mark, bid, ask } = market ?? {};
  const takes = !isCapped(input);
  context.quotes.set(symbol, {
    ...context.quotes.get(symbol),
    ...(mark !== undefined && { mark }),
    ...(takes && bid !== undefined && { bid }),
    ...(takes && ask !== undefined && { ask }),
    ...(unpriced !== undefined && { unpriced }),
  });
}

export async function noteOf(
  call: Call,
  quote: Quote | undefined,
  context: PlanContext,
): Promise<Pick<PlannedAction, 'note'>> {
  if (call.operation === 'futures/place-order') return finerThan(quote, call, context);
  const productType = productTypeOf(call.input['productType']);
  if (call.operation !== 'futures/set-all-leverage' || productType === undefined) return {};
  if (context.isOffline) return { note: 'takes effect only for symbols with an open position' };
  const symbols = await context.observer.positions(productType);
  context.positions.set(lineName(productType, otherAccount(context)), symbols);
  return {
    note:
      symbols.length === 0
        ? 'no symbol has an open position now: nothing would change'
        : `takes effect for symbols with an open position: ${symbols.join(', ')}`,
  };
}

/** No operation returns a symbol's steps; its quotes show its precision. */
function finerThan(
  quote: Quote | undefined,
  { input }: Call,
  { quotes }: PlanContext,
): Pick<PlannedAction, 'note'> {
  if (quote === undefined) return {};
  const { priceScale, sizeScale } = quote;
  const { symbol } = input;
  if (typeof symbol === 'string' && Number.isFinite(priceScale + sizeScale)) {
    const name = symbol.toUpperCase();
    quotes.set(name, { ...quotes.get(name), places: { price: priceScale, size: sizeScale } });
  }
  const finer = (['price', 'size'] as const).flatMap((field) => {
    const value = input[field];
    const scale = quote[`${field}Scale`];
    return typeof value === 'string' && scaleOf([value]) > scale
      ? [`${field} ${value} has more than the ${scale} decimal places of this symbol’s quotes`]
      : [];
  });
  return finer.length === 0 ? {} : { note: `${finer.join('; ')}: it may be refused` };
}
