/** Positions of both account families. A value that is not set is an empty text. */
import { needed, openChoice, optional, record, text } from '../schema.ts';
import { decimalOrEmpty, decimalText, millisOrEmpty, plainWord } from '../vocabulary.ts';

const symbol = needed(text({ minLength: 1, description: 'Symbol; in lower case, too' }));
const marginCoin = plainWord('Margin coin; in lower case, too');
const marginMode = openChoice(['isolated', 'crossed'], { description: 'Margin mode' });
const money = (description: string) => optional(decimalOrEmpty(description));

export const classicPosition = record({
  marginCoin,
  symbol,
  holdSide: needed(openChoice(['long', 'short'], { description: 'Direction of the position' })),
  openDelegateSize: money('Quantity of resting orders that open'),
  marginSize: money('Margin'),
  available: money('Quantity that can be closed'),
  locked: money('Quantity that resting orders close'),
  total: needed(decimalText('Quantity in the base coin')),
  leverage: needed(decimalText('Leverage')),
  achievedProfits: money('Realised profit'),
  openPriceAvg: money('Average price of entry'),
  marginMode,
  posMode: openChoice(['one_way_mode', 'hedge_mode'], { description: 'Position mode' }),
  unrealizedPL: money('Unrealised profit'),
  liquidationPrice: money('Estimated price of liquidation'),
  keepMarginRate: money('Maintenance margin rate'),
  markPrice: money('Mark price'),
  breakEvenPrice: money('Price without profit or loss'),
  totalFee: money('Funding fees'),
  deductedFee: money('Transaction fees'),
  takeProfit: money('Take-profit trigger price'),
  stopLoss: money('Stop-loss trigger price'),
  takeProfitId: optional(plainWord('Id of the take-profit')),
  stopLossId: optional(plainWord('Id of the stop-loss')),
  marginRatio: money('Maintenance margin by equity'),
  assetMode: optional(plainWord('single or union')),
  cTime: optional(millisOrEmpty('Opened, Unix milliseconds')),
  uTime: optional(millisOrEmpty('Last changed, Unix milliseconds')),
});

export const unifiedPosition = record({
  category: openChoice(['USDT-FUTURES', 'COIN-FUTURES', 'USDC-FUTURES'], {
    description: 'Futures product line',
  }),
  symbol,
  marginCoin,
  holdMode: openChoice(['one_way_mode', 'hedge_mode'], { description: 'Position mode' }),
  posSide: needed(openChoice(['long', 'short'], { description: 'Direction of the position' })),
  marginMode,
  positionBalance: money('Margin'),
  available: money('Quantity that can be closed'),
  frozen: money('Quantity that resting orders close'),
  total: needed(decimalText('Quantity in the base coin')),
  leverage: needed(decimalText('Leverage')),
  curRealisedPnl: money('Realised profit'),
  avgPrice: money('Average price of entry'),
  positionStatus: optional(plainWord('Status, such as normal')),
  unrealisedPnl: money('Unrealised profit'),
  liquidationPrice: money('Estimated price of liquidation'),
  mmr: money('Maintenance margin rate'),
  profitRate: money('Profit by margin'),
  markPrice: money('Mark price'),
  breakEvenPrice: money('Price without profit or loss'),
  totalFunding: money('Funding fees'),
  openFeeTotal: money('Fees of opening'),
  closeFeeTotal: money('Fees of closing'),
  createdTime: optional(millisOrEmpty('Opened, Unix milliseconds')),
  updatedTime: optional(millisOrEmpty('Last changed, Unix milliseconds')),
});
