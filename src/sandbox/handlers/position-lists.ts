/** Positions in the words of both account families. */
import { decimal, decimalText } from '../../base/decimal.ts';
import type { Output } from '../../exchange/api/operations/index.ts';
import type { PositionView } from '../engine/view.ts';
import type { Handler } from './handler.ts';

type ClassicPosition = Output<'futures/list-positions'>[number];
type UnifiedPosition = Output<'trade/list-positions'>['list'][number];

export const listClassicPositions: Handler<'futures/list-positions'> = (input, context) =>
  context.world.engine
    .positions(context.caller.uid)
    .filter(({ category }) => category === input.productType)
    .filter(({ marginCoin }) => (input.marginCoin ?? marginCoin) === marginCoin)
    .map(classicPosition);

export const listUnifiedPositions: Handler<'trade/list-positions'> = (input, context) => {
  const positions = context.world.engine
    .positions(context.caller.uid)
    .filter(({ category }) => category === input.category)
    .filter(({ symbol }) => (input.symbol ?? symbol) === symbol)
    .filter(({ holdSide }) => (input.posSide ?? holdSide) === holdSide);
  return { list: positions.map(unifiedPosition) };
};

function classicPosition(position: PositionView): ClassicPosition {
  return {
    marginCoin: position.marginCoin,
    symbol: position.symbol,
    holdSide: position.holdSide,
    openDelegateSize: '',
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
    keepMarginRate: '',
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

function unifiedPosition(position: PositionView): UnifiedPosition {
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
    mmr: '',
    profitRate: '',
    markPrice: position.markPrice,
    breakEvenPrice: '',
    totalFunding: '',
    openFeeTotal: '',
    closeFeeTotal: '',
    createdTime: String(position.openedTime),
    updatedTime: String(position.openedTime),
  };
}

/** What resting orders close of a position. */
function lockedIn({ size, available }: PositionView): string {
  return decimalText(decimal(size).minus(available));
}
