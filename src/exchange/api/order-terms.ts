/** The terms of an order, from the known fields of a write and the declaration of its operation. */
import type { Conditions, KeyedWrite } from './keyed-write.ts';
import { orderCategories, type OrderCategory, type TickerCategory } from './vocabulary.ts';

/** An order as a write asks for it, as far as known. */
export interface OrderTerms {
  /** The product line as written; it may be one that the operation does not have. */
  readonly line?: string;
  /** The tickers that value the order. */
  readonly market?: TickerCategory;
  readonly symbol?: string;
  readonly side?: string;
  readonly size?: string;
  /** The limit; absent for an order without one, also if a price is given. */
  readonly price?: string;
  readonly isLimit: boolean;
  /** Whether the order only closes or reduces a position. */
  readonly isClosing: boolean;
  /** Whether the order may execute on either side of the book. */
  readonly isOnEitherSide: boolean;
  /** Whether `size` is an amount of the quote coin. */
  readonly isInQuoteCoin: boolean;
  readonly mayRest: boolean;
}

/** The terms of an order. They are built field by field, because a plan and its limits read them several times. */
export function termsOf(keyed: KeyedWrite, input: Readonly<Record<string, unknown>>): OrderTerms {
  const { fields, markets } = keyed;
  const known = lineOf(keyed, input);
  const market = known && markets[known];
  const line = typeof fields.line === 'string' ? textOf(input[fields.line]) : fields.line.always;
  const symbol = textOf(input[fields.symbol]);
  const side = textOf(input[fields.side]);
  const size = textOf(input[fields.size]);
  const isLimit = input[fields.type] === 'limit';
  const price = isLimit ? textOf(input[fields.price]) : undefined;
  const terms: { -readonly [K in keyof OrderTerms]: OrderTerms[K] } = {
    isLimit,
    isClosing: meets(keyed.closes, input),
    isOnEitherSide: meets(keyed.namesPosition, input),
    isInQuoteCoin: meets(keyed.inQuoteCoin, input),
    mayRest: !keyed.neverRests.some(({ when }) => meets(when, input)),
  };
  if (line !== undefined) terms.line = line;
  if (market !== undefined) terms.market = market;
  if (symbol !== undefined) terms.symbol = symbol;
  if (side !== undefined) terms.side = side;
  if (size !== undefined) terms.size = size;
  if (price !== undefined) terms.price = price;
  return terms;
}

/** The product line of an order, if it is known and the operation has it. */
export function lineOf(
  { fields, markets }: KeyedWrite,
  input: Readonly<Record<string, unknown>>,
): OrderCategory | undefined {
  const value = typeof fields.line === 'string' ? input[fields.line] : fields.line.always;
  return orderCategories.find((line) => line === value && markets[line] !== undefined);
}

/** Whether the known fields of a write meet one of the conditions. */
export function meets(
  conditions: Conditions | undefined,
  input: Readonly<Record<string, unknown>>,
): boolean {
  return (conditions ?? []).some((condition) => {
    for (const field in condition) {
      if (condition[field]?.some((value) => value === input[field]) === false) return false;
    }
    return true;
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
