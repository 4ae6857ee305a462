/** Limits nobody may pass by mistake: kept while planning, and once more before each send. */
import { decimal, decimalText, divide, wholeDecimal, zero, type Decimal } from '../base/decimal.ts';
import type { Json } from '../base/json.ts';
import type { OperationName } from '../contract/operations/index.ts';
import type { GuardResult } from './plan.ts';

/** The limits in force; decimals as texts, distance as a ratio. */
export interface GuardRules {
  readonly maxWrites?: number;
  readonly maxNotional?: string;
  readonly maxOrderNotional?: string;
  readonly maxDistance?: string;
  readonly maxLeverage?: number;
  readonly symbols?: readonly string[];
}

/** A write as the guards see it. */
export interface GuardedWrite {
  readonly address: string;
  readonly operation: OperationName;
  readonly input: { readonly [field: string]: Json };
  /** The symbol's mark price, where it is known. */
  readonly mark?: string;
}

/** The tighter of each pair: an author's guards can never loosen the profile's. */
export function tightest(a: GuardRules, b: GuardRules): GuardRules {
  const symbols =
    a.symbols && b.symbols
      ? a.symbols.filter((symbol) => b.symbols?.includes(symbol))
      : (a.symbols ?? b.symbols);
  return {
    ...smaller('maxWrites', a, b),
    ...smaller('maxLeverage', a, b),
    ...lower('maxNotional', a, b),
    ...lower('maxOrderNotional', a, b),
    ...lower('maxDistance', a, b),
    ...(symbols && { symbols }),
  };
}

/** Counts writes against the rules. */
export interface GuardBook {
  /** Counts a write in and returns what it breaks, in words; nothing when it may go. */
  add(write: GuardedWrite): readonly string[];
  /** How much of every limit is used. */
  results(): readonly GuardResult[];
}

/** Counts in both: a playbook within another has limits of its own beside those around it. */
export function bothBooks(outer: GuardBook, inner: GuardBook): GuardBook {
  return {
    add: (write) => [...outer.add(write), ...inner.add(write)],
    results: () => [...outer.results(), ...inner.results()],
  };
}

/** @param place where the limits stand, when that is not the whole run */
export function guardBook(rules: GuardRules, place?: string): GuardBook {
  let writes = 0;
  let notional = zero;
  const broken = new Map<keyof GuardRules, string>();
  const largest = { order: zero, distance: zero, leverage: 0 };
  const symbols = new Set<string>();

  const breaks = (guard: keyof GuardRules, isBroken: boolean, message: string): string[] => {
    if (!isBroken) return [];
    if (!broken.has(guard)) broken.set(guard, message);
    return [message];
  };

  const addOrder = ({ address, input, mark }: GuardedWrite): string[] => {
    const symbol = textIn(input, 'symbol').toUpperCase();
    const size = notionalOf(input, mark);
    const distance = distanceOf(input, mark);
    symbols.add(symbol);
    const isMeasured = rules.maxNotional !== undefined || rules.maxOrderNotional !== undefined;
    notional = notional.plus(size ?? zero);
    if (size?.gt(largest.order)) largest.order = size;
    if (distance?.abs().gt(largest.distance)) largest.distance = distance.abs();
    return [
      ...breaks(
        'symbols',
        rules.symbols?.includes(symbol) === false,
        `${address}: ${symbol} is not an allowed symbol`,
      ),
      ...breaks(
        'maxNotional',
        isMeasured && size === undefined,
        `${address}: its value cannot be told, for the mark price is unknown`,
      ),
      ...breaks(
        'maxNotional',
        isOver(notional, rules.maxNotional),
        `${address}: all orders together are worth ${decimalText(notional)}; ${rules.maxNotional} is allowed`,
      ),
      ...breaks(
        'maxOrderNotional',
        isOver(size, rules.maxOrderNotional),
        `${address}: the order is worth ${size && decimalText(size)}; ${rules.maxOrderNotional} is allowed`,
      ),
      ...breaks(
        'maxDistance',
        isOver(distance?.abs(), rules.maxDistance),
        `${address}: its price is ${percent(distance)} away from the mark price; ${percent(rules.maxDistance && decimal(rules.maxDistance))} is allowed`,
      ),
    ];
  };

  return {
    add: (write) => {
      writes += 1;
      const found = breaks(
        'maxWrites',
        writes > (rules.maxWrites ?? Infinity),
        `${write.address} is write ${writes}; ${rules.maxWrites} are allowed`,
      );
      if (write.operation === 'futures/place-order') return [...found, ...addOrder(write)];
      if (write.operation !== 'futures/set-all-leverage') return found;
      const leverage = Number(write.input['leverage']);
      largest.leverage = Math.max(largest.leverage, leverage);
      return [
        ...found,
        ...breaks(
          'maxLeverage',
          leverage > (rules.maxLeverage ?? Infinity),
          `${write.address}: leverage ${leverage} is above ${rules.maxLeverage}`,
        ),
      ];
    },
    results: () => {
      const used: Readonly<Record<keyof GuardRules, string>> = {
        maxWrites: String(writes),
        maxNotional: decimalText(notional),
        maxOrderNotional: decimalText(largest.order),
        maxDistance: decimalText(largest.distance),
        maxLeverage: String(largest.leverage),
        symbols: [...symbols].join(' '),
      };
      return guardNames
        .filter((name) => rules[name] !== undefined)
        .map((name) => ({
          guard: place === undefined ? kebab(name) : `${kebab(name)} of ${place}`,
          limit: Array.isArray(rules[name]) ? rules[name].join(' ') : String(rules[name]),
          used: used[name],
          isKept: !broken.has(name),
          message: broken.get(name) ?? '',
        }));
    },
  };
}

const guardNames = [
  'maxWrites',
  'maxNotional',
  'maxOrderNotional',
  'maxDistance',
  'maxLeverage',
  'symbols',
] as const;

/** Size times price; a market order is valued at the mark price. */
export function notionalOf(
  input: { readonly [field: string]: Json },
  mark: string | undefined,
): Decimal | undefined {
  const price = input['orderType'] === 'limit' ? input['price'] : mark;
  const size = input['size'];
  return typeof price === 'string' && typeof size === 'string'
    ? decimal(price).times(decimal(size))
    : undefined;
}

/** Price over mark minus one, to four places; undefined without a price or a mark. */
export function distanceOf(
  input: { readonly [field: string]: Json },
  mark: string | undefined,
): Decimal | undefined {
  const price = input['price'];
  if (input['orderType'] !== 'limit' || typeof price !== 'string' || mark === undefined)
    return undefined;
  const base = decimal(mark);
  if (base.eq(zero)) return undefined;
  return divide(decimal(price).minus(base), base, { scale: 4, rounding: 'half-up' });
}

function textIn(input: { readonly [field: string]: Json }, field: string): string {
  const value = input[field];
  return typeof value === 'string' ? value : '';
}

function isOver(value: Decimal | undefined, limit: string | undefined): boolean {
  return value !== undefined && limit !== undefined && value.gt(decimal(limit));
}

function percent(ratio: Decimal | '' | undefined): string {
  return ratio ? `${ratio.times(wholeDecimal(100)).toFixed(2)} %` : '';
}

function smaller(name: 'maxWrites' | 'maxLeverage', a: GuardRules, b: GuardRules): GuardRules {
  const both = [a[name], b[name]].filter((value) => value !== undefined);
  return both.length === 0 ? {} : { [name]: Math.min(...both) };
}

function lower(
  name: 'maxNotional' | 'maxOrderNotional' | 'maxDistance',
  a: GuardRules,
  b: GuardRules,
): GuardRules {
  const [first, second] = [a[name], b[name]];
  if (first === undefined || second === undefined) {
    const only = first ?? second;
    return only === undefined ? {} : { [name]: only };
  }
  return { [name]: decimal(first).lt(decimal(second)) ? first : second };
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
