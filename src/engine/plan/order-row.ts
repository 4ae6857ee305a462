/** An order as a row of a list shows it; a field that cannot be read is an error only when it is asked for. */
import { fieldOf } from '../../base/json.ts';
import { plainText } from '../../base/text.ts';
import { neededField, UnreadableFieldError } from '../../exchange/api/needed.ts';
import type { RowOf } from '../../exchange/api/list-answer.ts';

export type OrderList = 'order/list-open' | 'order/list-history';

/**
 * An order in a row. Each field throws UnreadableFieldError if the exchange sent something else in its
 * place.
 */
export interface Order {
  readonly orderId: string;
  /** The clientOid; empty for an order without one. */
  readonly clientOid: string;
  readonly symbol: string;
  readonly side: string;
  /** The price; empty if the row shows none. */
  readonly price: string;
  readonly qty: string;
  readonly cumExecQty: string;
  readonly orderStatus: string;
  /** The creation time in Unix milliseconds. */
  readonly createdTime: string;
  /** The reason of the cancellation; empty unless the order was cancelled and the row says why. */
  readonly cancelReason: string;
}

export function orderIn<L extends OrderList>(list: L, row: RowOf<L>): Order {
  return new OrderRow(list, row);
}

class OrderRow implements Order {
  readonly #list: OrderList;
  readonly #row: object;

  constructor(list: OrderList, row: object) {
    this.#list = list;
    this.#row = row;
  }

  get orderId(): string {
    return this.#needed('orderId');
  }

  get clientOid(): string {
    return this.#needed('clientOid');
  }

  get symbol(): string {
    return this.#needed('symbol');
  }

  get side(): string {
    return this.#needed('side').toLowerCase();
  }

  get price(): string {
    return this.#needed('price');
  }

  get qty(): string {
    return this.#needed('qty');
  }

  get cumExecQty(): string {
    return this.#needed('cumExecQty');
  }

  get orderStatus(): string {
    const status = this.#needed('orderStatus').toLowerCase();
    return status === 'canceled' ? 'cancelled' : status; // the spelling of the other account family
  }

  get createdTime(): string {
    return this.#needed('createdTime');
  }

  get cancelReason(): string {
    const reason = fieldOf(this.#row, 'cancelReason');
    return typeof reason === 'string' ? reason : '';
  }

  #needed(field: string): string {
    return neededField(this.#list, { name: this.#name(), fields: this.#row }, field);
  }

  /** The name of the order in an error. */
  #name(): string {
    const [name] = ['orderId', 'clientOid'].flatMap((field) => {
      const value = fieldOf(this.#row, field);
      return typeof value === 'string' && value !== '' ? [`order ${plainText(value, 64)}`] : [];
    });
    return name ?? 'an order without a readable id';
  }
}

/** A field of any order, ours or not; undefined if it cannot be read. */
export function readable(order: Order, field: keyof Order): string | undefined {
  try {
    return order[field];
  } catch (error) {
    if (error instanceof UnreadableFieldError) return undefined;
    throw error;
  }
}

/** An order whose clientOid cannot be read: it may be any order. */
export interface NamelessOrder {
  readonly order: Order;
  readonly error: UnreadableFieldError;
}

/** Orders by their clientOids. */
export class NamedOrders extends Map<string, Order> {
  readonly nameless: NamelessOrder[] = [];

  put(order: Order): void {
    try {
      this.set(order.clientOid, order);
    } catch (error) {
      if (!(error instanceof UnreadableFieldError)) throw error;
      this.nameless.push({ order, error });
    }
  }
}
