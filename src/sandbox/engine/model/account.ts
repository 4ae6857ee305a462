/** An account: its wallets, its holdings, its orders in order of creation, its bills. */
import type { Millis } from '../../../base/clock.ts';
import type { ProductType } from '../../../exchange/api/vocabulary.ts';
import type { AccountKind, PositionMode, WalletType } from '../instrument.ts';
import type { Holding } from './holding.ts';
import type { Market } from './market.ts';
import type { Order } from './order.ts';
import { TradedValue } from './reporting.ts';
import type { Wallet } from './wallet.ts';

export type PositionModes = Record<ProductType, PositionMode>;

export class Account {
  readonly uid: string;
  readonly kind: AccountKind;
  readonly parent: string | undefined;
  readonly openedAt: Millis;
  readonly positionModes: PositionModes;
  /**
   * Whether the account quotes the market: its history is not kept, and it is never liquidated.
   */
  readonly isMaker: boolean;
  readonly wallets = new Map<string, Wallet>();
  readonly holdings = new Map<Market, Holding>();
  /** The holding of the symbol the account traded last, which is usually the next one, too. */
  latestHolding: Holding | undefined = undefined;
  /** Running numbers of all kept orders, oldest first; none for makers. */
  readonly orders: number[] = [];
  /** Orders by clientOid; the latest of those that share one. */
  readonly clientOids = new Map<string, Order>();
  /** Sequence numbers of the account's bills by wallet, oldest first. */
  readonly bills = new Map<WalletType, number[]>();
  readonly traded = new TradedValue();
  /** The longest time between creation and end of any of the account's orders. */
  longestLife: Millis = 0;
  newestOpen: Order | undefined = undefined;
  openFutures = 0;
  openSpot = 0;

  constructor(about: {
    readonly uid: string;
    readonly kind: AccountKind;
    readonly parent: string | undefined;
    readonly openedAt: Millis;
    readonly positionModes: PositionModes;
  }) {
    this.uid = about.uid;
    this.kind = about.kind;
    this.parent = about.parent;
    this.openedAt = about.openedAt;
    this.positionModes = about.positionModes;
    this.isMaker = about.kind === 'maker' || about.kind === 'house';
  }

  /** Open orders, newest first; the current one may be canceled during the iteration. */
  *openOrders(): Generator<Order, void, undefined> {
    let order = this.newestOpen;
    while (order !== undefined) {
      const next: Order | undefined = order.older;
      yield order;
      order = next;
    }
  }
}

/** Adds an order to the open ones of its account. */
export function joinOpen(order: Order): void {
  const { owner } = order;
  order.older = owner.newestOpen;
  if (owner.newestOpen !== undefined) owner.newestOpen.newer = order;
  owner.newestOpen = order;
  count(order, 1);
}

export function leaveOpen(order: Order): void {
  const { owner, older, newer } = order;
  if (newer === undefined) owner.newestOpen = older;
  else newer.older = older;
  if (older !== undefined) older.newer = newer;
  order.older = undefined;
  order.newer = undefined;
  count(order, -1);
}

function count({ owner, holding }: Order, change: 1 | -1): void {
  if (holding === undefined) owner.openSpot += change;
  else owner.openFutures += change;
}
