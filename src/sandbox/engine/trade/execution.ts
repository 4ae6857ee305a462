/** An execution of the public market, as the parts of the engine hand it on. */
import type { Filled } from '../book/match.ts';
import type { Order } from '../model/order.ts';

/** An execution of the public market. */
export type Fill = Filled<Order>;
