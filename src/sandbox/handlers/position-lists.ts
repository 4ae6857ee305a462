/** Positions in the words of both account families. */
import { decimal, decimalText, divide, zero } from '../../base/decimal.ts';
import type { Output } from '../../exchange/api/operations/index.ts';
import type { OrderView, PositionView } from '../engine/view.ts';
import type { Context, Handler } from './handler.ts';

type ClassicPosition = Output<'futures/list-positions'>[number];
type UnifiedPosition = Output<'trade/list-positions'>['list'][number];

export const listClassicPositions: Handler<'futures/list-positions'> = (input, context) =>
  context.world.engine
    .positions(context.caller.uid)
    .filter(({ category }) => category === input.productType)
    .filter(({ marginCoin }) => (input.marginCoin?.toUpperCase() ?? marginCoin) === marginCoin)
    .map((position) => classicPosition(position, context));

export const listUnifiedPositions: Handler<'trade/list-positions'> = (input, context) => {
  const positions = context.world.engine
    .positions(context.caller.uid)
    .filter(({ category }) => category === input.category)
    .filter(({ symbol }) => (input.symbol ?? symbol) === symbol)
    .filter(({ holdSide }) => (input.posSide ?? holdSide) === holdSide);
  return { list: positions.map((position) => unifiedPosition(position, context)) };
};

function classicPosition(position: PositionView, context: Context): ClassicPosition {
  return {
    marginCoin: position.marginCoin,
    symbol: position.symbol,
    holdSide: position.holdSide,
    openDelegateSize: openingSize(position, context),
    marginSize: position.margin,
    available: position.available,
    locked: lockedIn(position),
    total: position.size,
    leverage: String(position.leverage),
    achievedProfits: '',
    openPriceAvg: position.entryPrice,
    marginMode: position.marginMode,
    posMode: position.holdMode,
    unrealizedPL: position.unrealised,
    liquidationPrice: '',
    keepMarginRate: maintenanceRate(position, context),
    markPrice: position.markPrice,
    breakEvenPrice: '',
    totalFee: '',
    deductedFee: '',
    takeProfit: '',
    stopLoss: '',
    takeProfitId: '',
    stopLossId: '',
    marginRatio: '',
    assetMode: 'single',
    cTime: String(position.openedTime),
    uTime: String(position.openedTime),
  };
}

function unifiedPosition(position: PositionView, context: Context): UnifiedPosition {
  return {
    category: position.category,
    symbol: position.symbol,
    marginCoin: position.marginCoin,
    holdMode: position.holdMode,
    posSide: position.holdSide,
    marginMode: position.marginMode,
    positionBalance: position.margin,
    available: position.available,
    frozen: lockedIn(position),
    total: position.size,
    leverage: String(position.leverage),
    curRealisedPnl: '',
    avgPrice: position.entryPrice,
    positionStatus: 'normal',
    unrealisedPnl: position.unrealised,
    liquidationPrice: '',
    mmr: maintenanceRate(position, context),
    profitRate: profitRate(position),
    markPrice: position.markPrice,
    breakEvenPrice: '',
    totalFunding: '',
    openFeeTotal: '',
    closeFeeTotal: '',
    createdTime: String(position.openedTime),
    updatedTime: String(position.openedTime),
  };
}

/** The size of a position that resting orders close. */
function lockedIn({ size, available }: PositionView): string {
  return decimalText(decimal(size).minus(available));
}

/** The size that resting orders would add to a position. */
function openingSize(position: PositionView, { world, caller }: Context): string {
  let size = zero;
  for (const order of world.engine.openOrders(caller.uid)) {
    if (opens(order, position)) size = size.plus(order.qty).minus(order.cumExecQty);
  }
  return decimalText(size);
}

function opens(order: OrderView, { category, symbol, holdSide }: PositionView): boolean {
  if (order.category !== category || order.symbol !== symbol) return false;
  if (order.reduceOnly === 'YES' || order.side !== (holdSide === 'long' ? 'buy' : 'sell'))
    return false;
  return order.posSide === '' || order.posSide === holdSide;
}

/** The maintenance margin rate of the tier that a position is in. */
function maintenanceRate(position: PositionView, { world }: Context): string {
  const { category, symbol, size, markPrice } = position;
  const tiers = world.market(category, symbol)?.instrument.tiers ?? [];
  const value = decimal(size).times(markPrice);
  return tiers.filter(({ from }) => value.gte(from)).at(-1)?.rate ?? '';
}

function profitRate({ unrealised, margin }: PositionView): string {
  const base = decimal(margin);
  if (base.eq(zero)) return '';
  return decimalText(divide(decimal(unrealised), base, { scale: 16, rounding: 'down' }));
}
