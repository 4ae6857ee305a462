/** What one limit is asked: what a write would break next to every write that is counted. */
import type { Millis } from '../base/clock.ts';
import type { Json } from '../base/json.ts';
import type { OperationName } from '../api/operations/index.ts';
import type { Address, Destination } from '../journal/entry.ts';
import type { OutboundUse } from './outbound.ts';
import type { MarketPrices } from './measure.ts';

/** A write as the limits see it. */
export interface GuardedWrite {
  readonly address: Address;
  readonly operation: OperationName | OutboundUse;
  readonly input: { readonly [field: string]: Json };
  /** Absent where the record does not say: it counts for every account then. */
  readonly account?: Destination;
  /** What its symbol trades at, where that is known. */
  readonly market?: MarketPrices;
  /** Why the market is not known. */
  readonly unpriced?: string;
  /** What it was counted as when it was sent, in dollars. */
  readonly worth?: string;
  /** Some of its values are known only after a step: what is unknown yet is checked then. */
  readonly isPartial?: boolean;
}

/** With what knowledge writes are checked. */
export interface Checking {
  /** The exchange's clock until a write is checked at another time. */
  readonly at: Millis;
  /** A plan may be made outside the hours it is run in. */
  readonly isPlan?: boolean;
  /** Nothing was read: what depends on a price is unknown. */
  readonly isOffline?: boolean;
}

/** Each write is counted once, by its address; counted again it takes its own place. */
export interface LimitCheck {
  readonly limit: string;
  /** What the write would break next to the others that are counted, in words. */
  breaks(write: GuardedWrite, at: Millis): string | undefined;
  count(write: GuardedWrite): void;
  forget(address: Address): void;
  used(at: Millis): string;
  /** Whether the check needs the market of an order. */
  readonly needsMarket?: (write: GuardedWrite) => boolean;
}

export function isOrder({ operation }: GuardedWrite): boolean {
  return operation === 'futures/place-order';
}

/** The largest of some values, each of an address. */
export function largestOf<T>(
  least: T,
  isMore: (a: T, b: T) => boolean,
): {
  readonly set: (address: Address, value: T | undefined) => void;
  readonly forget: (address: Address) => void;
  readonly value: () => T;
} {
  const counted = new Map<Address, T>();
  return {
    set: (address, value) => {
      if (value === undefined) counted.delete(address);
      else counted.set(address, value);
    },
    forget: (address) => counted.delete(address),
    value: () => [...counted.values()].reduce((top, one) => (isMore(one, top) ? one : top), least),
  };
}
