/** Control of orders: place and cancel for whichever account, look at all of them. */
import { orderCategories } from '../../contract/vocabulary.ts';
import type { PlaceFields } from '../engine/command.ts';
import type { ControlBench, ControlTable } from './bench.ts';
import type { Fields } from './fields.ts';

export const orderControls: ControlTable = {
  orders: {
    GET: (fields, { store }) => {
      const { engine } = store.world();
      const uid = fields.text('uid');
      return { open: [...engine.openOrders(uid)], closed: [...engine.closedOrders(uid)] };
    },
    POST: (fields, { store }) =>
      store.commit({ kind: 'command', command: { kind: 'place', ...orderFields(fields) } }),
  },
  'orders/cancel': {
    POST: (fields, { store }) => {
      const uid = fields.optionalText('uid');
      if (!fields.has('orderId'))
        return { cancelled: cancelAll(fields.text('uid'), fields, store) };
      const orderId = fields.text('orderId');
      store.commit({
        kind: 'command',
        command: { kind: 'cancel', orderId, ...(uid !== undefined && { uid }) },
      });
      return { cancelled: 1 };
    },
  },
};

/** An order in the words of endpoint 6, with its account and, for all lines, a category. */
export function orderFields(fields: Fields): PlaceFields {
  const optional = {
    price: fields.optionalText('price'),
    clientOid: fields.optionalText('clientOid'),
    marginCoin: fields.optionalText('marginCoin'),
    force: fields.optionalChoice('force', ['gtc', 'ioc', 'fok', 'post_only']),
    stpMode: fields.optionalChoice('stpMode', stpModes),
    marginMode: fields.optionalChoice('marginMode', ['isolated', 'crossed']),
    tradeSide: fields.optionalChoice('tradeSide', ['open', 'close']),
    reduceOnly: fields.optionalChoice('reduceOnly', ['YES', 'NO']),
    presetStopSurplusPrice: fields.optionalText('presetStopSurplusPrice'),
    presetStopSurplusExecutePrice: fields.optionalText('presetStopSurplusExecutePrice'),
    presetStopLossPrice: fields.optionalText('presetStopLossPrice'),
    presetStopLossExecutePrice: fields.optionalText('presetStopLossExecutePrice'),
  };
  return {
    uid: fields.text('uid'),
    category: fields.choice('category', orderCategories),
    symbol: fields.text('symbol'),
    side: fields.choice('side', ['buy', 'sell']),
    orderType: fields.choice('orderType', ['limit', 'market']),
    size: fields.decimal('size'),
    ...withoutAbsent(optional),
  };
}

const stpModes = ['none', 'cancel_taker', 'cancel_maker', 'cancel_both'] as const;

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function withoutAbsent<T extends object>(values: T): Present<T> {
  const present: Present<T> = {};
  for (const key of keysOf(values)) {
    const value = values[key];
    if (isPresent(value)) present[key] = value;
  }
  return present;
}

function keysOf<T extends object>(values: T): (keyof T)[] {
  return Object.keys(values).filter((key): key is keyof T & string => key in values);
}

function isPresent<V>(value: V): value is Exclude<V, undefined> {
  return value !== undefined;
}

function cancelAll(uid: string, fields: Fields, store: ControlBench['store']): unknown {
  const category = fields.optionalChoice('category', orderCategories);
  const symbol = fields.optionalText('symbol');
  return store.commit({
    kind: 'command',
    command: {
      kind: 'cancel-all',
      uid,
      ...(category !== undefined && { category }),
      ...(symbol !== undefined && { symbol }),
    },
  });
}
