/** The JSON of `orders`. */
import { list, optional, record, text, type Infer } from '../../exchange/api/schema.ts';
import { count, millis } from '../../engine/journal/shared-schema.ts';
import { one } from './common.ts';

export const runOrderFields = {
  sentAt: millis('When it was signed, by the clock of the exchange'),
  run: text(),
  playbook: text(),
  address: text({ description: 'The step, or the item of a step, that placed it' }),
  account: text({ description: 'The profile' }),
  target: text({ description: 'sandbox, demo or live' }),
  symbol: text(),
  side: text({ description: 'The direction: open long in hedge mode, buy in one-way mode' }),
  size: text(),
  price: text({ description: 'Empty at market' }),
  notional: optional(text({ description: 'Size times price; absent at market' })),
  coin: text({ description: 'The currency of the notional' }),
  clientOid: text(),
  orderId: text(),
  state: text({ description: 'As the run recorded it; doubt if nobody knows' }),
  now: optional(text({ description: 'With --now: as the lists of the exchange show it' })),
  plan: optional(text({ description: 'The plan that was run' })),
  approvedBy: optional(list(text(), { description: 'Who approved the plan' })),
};
const runOrder = record(runOrderFields);
export type RunOrder = Infer<typeof runOrder>;

export const orderSum = record({
  day: text({ description: 'In UTC, unless another zone is asked for' }),
  symbol: text(),
  coin: text(),
  orders: count,
  notional: text({ description: 'Of the orders with a price' }),
  atMarket: count,
});
export type OrderSum = Infer<typeof orderSum>;

export const ordersOutput = record({
  version: one,
  orders: list(runOrder, { description: 'Newest first' }),
  sums: list(orderSum, { description: 'Of the orders that exist, by day and symbol' }),
  damages: list(text(), { description: 'Runs whose record could not be read completely' }),
});
export type OrdersOutput = Infer<typeof ordersOutput>;
