/** The limit on the value that a position of a symbol may have after an order. */
import { second, type Millis } from '../../base/clock.ts';
import { decimal, decimalText, zero, type Decimal } from '../../base/decimal.ts';
import { visibility } from '../../exchange/api/promises.ts';
import { keyIn } from '../../exchange/api/meant-order.ts';
import { isOperation } from '../../exchange/api/operations/index.ts';
import type { Address } from '../journal/entry.ts';
import {
  largestOf,
  orderOf,
  type Checking,
  type GuardedWrite,
  type LimitCheck,
} from './limit-check.ts';
import { leastWorth, withWorth } from './value-checks.ts';

/**
 * An order may execute in full, and so may every earlier one of the run that rests. An order that the list of open
 * orders does not show may not have reached that list or the position yet, for some seconds: until then the
 * position counts as at least that before it, with the order.
 */
export function maxPosition(limit: string, checking: Checking): LimitCheck {
  const counted = new Map<Address, GuardedWrite>();
  const largest = largestOf<Decimal>(zero, (a, b) => a.gt(b));
  const after = (write: GuardedWrite, at: Millis): Decimal => {
    const others = [...counted.values()].filter(
      (other) => other.address !== write.address && positionName(other) === positionName(write),
    );
    const phases = others.map((other) => ({ other, phase: phaseOf(other, write, at, checking) }));
    const [resting, recent] = (['rests', 'recent'] as const).map((phase) =>
      phases.filter((one) => one.phase === phase).map(({ other }) => other),
    );
    const before = (recent ?? []).map((other) => heldWorth(other, write));
    const base = before.reduce<Decimal | undefined>(
      (least, one) => (least === undefined || one.lt(least) ? one : least),
      undefined,
    );
    const held = heldWorth(write, write);
    const then = base === undefined ? zero : base.plus(worthOf(recent ?? []));
    return (then.gt(held) ? then : held).plus(worthOf([write, ...(resting ?? [])]));
  };
  return {
    limit,
    used: () => decimalText(largest.value()),
    needsMarket: isOpening,
    needsPosition: isOpening,
    forget: (address) => {
      counted.delete(address);
      largest.forget(address);
    },
    count: (write) => {
      if (!isOpening(write)) return;
      counted.set(write.address, write);
      largest.set(write.address, after(write, write.sentAt ?? checking.at));
    },
    breaks: (write, at) =>
      isOpening(write) ? withWorth(checking, (one) => broken(one, at))(write, at) : undefined,
  };

  function broken(write: GuardedWrite, at: Millis): string | undefined {
    const { address, position } = write;
    const { symbol = '', side } = orderOf(write) ?? {};
    const name = `the ${side === 'sell' ? 'short' : 'long'} position in ${symbol}`;
    if (position === undefined || position.unread !== undefined) {
      if (checking.isOffline === true || write.isPartial === true) return undefined;
      const why = position?.unread ?? 'the positions were not read';
      return `${address}: ${name} is unknown, because ${why}`;
    }
    const value = after(write, at);
    if (!value.gt(decimal(limit))) return undefined;
    return `${address}: ${name} may be worth ${decimalText(value)} USD after it; ${limit} is allowed`;
  }
}

/** Whether a write is a futures order that may open a position or add to one. */
function isOpening(write: GuardedWrite): boolean {
  const order = orderOf(write);
  return order?.line?.endsWith('-FUTURES') === true && !order.isClosing;
}

function positionName(write: GuardedWrite): string {
  const { symbol = '', side = '' } = orderOf(write) ?? {};
  return `${write.account?.profile} ${symbol.toUpperCase()} ${side}`;
}

/** Whether an earlier order may still add to the position that was read, and whether it is so recent that it is not known. */
function phaseOf(
  { operation, input, sentAt, position: before }: GuardedWrite,
  { position }: GuardedWrite,
  at: Millis,
  { isPlan }: Checking,
): 'rests' | 'recent' | 'ended' {
  if (isPlan === true || position?.open === undefined) return 'rests';
  const name = isOperation(operation) ? keyIn(operation, input) : undefined;
  if (name === undefined || sentAt === undefined || position.open.has(name)) return 'rests';
  if (at - sentAt > visibility + second) return 'ended';
  return before === undefined ? 'rests' : 'recent';
}

function worthOf(writes: readonly GuardedWrite[]): Decimal {
  return writes.reduce((sum, write) => sum.plus(leastWorth(write) ?? zero), zero);
}

/** The value of the position that was read for a write, at the mark price for another. */
function heldWorth(write: GuardedWrite, { market }: GuardedWrite): Decimal {
  const { position } = write;
  const held = orderOf(write)?.side === 'sell' ? position?.short : position?.long;
  if (held === undefined || market === undefined) return zero;
  return decimal(held).times(decimal(market.mark));
}
