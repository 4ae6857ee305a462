/** One price of a book: its resting orders, oldest first. */

/** The interface of an order for the book; its queue position is stored on it. */
export interface BookOrder<T> {
  readonly isBuy: boolean;
  /** The price limit, in ticks. */
  readonly ticks: number;
  /** Lots not yet executed. */
  remaining: number;
  level: Level<T> | undefined;
  ahead: T | undefined;
  behind: T | undefined;
}

export class Level<T> {
  readonly ticks: number;
  /** The sum of the remaining lots of the level's orders. */
  lots = 0;
  first: T | undefined = undefined;
  last: T | undefined = undefined;

  constructor(ticks: number) {
    this.ticks = ticks;
  }
}

export function joinQueue<T extends BookOrder<T>>(level: Level<T>, order: T): void {
  order.level = level;
  order.ahead = level.last;
  if (level.last === undefined) level.first = order;
  else level.last.behind = order;
  level.last = order;
  level.lots += order.remaining;
}

export function leaveQueue<T extends BookOrder<T>>(level: Level<T>, order: T): void {
  if (order.ahead === undefined) level.first = order.behind;
  else order.ahead.behind = order.behind;
  if (order.behind === undefined) level.last = order.ahead;
  else order.behind.ahead = order.ahead;
  order.level = undefined;
  order.ahead = undefined;
  order.behind = undefined;
  level.lots -= order.remaining;
}
