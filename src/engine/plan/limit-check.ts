/** The interface of a limit: finds the violations that a write would add to the counted writes. */
import type { Millis } from '../../base/clock.ts';
import type { JsonRecord } from '../../base/json.ts';
import { orderTerms } from '../../exchange/api/meant-order.ts';
import type { OrderTerms } from '../../exchange/api/order-terms.ts';
import type { HeldSizes } from '../../exchange/api/position-lists.ts';
import type { OperationName } from '../../exchange/api/operations/index.ts';
import type { Address, Destination } from '../journal/entry.ts';
import type { OutboundUse } from './outbound.ts';
import type { MarketPrices } from './measure.ts';

/** The properties of a write that limits use. */
export interface GuardedWrite {
  readonly address: Address;
  readonly operation: OperationName | OutboundUse;
  readonly input: JsonRecord;
  /** The account of the write; absent if unknown: the write then counts for every account. */
  readonly account?: Destination;
  /** The market price of the write's symbol, if known. */
  readonly market?: MarketPrices;
  /** Why the market price is unknown. */
  readonly unpriced?: string;
  /** The positions of the write's symbol, if a limit needs them. */
  readonly position?: PositionFacts;
  /** The exchange's time when the write was sent. */
  readonly sentAt?: Millis;
  /** The counted value of the write when it was sent, in dollars. */
  readonly worth?: string;
  /** Whether some values of the write are known only after a step: they are checked then. */
  readonly isPartial?: boolean;
}

/** The positions of a symbol as they were read. */
export interface PositionFacts extends HeldSizes {
  /** The reason why the positions could not be read. */
  readonly unread?: string;
  /** The clientOids of the account's open orders; absent if they were not read. */
  readonly open?: ReadonlySet<string>;
}

/** The context in which writes are checked. */
export interface Checking {
  /** The exchange's time of the check. */
  readonly at: Millis;
  /** Whether a plan is checked, which may be made outside the allowed hours. */
  readonly isPlan?: boolean;
  /** Whether nothing was read: then all facts that need a price are unknown. */
  readonly isOffline?: boolean;
}

/** Each write is counted once, by address; counting it again replaces it. */
export interface LimitCheck {
  readonly limit: string;
  /** The violation that the write would add to the counted ones, as text. */
  breaks(write: GuardedWrite, at: Millis): string | undefined;
  count(write: GuardedWrite): void;
  forget(address: Address): void;
  used(at: Millis): string;
  /** Whether the check needs the positions of an order's symbol. */
  readonly needsPosition?: (write: GuardedWrite) => boolean;
  /** Whether the check needs the market price of an order. */
  readonly needsMarket?: (write: GuardedWrite) => boolean;
}

/** The terms of the order that a write places; undefined for another write. */
export function orderOf({ operation, input }: GuardedWrite): OrderTerms | undefined {
  return orderTerms(operation, input);
}

/** Tracks the maximum of values, by address. */
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
