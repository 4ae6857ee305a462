/** Preset take-profit and stop-loss prices: parsed, and checked against the price. */
import { Refusal } from '../../refusal.ts';
import type { PlaceFields } from '../command.ts';
import type { Presets, TriggerPrice } from '../model/order.ts';
import { readPrice } from './numbers.ts';
import type { Request } from './request.ts';

/**
 * The preset prices of an opening order; a closing order has nothing to protect, so its presets are
 * ignored.
 * @throws Refusal when a price is malformed, or on the wrong side
 */
export function readPresets(request: Request, ticks: number): Presets | undefined {
  const { fields, market, intent, isMarket } = request;
  if (intent !== 'net' && intent !== 'open') return undefined;
  if (hasNone(fields)) return undefined;
  const takeProfit = readTrigger(request, {
    name: 'presetStopSurplusPrice',
    at: fields.presetStopSurplusPrice,
    limit: fields.presetStopSurplusExecutePrice,
  });
  const stopLoss = readTrigger(request, {
    name: 'presetStopLossPrice',
    at: fields.presetStopLossPrice,
    limit: fields.presetStopLossExecutePrice,
  });
  if (takeProfit === undefined && stopLoss === undefined) return undefined;
  const reference = isMarket ? (market.markTicks ?? 0) : ticks;
  checkSides(request.isBuy, { takeProfit, stopLoss, reference });
  return { ...(takeProfit && { takeProfit }), ...(stopLoss && { stopLoss }) };
}

function hasNone(fields: PlaceFields): boolean {
  return (
    fields.presetStopSurplusPrice === undefined &&
    fields.presetStopLossPrice === undefined &&
    fields.presetStopSurplusExecutePrice === undefined &&
    fields.presetStopLossExecutePrice === undefined
  );
}

/**
 * Parses a preset price. As in the interface, empty means none, and an execution price without a
 * trigger is checked anyway.
 */
function readTrigger(
  { market }: Request,
  preset: { name: string; at: string | undefined; limit: string | undefined },
): TriggerPrice | undefined {
  const { name, at, limit } = preset;
  const hasLimit = limit !== undefined && limit !== '';
  const execute = hasLimit && {
    limit: readPrice(market, limit, name.replace('Price', 'ExecutePrice')),
  };
  if (at === undefined || at === '') return undefined;
  return { at: readPrice(market, at, name), ...execute };
}

function checkSides(
  isLong: boolean,
  prices: {
    readonly takeProfit: TriggerPrice | undefined;
    readonly stopLoss: TriggerPrice | undefined;
    readonly reference: number;
  },
): void {
  const { takeProfit, stopLoss, reference } = prices;
  const isProfit = ({ at }: TriggerPrice): boolean => (isLong ? at > reference : at < reference);
  const isLoss = ({ at }: TriggerPrice): boolean => (isLong ? at < reference : at > reference);
  if (takeProfit && !isProfit(takeProfit)) throw new Refusal(isLong ? '45064' : '45065');
  if (stopLoss && !isLoss(stopLoss)) throw new Refusal(isLong ? '45066' : '45067');
}
