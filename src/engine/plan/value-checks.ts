/** The limits that need market data: the value of an order, and its distance from the market. */
import { decimal, decimalText, wholeDecimal, zero, type Decimal } from '../../base/decimal.ts';
import type { Address } from '../journal/entry.ts';
import {
  largestOf,
  orderOf,
  type Checking,
  type GuardedWrite,
  type LimitCheck,
} from './limit-check.ts';
import { distanceOf, isCapped, isQuotedInDollars, notionalOf, numberFrom } from './measure.ts';

/** Limits the total value of all orders. */
export function maxNotional(limit: string, checking: Checking): LimitCheck {
  let sum = zero;
  const counted = new Map<Address, Decimal>();
  const unvalued = new Set<Address>();
  const forget = (address: Address): void => {
    sum = sum.minus(counted.get(address) ?? zero);
    counted.delete(address);
    unvalued.delete(address);
  };
  return {
    limit,
    used: () => decimalText(sum),
    // An unknown value among earlier writes makes the total unknown, too.
    needsMarket: (write) =>
      isUncapped(write) || (orderOf(write) !== undefined && unvalued.size > 0),
    forget,
    count: (write) => {
      if (orderOf(write) === undefined) return;
      forget(write.address);
      const worth = leastWorth(write) ?? zero;
      counted.set(write.address, worth);
      sum = sum.plus(worth);
      if (!isValued(write)) unvalued.add(write.address);
    },
    breaks: withWorth(checking, ({ address }, worth) => {
      const other = checking.isPlan ? undefined : [...unvalued].find((one) => one !== address);
      if (other !== undefined) {
        return `${address}: the total value of the orders is unknown, because the value of ${other} is unknown`;
      }
      const all = sum.minus(counted.get(address) ?? zero).plus(worth);
      if (!all.gt(decimal(limit))) return undefined;
      return `${address}: all orders together are worth ${decimalText(all)} USD; ${limit} is allowed`;
    }),
  };
}

/** Limits the value of a single order. */
export function maxOrderNotional(limit: string, checking: Checking): LimitCheck {
  const largest = largestOf<Decimal>(zero, (a, b) => a.gt(b));
  return {
    limit,
    used: () => decimalText(largest.value()),
    needsMarket: isUncapped,
    forget: largest.forget,
    count: (write) => largest.set(write.address, leastWorth(write)),
    breaks: withWorth(checking, ({ address }, worth) =>
      worth.gt(decimal(limit))
        ? `${address}: the order is worth ${decimalText(worth)} USD; ${limit} is allowed`
        : undefined,
    ),
  };
}

/** The maximum distance of an order's price from the mark price. */
export function maxDistance(limit: string, checking: Checking): LimitCheck {
  const largest = largestOf<Decimal>(zero, (a, b) => a.gt(b));
  return {
    limit,
    used: () => decimalText(largest.value()),
    needsMarket: isLimitOrder,
    forget: largest.forget,
    count: (write) => largest.set(write.address, away(write)?.abs()),
    breaks: (write) => {
      const order = orderOf(write);
      if (order?.isLimit !== true) return undefined;
      const { address, market } = write;
      const [price, ratio] = [numberFrom(order.price), away(write)];
      if (price === undefined || ratio === undefined || market === undefined) {
        return isToldLater(write, checking) ? undefined : untold(write, 'distance');
      }
      const mark = decimal(market.mark);
      if (!price.minus(mark).abs().gt(decimal(limit).times(mark))) return undefined;
      return `${address}: its price is ${percent(ratio)} away from the mark price; ${percent(decimal(limit))} is allowed`;
    },
  };
}

/** Whether the value of a write is final: no market data could raise it. */
export function isValued(write: GuardedWrite): boolean {
  const order = orderOf(write);
  return (
    order === undefined ||
    write.worth !== undefined ||
    (leastWorth(write) !== undefined && (write.market !== undefined || isCapped(order)))
  );
}

/** The dollar value of an order, as far as known; undefined for another write. */
export function leastWorth(write: GuardedWrite): Decimal | undefined {
  const order = orderOf(write);
  if (order === undefined) return undefined;
  return write.worth === undefined ? notionalOf(order, write.market) : decimal(write.worth);
}

/** A limit on the value of orders: an unknown value is blocked. */
export function withWorth(
  checking: Checking,
  checkLimit: (write: GuardedWrite, worth: Decimal) => string | undefined,
): LimitCheck['breaks'] {
  return (write) => {
    const order = orderOf(write);
    if (order === undefined) return undefined;
    const { address, market } = write;
    const isLater = isToldLater(write, checking);
    if (!isQuotedInDollars(order)) {
      const { symbol, line } = order;
      if (symbol === undefined || line === undefined) {
        return isLater ? undefined : untold(write, 'value');
      }
      return `${address}: its value is unknown, because ${symbol} of ${line} is not quoted in dollars`;
    }
    const worth = leastWorth(write);
    const isKnown = worth !== undefined && (market !== undefined || isCapped(order) || isLater);
    if (isKnown) return checkLimit(write, worth);
    return isLater ? undefined : untold(write, 'value');
  };
}

/** Distance from the mark price as a ratio, rounded for messages, not for decisions. */
function away(write: GuardedWrite): Decimal | undefined {
  const order = orderOf(write);
  return order && distanceOf(order, write.market?.mark);
}

function isToldLater({ isPartial }: GuardedWrite, { isOffline }: Checking): boolean {
  return isOffline === true || isPartial === true;
}

/** Whether the market affects the value of an order. */
function isUncapped(write: GuardedWrite): boolean {
  const order = orderOf(write);
  return order !== undefined && !isCapped(order);
}

function isLimitOrder(write: GuardedWrite): boolean {
  return orderOf(write)?.isLimit === true;
}

function untold({ address, unpriced }: GuardedWrite, what: string): string {
  return `${address}: its ${what} is unknown, because ${unpriced ?? 'the mark price is unknown'}`;
}

function percent(ratio: Decimal): string {
  return `${ratio.times(wholeDecimal(100)).toFixed(2)} %`;
}
