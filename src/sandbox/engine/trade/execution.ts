/** An execution of the public market, as passed between parts of the engine. */
import type { Filled } from '../book/match.ts';
import type { Order } from '../model/order.ts';

/** A trade on the public market. */
export type Fill = Filled<Order>;
