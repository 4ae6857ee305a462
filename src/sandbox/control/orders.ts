/** Control of orders: place and cancel for any account, list all of them. */
import { choice, optional, record, type Infer } from '../../exchange/api/schema.ts';
import { orderCategories, symbolName } from '../../exchange/api/vocabulary.ts';
import { Refusal } from '../refusal.ts';
import { order } from '../scenario/trading.ts';
import { closed, uid, word } from '../scenario/words.ts';
import type { Store } from '../persistence/world-store.ts';
import { asking, askingOne, type ControlTable } from './control-context.ts';

const cancelled = record(
  {
    uid: optional(uid),
    orderId: optional(word),
    category: optional(choice(orderCategories)),
    symbol: optional(symbolName),
  },
  closed,
);

export const orderControls: ControlTable = {
  orders: {
    GET: askingOne((name, { store }) => {
      const { engine } = store.world();
      return { open: [...engine.openOrders(name)], closed: [...engine.closedOrders(name)] };
    }),
    POST: asking(order, (fields, { store }) =>
      store.commit({ kind: 'command', command: { kind: 'place', ...fields } }),
    ),
  },
  'orders/cancel': {
    POST: asking(cancelled, (fields, { store }) => ({ cancelled: cancel(fields, store) })),
  },
};

/** Cancels one order, or all orders of an account; returns how many. */
function cancel({ uid: name, orderId, ...meant }: Infer<typeof cancelled>, store: Store): unknown {
  const whose = name === undefined ? {} : { uid: name };
  if (orderId !== undefined) {
    store.commit({ kind: 'command', command: { kind: 'cancel', orderId, ...whose } });
    return 1;
  }
  if (name === undefined) throw new Refusal('40019', 'orderId or uid');
  return store.commit({ kind: 'command', command: { kind: 'cancel-all', uid: name, ...meant } });
}
