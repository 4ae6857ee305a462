/** The operations that a job calls: those of the account family of its profiles, or of its choice where both are served. */
import type { OperationName } from '../../src/exchange/api/operations/index.ts';
import type { Choice } from './features.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a step calls, and with which fields. */
export interface Call extends Fields {
  readonly uses: OperationName;
  readonly with: Fields;
}

const line = 'USDT-FUTURES';

/** How an order rests, which has another name in each family. */
export type Force = 'gtc' | 'ioc' | 'post_only';

/** What differs from an order that rests far below the market. */
export interface OrderParts {
  readonly symbol?: string;
  readonly price?: string;
  readonly size?: string;
  readonly side?: string;
  readonly force?: Force;
  readonly clientOid?: string;
  readonly isMarket?: boolean;
  /** Closes a long position instead of opening one. */
  readonly isClose?: boolean;
}

export function placing(
  { placing: api }: Choice,
  {
    symbol = 'BTCUSDT',
    price = '50000.0',
    size = '0.001',
    side,
    force = 'gtc',
    clientOid,
    isMarket = false,
    isClose = false,
  }: OrderParts,
): Call {
  const orderType = isMarket ? 'market' : 'limit';
  const named = clientOid === undefined ? {} : { clientOid };
  if (api === 'trade') {
    const limit = isMarket ? {} : { price, timeInForce: force };
    const direction = { side: side ?? (isClose ? 'sell' : 'buy'), posSide: 'long' };
    return {
      uses: 'trade/place-order',
      with: { category: line, symbol, ...direction, orderType, qty: size, ...limit, ...named },
    };
  }
  const account = { productType: line, marginMode: 'crossed', marginCoin: 'USDT' };
  const direction = { side: side ?? 'buy', tradeSide: isClose ? 'close' : 'open' };
  const limit = isMarket ? {} : { price, force };
  return {
    uses: 'futures/place-order',
    with: { symbol, ...account, ...direction, orderType, size, ...limit, ...named },
  };
}

/** One order of ETHUSDT, which no other step of a job places. */
export function aside(choice: Choice, price: string, parts: OrderParts = {}): Call {
  return placing(choice, { symbol: 'ETHUSDT', price, size: '0.01', ...parts });
}

/** Cancels an order of BTCUSDT. */
export function cancelling({ placing: api }: Choice, name: Fields): Call {
  return api === 'trade'
    ? { uses: 'trade/cancel-order', with: { category: line, ...name } }
    : { uses: 'futures/cancel-order', with: { symbol: 'BTCUSDT', productType: line, ...name } };
}

/** Sets the leverage of all symbols of the line, or of BTCUSDT. */
export function leverageCall({ setting }: Choice): Call {
  const leverage = '7';
  switch (setting) {
    case 'all':
      return { uses: 'futures/set-all-leverage', with: { productType: line, leverage } };
    case 'futures':
      return {
        uses: 'futures/set-leverage',
        with: { symbol: 'BTCUSDT', productType: line, marginCoin: 'USDT', leverage },
      };
    case 'account':
      return {
        uses: 'account/set-leverage',
        with: { category: line, symbol: 'BTCUSDT', leverage },
      };
  }
}

/** A condition that is true once the leverage is set. */
export function isLeverageSet({ setting }: Choice): string {
  return setting === 'futures'
    ? "{{ ne steps.leverage.response.symbol '' }}"
    : "{{ eq steps.leverage.response 'success' }}";
}

/** The names under which a response has its list of orders. */
export const ordersIn = ({ family }: Choice): string =>
  family === 'classic' ? 'entrustedList' : 'list';

export function openOrders(choice: Choice, more: Fields = {}): Call {
  return choice.family === 'classic'
    ? { uses: 'futures/list-open-orders', with: { productType: line, ...more } }
    : { uses: 'order/list-open', with: { category: line, ...more } };
}

export function closedOrders({ family }: Choice): Call {
  return family === 'classic'
    ? { uses: 'futures/list-closed-orders', with: { productType: line } }
    : { uses: 'order/list-history', with: { category: line } };
}

/** A list of rows with an id: bills, which only classic accounts have, or orders. */
export function rowsSince({ family }: Choice, times: Fields, ofLine: string = line): Call {
  return family === 'unified'
    ? { uses: 'order/list-history', with: { category: ofLine, ...times } }
    : { uses: 'futures/list-bills', with: { productType: ofLine, ...times } };
}

/** The id and the amount of such a row. */
export function rowColumns({ family }: Choice): Fields {
  return family === 'unified'
    ? { id: '{{ row.orderId }}', amount: '{{ row.qty }}' }
    : { id: '{{ row.billId }}', amount: '{{ row.amount }}' };
}

/** The field with the time of such a row. */
export function rowTime({ family }: Choice): string {
  return family === 'unified' ? 'row.createdTime' : 'row.cTime';
}

/** A read that the exchange refuses. */
export function refusedRead({ family }: Choice): Call {
  return family === 'unified'
    ? { uses: 'trade/get-order', with: { clientOid: 'no-such-order' } }
    : { uses: 'margin/get-interest-rate', with: { coin: 'NOSUCHCOIN' } };
}
