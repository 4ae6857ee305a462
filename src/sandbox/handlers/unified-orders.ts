/** Orders of the unified account: placing, one by its name, cancellation. */
import { decimal, decimalText, divide, zero, type Decimal } from '../../base/decimal.ts';
import type { Input } from '../../exchange/api/operations/index.ts';
import type { PlaceFields } from '../engine/command.ts';
import { marketOf } from '../engine/engine.ts';
import type { OrderView } from '../engine/view.ts';
import { Refusal } from '../refusal.ts';
import { bring } from '../world/quoter.ts';
import type { World } from '../world/world.ts';
import type { Context, Handler } from './handler.ts';
import { namedOrder } from './named-order.ts';
import { openOrder } from './order-lists.ts';
import { settingsIn, type SymbolSettings } from './symbol-settings.ts';
import { inUnifiedCodes } from './unified-codes.ts';

type Placed = Input<'trade/place-order'>;

const notFound = '25204';

export const placeUnifiedOrder: Handler<'trade/place-order'> = (input, { world, now, caller }) => {
  const category = marketOf(input.category);
  const market = world.market(category, input.symbol);
  if (market === undefined) throw new Refusal('25100', input.symbol);
  bring(world, market, now); // the book is filled on demand
  const settings = category === 'SPOT' ? undefined : settingsIn(world, caller.uid, market);
  return inUnifiedCodes(() =>
    world.command(
      {
        kind: 'place',
        uid: caller.uid,
        leaderSymbols: caller.leads,
        category: input.category,
        symbol: input.symbol,
        orderType: input.orderType,
        size: sizeIn(input, world),
        price: input.orderType === 'market' ? undefined : input.price,
        force: input.timeInForce,
        clientOid: input.clientOid,
        reusesClientOid: true,
        stpMode: input.stpMode,
        ...directionOf(input, settings),
        ...(settings !== undefined && { marginMode: settings.marginMode, ...presetsIn(input) }),
      },
      now,
    ),
  );
};

/**
 * The direction in the engine's words, which are those of the classic family: in hedge mode `side` names
 * the position. In this family `side` is the executed side: closing a long position is a sell.
 * @throws Refusal when posSide does not fit the position mode
 */
function directionOf(
  { side, posSide, reduceOnly }: Placed,
  settings: SymbolSettings | undefined,
): Pick<PlaceFields, 'side' | 'tradeSide' | 'reduceOnly'> {
  if (settings === undefined) return { side };
  if (settings.holdMode === 'one_way_mode') {
    if (posSide !== undefined) throw new Refusal('25236', 'posSide in one-way mode');
    return { side, reduceOnly: reduceOnly === 'yes' ? 'YES' : 'NO' };
  }
  if (posSide === undefined) throw new Refusal('25236', 'posSide is required in hedge mode');
  const opensBy = posSide === 'long' ? 'buy' : 'sell';
  return { side: opensBy, tradeSide: side === opensBy ? 'open' : 'close' };
}

function presetsIn(
  input: Placed,
): Pick<
  PlaceFields,
  | 'presetStopSurplusPrice'
  | 'presetStopSurplusExecutePrice'
  | 'presetStopLossPrice'
  | 'presetStopLossExecutePrice'
> {
  const { takeProfit, stopLoss, tpOrderType, slOrderType, tpLimitPrice, slLimitPrice } = input;
  if (input.tpTriggerBy === 'market' || input.slTriggerBy === 'market') {
    throw new Refusal('25200', 'the sandbox triggers by the mark price only');
  }
  return {
    presetStopSurplusPrice: takeProfit,
    presetStopSurplusExecutePrice: tpOrderType === 'limit' ? tpLimitPrice : undefined,
    presetStopLossPrice: stopLoss,
    presetStopLossExecutePrice: slOrderType === 'limit' ? slLimitPrice : undefined,
  };
}

/** The size in the base coin: a market buy on spot or margin names what is paid, in the quote coin. */
function sizeIn({ category, symbol, side, orderType, qty }: Placed, world: World): string {
  const isSpot = category === 'SPOT' || category === 'MARGIN';
  if (!isSpot || side === 'sell' || orderType === 'limit') return qty;
  const bought = boughtWith(qty, world, symbol);
  if (decimal(bought).eq(zero)) throw new Refusal('25207', qty);
  return bought;
}

const levelsMax = 100; // of the book that a market buy is estimated with

/** The size that an amount of the quote coin buys now at the prices of the book. */
function boughtWith(amount: string, world: World, symbol: string): string {
  const places = world.market('SPOT', symbol)?.instrument.sizeScale ?? 0;
  let left = decimal(amount);
  let bought: Decimal = zero;
  for (const { price, size } of world.engine.depth('SPOT', symbol, levelsMax).asks) {
    const cost = decimal(price).times(size);
    if (cost.gte(left)) {
      const rest = divide(left, decimal(price), { scale: places, rounding: 'down' });
      return decimalText(bought.plus(rest));
    }
    left = left.minus(cost);
    bought = bought.plus(size);
  }
  return decimalText(bought);
}

export const getUnifiedOrder: Handler<'trade/get-order'> = (input, context) => {
  const order = namedOrder(input, context, notFound);
  return {
    ...openOrder(order),
    tradeSide: tradeSideOf(order),
    cancelReason: order.status === 'cancelled' ? 'normal_cancel' : '',
    execType: order.executionType,
  };
};

export const cancelUnifiedOrder: Handler<'trade/cancel-order'> = (input, context) => {
  const { orderId, clientOid, category } = unifiedNamed(input, context);
  if (input.category !== undefined && input.category !== category) throw new Refusal(notFound);
  const { caller, now, world } = context;
  inUnifiedCodes(() => world.command({ kind: 'cancel', uid: caller.uid, orderId }, now));
  return { orderId, clientOid };
};

function unifiedNamed(input: Input<'trade/cancel-order'>, context: Context): OrderView {
  return namedOrder(input, context, notFound);
}

/** Whether an order opens or closes; empty in one-way mode, on spot and on margin. */
function tradeSideOf({ holdMode, posSide, side }: OrderView): 'open' | 'close' | '' {
  if (holdMode !== 'hedge_mode' || posSide === '') return '';
  return (side === 'buy') === (posSide === 'long') ? 'open' : 'close';
}
