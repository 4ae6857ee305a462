/** Trading rules that orders are checked against. No operation returns those of symbols: a sandbox does, a live exchange does not. */
import { isDecimalText } from '../../base/decimal.ts';
import { isRecord } from '../../base/json.ts';
import { futuresProductTypes, type ProductType } from './vocabulary.ts';

/** The trading rules of a symbol; sizes and amounts are decimals in plain notation. */
export interface SymbolTerms {
  readonly marginCoin: string;
  /** The decimal places of a price. `priceStep` is the smallest change in units of the last place. */
  readonly priceScale: number;
  readonly priceStep: number;
  readonly sizeScale: number;
  readonly sizeStep: number;
  readonly sizeMin: string;
  readonly sizeMax: string;
  /** Least price × size, in the quote coin. */
  readonly notionalMin: string;
}

export type PositionMode = 'one_way_mode' | 'hedge_mode';

/** A product type as an account trades it. */
export interface Terms {
  readonly positionMode: PositionMode;
  /** Every symbol of the product type, by its name in upper case; absent if the exchange does not report them. */
  readonly symbols?: ReadonlyMap<string, SymbolTerms>;
}

/** The futures line among product lines: only these have rules that a sandbox reports. */
export function futuresLine(line: string | undefined): ProductType | undefined {
  return futuresProductTypes.find((productType) => productType === line);
}

/** Requests the rules of a product type once; undefined if the exchange does not report them. */
export type TermsOf = (productType: ProductType) => Promise<Terms | undefined>;

/**
 * Requests the rules of a product type for the account of a key: `GET terms` of the sandbox's
 * control interface.
 */
export type AskTerms = (fields: {
  readonly category: ProductType;
  readonly apiKey: string;
}) => unknown;

/** Requests the terms of each product type once. A missing or invalid response means no rules. */
export function termsFrom(ask: AskTerms, apiKey: string): TermsOf {
  const asked = new Map<ProductType, Promise<Terms | undefined>>();
  return (category) => {
    const known = asked.get(category) ?? termsOrNone(ask, { category, apiKey });
    asked.set(category, known);
    return known;
  };
}

async function termsOrNone(
  ask: AskTerms,
  fields: Parameters<AskTerms>[0],
): Promise<Terms | undefined> {
  let answer: unknown;
  try {
    answer = await ask(fields);
  } catch {
    return undefined; // only an earlier error message depends on it
  }
  if (!isRecord(answer) || !isRecord(answer['symbols'])) return undefined;
  const { positionMode } = answer;
  if (positionMode !== 'one_way_mode' && positionMode !== 'hedge_mode') return undefined;
  const symbols = new Map<string, SymbolTerms>();
  for (const [symbol, terms] of Object.entries(answer['symbols'])) {
    if (!isSymbolTerms(terms)) return undefined;
    symbols.set(symbol.toUpperCase(), terms);
  }
  return { positionMode, symbols };
}

const scaleMax = 30; // no symbol has more decimal places

function isSymbolTerms(value: unknown): value is SymbolTerms {
  if (!isRecord(value) || typeof value['marginCoin'] !== 'string') return false;
  const isText = (name: string): boolean => {
    const text = value[name];
    return typeof text === 'string' && isDecimalText(text);
  };
  const isWhole = (name: string, from: number, to: number): boolean => {
    const number = value[name];
    return Number.isSafeInteger(number) && Number(number) >= from && Number(number) <= to;
  };
  return (
    ['sizeMin', 'sizeMax', 'notionalMin'].every(isText) &&
    ['priceScale', 'sizeScale'].every((name) => isWhole(name, 0, scaleMax)) &&
    ['priceStep', 'sizeStep'].every((name) => isWhole(name, 1, Number.MAX_SAFE_INTEGER))
  );
}
