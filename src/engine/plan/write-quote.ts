/** The quote that a planned write depends on, and notes for a reviewer. */
import type { Call } from './call.ts';
import type { PlanContext } from './plan-context.ts';
import { orderTerms } from '../../exchange/api/meant-order.ts';
import type { OrderTerms } from '../../exchange/api/order-terms.ts';
import { operationOf } from '../../exchange/api/operations/index.ts';
import { isCapped } from './measure.ts';
import { productTypeOf, quoteName, scaleOf, type Quote } from './observe.ts';
import type { PlannedAction } from './plan.ts';
import { otherAccount } from './account-context.ts';
import { lineName } from './recorded.ts';

export async function quoteOf(call: Call, context: PlanContext): Promise<Quote | undefined> {
  const order = orderTerms(call.operation, call.input);
  const name = order && nameOf(order);
  if (order?.market === undefined || name === undefined || context.isOffline) return undefined;
  const quote = (await context.observer.quotes(order.market)).get(name);
  if (quote !== undefined) hold(quote, name, order, context);
  return quote;
}

function nameOf({ market, symbol }: OrderTerms): string | undefined {
  return market !== undefined && symbol !== undefined ? quoteName(market, symbol) : undefined;
}

/** Records in the plan the quote on which its orders depend. */
function hold(
  { market, unpriced }: Quote,
  symbol: string,
  order: OrderTerms,
  context: PlanContext,
) {
  if (market !== undefined) context.marks.set(symbol, market.mark);
  const { mark, bid, ask } = market ?? {};
  const takes = !isCapped(order);
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
  const order = orderTerms(call.operation, call.input);
  if (order !== undefined) {
    return quote === undefined ? unquoted(order, context) : finerThan(quote, order, call, context);
  }
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

/** A symbol that the tickers of its line do not have is not traded there, or not yet. */
function unquoted(
  { market, symbol }: OrderTerms,
  { isOffline }: PlanContext,
): Pick<PlannedAction, 'note'> {
  if (isOffline || market === undefined || symbol === undefined) return {};
  return { note: `${symbol} is not among the quotes of ${market}: it may be refused` };
}

/** No operation returns a symbol's steps; its quotes show its precision. */
function finerThan(
  quote: Quote,
  order: OrderTerms,
  { operation, input }: Call,
  { quotes }: PlanContext,
): Pick<PlannedAction, 'note'> {
  const { priceScale, sizeScale } = quote;
  const name = nameOf(order);
  if (name !== undefined && Number.isFinite(priceScale + sizeScale)) {
    quotes.set(name, { ...quotes.get(name), places: { price: priceScale, size: sizeScale } });
  }
  const { price, size } = operationOf(operation).keyed?.fields ?? { price: '', size: '' };
  const scales: readonly (readonly [string, number])[] = [
    [price, priceScale],
    [size, order.isInQuoteCoin ? Infinity : sizeScale],
  ];
  const finer = scales.flatMap(([field, scale]) => {
    const value = input[field];
    return typeof value === 'string' && scaleOf([value]) > scale
      ? [`${field} ${value} has more than the ${scale} decimal places of this symbol’s quotes`]
      : [];
  });
  return finer.length === 0 ? {} : { note: `${finer.join('; ')}: it may be refused` };
}
