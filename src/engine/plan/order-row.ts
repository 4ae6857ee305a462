/** An order as a row of a list shows it; a field that cannot be read is an error only when it is asked for. */
import { fieldOf } from '../../base/json.ts';
import { plainText } from '../../base/text.ts';
import type { OrderList, OrderRowFields } from '../../exchange/api/keyed-write.ts';
import { declared } from '../../exchange/api/meant-order.ts';
import { neededField, UnreadableFieldError } from '../../exchange/api/needed.ts';

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
  /**
   * Whether the order opens or closes a position, in the words of the row; empty if rows do not say
   * so.
   */
  readonly direction: string;
  /** The reason of the cancellation; empty unless the order was cancelled and the row says why. */
  readonly cancelReason: string;
}

/** @param shown by a list, or by a read of one order */
export function orderIn(shown: Pick<OrderList, 'operation' | 'row'>, row: object): Order {
  return new OrderRow(shown, row);
}

class OrderRow implements Order {
  readonly #operation: string;
  readonly #fields: OrderRowFields;
  readonly #row: object;

  constructor({ operation, row: fields }: Pick<OrderList, 'operation' | 'row'>, row: object) {
    this.#operation = operation;
    this.#fields = fields;
    this.#row = row;
  }

  get orderId(): string {
    return this.#needed(this.#fields.id);
  }

  get clientOid(): string {
    return this.#needed(this.#fields.key);
  }

  get symbol(): string {
    return this.#needed(this.#fields.symbol);
  }

  get side(): string {
    return this.#needed(this.#fields.side).toLowerCase();
  }

  get price(): string {
    return this.#needed(this.#fields.price);
  }

  get qty(): string {
    return this.#needed(this.#fields.size);
  }

  get cumExecQty(): string {
    return this.#needed(this.#fields.filled);
  }

  get orderStatus(): string {
    const { fields, partlyFilled, filled, cancelled } = this.#fields.status;
    const field = fields.find((each) => fieldOf(this.#row, each) !== undefined) ?? fields[0];
    const status = this.#needed(field).toLowerCase();
    if (filled.includes(status)) return 'filled';
    if (cancelled.includes(status)) return 'cancelled';
    return partlyFilled.includes(status) ? 'partially_filled' : status;
  }

  get createdTime(): string {
    return this.#needed(this.#fields.created);
  }

  get direction(): string {
    const { direction } = this.#fields;
    return direction === undefined ? '' : this.#needed(direction);
  }

  get cancelReason(): string {
    const { reason: field } = this.#fields;
    const value = field === undefined ? undefined : fieldOf(this.#row, field);
    return typeof value === 'string' ? value : '';
  }

  #needed(field: string): string {
    const row = { name: () => this.#name(), fields: this.#row };
    return neededField(declared(this.#operation), row, field);
  }

  /** The name of the order in an error. */
  #name(): string {
    const { id, key } = this.#fields;
    const [name] = [id, key].flatMap((field) => {
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
