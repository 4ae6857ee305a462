/** Checks orders against the rules of their symbol, and the position mode of their account. */
import { decimal, decimalText, zero, type Decimal } from '../../base/decimal.ts';
import type { JsonRecord } from '../../base/json.ts';
import { nearWord } from '../../base/text.ts';
import type { SymbolTerms, Terms } from '../../exchange/api/terms.ts';
import { numberIn } from './measure.ts';

/** One field of an order that would be refused; `field` is missing if it is required. */
export interface Misfit {
  readonly field: string;
  readonly message: string;
  readonly hint?: string;
  /** Whether it violates a rule of the account, not of the symbol. */
  readonly isOfAccount?: true;
}

/**
 * All violations by an order's known fields.
 * @param waiting fields whose value is known only later
 */
export function misfitsOf(
  input: JsonRecord,
  terms: Terms,
  waiting: { has(field: string): boolean } = new Set(),
): readonly Misfit[] {
  const symbol = typeof input['symbol'] === 'string' ? input['symbol'] : undefined;
  const own = symbol === undefined ? undefined : terms.symbols.get(symbol.toUpperCase());
  const ofSymbol =
    symbol === undefined
      ? []
      : own === undefined
        ? [unlisted(symbol, terms)]
        : [...ofCoin(input, own), ...ofPrices(input, own), ...ofSize(input, own)];
  return [...ofSymbol, ...ofMode(input, terms, waiting)];
}

function unlisted(symbol: string, { symbols }: Terms): Misfit {
  const near = nearWord(symbol, symbols.keys());
  return {
    field: 'symbol',
    message: `${JSON.stringify(symbol)} is not traded on this line`,
    ...(near !== undefined && { hint: `did you mean ${JSON.stringify(near)}?` }),
  };
}

function ofCoin(input: JsonRecord, own: SymbolTerms): readonly Misfit[] {
  const { marginCoin } = input;
  if (typeof marginCoin !== 'string' || marginCoin === own.marginCoin) return [];
  const message = `the margin coin of ${nameIn(input)} is ${own.marginCoin}`;
  return [{ field: 'marginCoin', message, hint: `set marginCoin: ${own.marginCoin}` }];
}

const prices = [
  'price',
  'presetStopSurplusPrice',
  'presetStopSurplusExecutePrice',
  'presetStopLossPrice',
  'presetStopLossExecutePrice',
] as const;

function ofPrices(input: JsonRecord, { priceScale, priceStep }: SymbolTerms): readonly Misfit[] {
  const step = stepOf(priceScale, priceStep);
  return prices.flatMap((field) => {
    // A market order has no price, even if one is given.
    if (field === 'price' && input['orderType'] !== 'limit') return [];
    return ofStep(field, input, step);
  });
}

function ofSize(input: JsonRecord, own: SymbolTerms): readonly Misfit[] {
  const size = numberIn(input, 'size');
  if (size === undefined) return [];
  const uneven = ofStep('size', input, stepOf(own.sizeScale, own.sizeStep));
  if (uneven.length > 0) return uneven;
  const { tradeSide, reduceOnly } = input;
  const symbol = nameIn(input);
  const sizeMisfit = (message: string): readonly Misfit[] => [{ field: 'size', message }];
  if (size.gt(decimal(own.sizeMax))) {
    return sizeMisfit(
      `size ${decimalText(size)} is above ${own.sizeMax}, the largest of ${symbol}`,
    );
  }
  // The remainder of a position may be closed, however small it is.
  if (tradeSide === 'close' || reduceOnly === 'YES') return [];
  if (size.lt(decimal(own.sizeMin))) {
    return sizeMisfit(
      `size ${decimalText(size)} is below ${own.sizeMin}, the smallest of ${symbol}`,
    );
  }
  const price = input['orderType'] === 'limit' ? numberIn(input, 'price') : undefined;
  if (price === undefined || price.times(size).gte(decimal(own.notionalMin))) return [];
  const value = decimalText(price.times(size));
  return sizeMisfit(`the order is worth ${value}; ${symbol} takes ${own.notionalMin} or more`);
}

function ofStep(field: string, input: JsonRecord, step: Decimal): readonly Misfit[] {
  const value = numberIn(input, field);
  if (value === undefined || value.mod(step).eq(zero)) return [];
  const message = `${field} ${decimalText(value)} is not a multiple of ${decimalText(step)}, the step of ${nameIn(input)}`;
  const helper = field === 'size' ? 'lot' : 'tick';
  return [{ field, message, hint: `use floorTo or ceilTo; ladder takes it as ${helper}` }];
}

function ofMode(
  input: JsonRecord,
  { positionMode }: Terms,
  waiting: { has(field: string): boolean },
): readonly Misfit[] {
  const isSaid = 'tradeSide' in input || waiting.has('tradeSide');
  const isHedge = positionMode === 'hedge_mode';
  if (isSaid === isHedge) return [];
  return [
    {
      field: 'tradeSide',
      message: isHedge
        ? 'tradeSide is missing: the account is in hedge mode'
        : 'tradeSide must be omitted: the account is in one-way mode',
      hint: isHedge
        ? 'add tradeSide: open or close under with'
        : 'reduceOnly: YES is what closes a position in one-way mode',
      isOfAccount: true,
    },
  ];
}

function stepOf(scale: number, step: number): Decimal {
  const digits = String(step).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return decimal(scale === 0 ? digits : `${whole}.${digits.slice(-scale)}`);
}

function nameIn({ symbol }: JsonRecord): string {
  return typeof symbol === 'string' ? symbol : '';
}
