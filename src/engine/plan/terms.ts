/** Checks orders against the rules of their symbol, and the position mode of their account. */
import { decimal, decimalText, zero, type Decimal } from '../../base/decimal.ts';
import type { JsonRecord } from '../../base/json.ts';
import { nearWord } from '../../base/text.ts';
import type { KeyedWrite } from '../../exchange/api/keyed-write.ts';
import { orderTerms } from '../../exchange/api/meant-order.ts';
import type { OperationName } from '../../exchange/api/operations/index.ts';
import type { SymbolTerms, Terms } from '../../exchange/api/terms.ts';
import { numberFrom, numberIn } from './measure.ts';

/** One field of an order that would be refused; `field` is missing if it is required. */
export interface Misfit {
  readonly field: string;
  readonly message: string;
  readonly hint?: string;
  /** Whether the field violates a rule of the account, not of the symbol. */
  readonly isOfAccount?: true;
}

/** An order with its known fields. */
interface Checked {
  readonly operation: OperationName;
  readonly keyed: KeyedWrite;
  readonly input: JsonRecord;
}

/**
 * All violations by an order's known fields.
 * @param waiting fields whose value is known only later
 */
export function misfitsOf(
  order: Checked,
  terms: Terms,
  waiting: { has(field: string): boolean } = new Set(),
): readonly Misfit[] {
  return [...ofSymbol(order, terms.symbols), ...ofMode(order, terms, waiting)];
}

function ofSymbol(order: Checked, symbols: Terms['symbols']): readonly Misfit[] {
  const symbol = symbolOf(order);
  if (symbol === undefined || symbols === undefined) return [];
  const own = symbols.get(symbol.toUpperCase());
  if (own === undefined) return [unlisted(order.keyed.fields.symbol, symbol, symbols)];
  return [...ofCoin(order, own), ...ofPrices(order, own), ...ofSize(order, own)];
}

function symbolOf({ keyed, input }: Checked): string | undefined {
  const symbol = input[keyed.fields.symbol];
  return typeof symbol === 'string' ? symbol : undefined;
}

function unlisted(
  field: string,
  symbol: string,
  symbols: ReadonlyMap<string, SymbolTerms>,
): Misfit {
  const near = nearWord(symbol, symbols.keys());
  return {
    field,
    message: `${JSON.stringify(symbol)} is not traded on this line`,
    ...(near !== undefined && { hint: `did you mean ${JSON.stringify(near)}?` }),
  };
}

function ofCoin(order: Checked, own: SymbolTerms): readonly Misfit[] {
  const field = order.keyed.fields.coin;
  const coin = field === undefined ? undefined : order.input[field];
  if (field === undefined || typeof coin !== 'string' || coin === own.marginCoin) return [];
  const message = `the margin coin of ${nameIn(order)} is ${own.marginCoin}`;
  return [{ field, message, hint: `set ${field}: ${own.marginCoin}` }];
}

function ofPrices(order: Checked, { priceScale, priceStep }: SymbolTerms): readonly Misfit[] {
  const step = stepOf(priceScale, priceStep);
  const { fields, checked } = order.keyed;
  const isLimit = order.input[fields.type] === 'limit';
  return checked.prices.flatMap((field) => {
    // A market order has no price, even if one is given.
    if (field === fields.price && !isLimit) return [];
    return ofStep(field, order, step);
  });
}

function ofSize(order: Checked, own: SymbolTerms): readonly Misfit[] {
  const { size: field } = order.keyed.fields;
  const size = numberIn(order.input, field);
  const terms = orderTerms(order.operation, order.input);
  if (size === undefined || terms?.isInQuoteCoin === true) return [];
  const uneven = ofStep(field, order, stepOf(own.sizeScale, own.sizeStep));
  if (uneven.length > 0) return uneven;
  const symbol = nameIn(order);
  const sizeMisfit = (message: string): readonly Misfit[] => [{ field, message }];
  if (size.gt(decimal(own.sizeMax))) {
    return sizeMisfit(
      `${field} ${decimalText(size)} is above ${own.sizeMax}, the largest of ${symbol}`,
    );
  }
  // The remainder of a position may be closed, however small it is.
  if (terms?.isClosing === true) return [];
  if (size.lt(decimal(own.sizeMin))) {
    return sizeMisfit(
      `${field} ${decimalText(size)} is below ${own.sizeMin}, the smallest of ${symbol}`,
    );
  }
  const price = numberFrom(terms?.price);
  if (price === undefined || price.times(size).gte(decimal(own.notionalMin))) return [];
  const value = decimalText(price.times(size));
  return sizeMisfit(`the order is worth ${value}; ${symbol} takes ${own.notionalMin} or more`);
}

function ofStep(field: string, order: Checked, step: Decimal): readonly Misfit[] {
  const value = numberIn(order.input, field);
  if (value === undefined || value.mod(step).eq(zero)) return [];
  const message = `${field} ${decimalText(value)} is not a multiple of ${decimalText(step)}, the step of ${nameIn(order)}`;
  const helper = field === order.keyed.fields.size ? 'lot' : 'tick';
  return [{ field, message, hint: `use floorTo or ceilTo; ladder takes it as ${helper}` }];
}

function ofMode(
  { keyed, input }: Checked,
  { positionMode }: Terms,
  waiting: { has(field: string): boolean },
): readonly Misfit[] {
  const { mode } = keyed.checked;
  if (mode === undefined) return [];
  const { field } = mode;
  const isSaid = field in input || waiting.has(field);
  const isHedge = positionMode === 'hedge_mode';
  if (isSaid === isHedge) return [];
  return [
    {
      field,
      message: isHedge
        ? `${field} is missing: the account is in hedge mode`
        : `${field} must be omitted: the account is in one-way mode`,
      hint: isHedge ? mode.hedge.planned : mode.oneWay.planned,
      isOfAccount: true,
    },
  ];
}

function stepOf(scale: number, step: number): Decimal {
  const digits = String(step).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return decimal(scale === 0 ? digits : `${whole}.${digits.slice(-scale)}`);
}

function nameIn(order: Checked): string {
  return symbolOf(order) ?? '';
}
