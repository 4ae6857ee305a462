/** A matcher no one can get wrong: one array, sorted again for every order. The oracle of the book. */
import type { SelfTradeMode, TimeInForce } from '../../../src/sandbox/engine/instrument.ts';

export interface NaiveOrder {
  readonly id: number;
  readonly owner: string;
  readonly isBuy: boolean;
  readonly limit: number;
  readonly force: TimeInForce;
  readonly stpMode: SelfTradeMode;
  left: number;
}

export class NaiveBook {
  resting: NaiveOrder[] = [];
  /** What happened, as lines of text. */
  readonly log: string[] = [];

  place(order: NaiveOrder): void {
    const others = this.facing(order);
    if (order.force === 'post_only' && others.length > 0)
      return void this.log.push(`${order.id} ends`);
    if (order.force === 'fok' && this.reachable(order, others) < order.left) {
      return void this.log.push(`${order.id} ends`);
    }
    for (const maker of others) {
      if (order.left === 0) break;
      if (order.stpMode !== 'none' && maker.owner === order.owner) {
        if (order.stpMode !== 'cancel_taker') this.cancel(maker.id);
        if (order.stpMode === 'cancel_maker') continue;
        return void this.log.push(`${order.id} ends`);
      }
      const lots = Math.min(order.left, maker.left);
      order.left -= lots;
      maker.left -= lots;
      this.log.push(`${order.id} takes ${lots} of ${maker.id} at ${maker.limit}`);
      if (maker.left === 0) this.resting = this.resting.filter((other) => other !== maker);
    }
    if (order.left === 0) return;
    if (order.force === 'ioc' || order.force === 'fok') this.log.push(`${order.id} ends`);
    else this.resting.push(order);
  }

  cancel(id: number): void {
    if (!this.resting.some((order) => order.id === id)) return;
    this.resting = this.resting.filter((order) => order.id !== id);
    this.log.push(`${id} ends`);
  }

  /** Price and size of every order, bids from the best, then asks from the best. */
  orders(): string[] {
    const bids = this.resting
      .filter(({ isBuy }) => isBuy)
      .sort((a, b) => b.limit - a.limit || a.id - b.id);
    const asks = this.resting
      .filter(({ isBuy }) => !isBuy)
      .sort((a, b) => a.limit - b.limit || a.id - b.id);
    return [...bids, ...asks].map(({ id, limit, left }) => `${id}: ${left} at ${limit}`);
  }

  /** Resting orders this one could trade with, in the order of their turns. */
  private facing({ isBuy, limit }: NaiveOrder): NaiveOrder[] {
    return this.resting
      .filter((other) => other.isBuy !== isBuy)
      .filter((other) => (isBuy ? other.limit <= limit : other.limit >= limit))
      .sort((a, b) => (isBuy ? a.limit - b.limit : b.limit - a.limit) || a.id - b.id);
  }

  private reachable(order: NaiveOrder, others: readonly NaiveOrder[]): number {
    let lots = 0;
    for (const { owner, left } of others) {
      const isOwn = order.stpMode !== 'none' && owner === order.owner;
      if (isOwn && order.stpMode !== 'cancel_maker') return lots;
      if (!isOwn) lots += left;
    }
    return lots;
  }
}
