/** The orders that writes of a plan end: their state now, as far as the exchange shows it. */
import { messageOf } from '../../base/error.ts';
import { AnswerError, RefusedError, UnavailableError } from '../../exchange/api/exchange.ts';
import { isOrderKey } from '../../exchange/api/meant-order.ts';
import { endedBy } from '../../exchange/api/operations/index.ts';
import type { Call } from './call.ts';
import { nameOf } from './used-names.ts';
import { isResting } from './found-orders.ts';
import type { Order } from './order-row.ts';
import type { PlanContext } from './plan-context.ts';
import type { Change } from './plan.ts';
import { asksNobody } from './recorded.ts';

type SetChange = Extract<Change, { readonly kind: 'set' }>;

/**
 * The change that ends an order, with the state of the order before; undefined for a write that ends none.
 * It is sent also if the order is over now: the run reads the order again, and sends nothing then.
 */
export async function endChange(
  call: Call,
  context: PlanContext,
): Promise<{ readonly change: SetChange } | undefined> {
  const ends = endedBy(call.operation);
  if (ends === undefined) return undefined;
  if (asksNobody(context)) {
    const recorded = context.recorded?.actions.get(call.address)?.change;
    return { change: recorded?.kind === 'set' ? recorded : { kind: 'set' } };
  }
  if (call.unknown.size > 0) return { change: { kind: 'set' } };
  const placing = placedHere(call, context);
  if (placing !== undefined) {
    return { change: { kind: 'set', was: { because: `placed by ${placing} of this plan` } } };
  }
  if (context.isOffline) return { change: { kind: 'set' } };
  try {
    const order = await context.observer.order(ends, call.input);
    return { change: { kind: 'set', was: stateOf(order) } };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { change: { kind: 'set', was: { because: `it cannot be read: ${messageOf(error)}` } } };
  }
}

/** The action of this plan that places the order. */
function placedHere({ input }: Call, { names, naming }: PlanContext): string | undefined {
  const fields = Object.keys(input).filter(isOrderKey);
  const found = fields.map((field) => names.get(nameOf(naming.destination, field, input[field])));
  return found.find((address) => address !== undefined);
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof RefusedError ||
    error instanceof UnavailableError ||
    error instanceof AnswerError
  );
}

function stateOf(order: Order | undefined): NonNullable<SetChange['was']> {
  if (order === undefined) return { because: 'the exchange shows no such order yet' };
  const { orderStatus, cumExecQty, qty, side, price } = order;
  const what = `${side} ${qty}${price === '' ? '' : ` @ ${price}`}`;
  if (!isResting(order)) {
    return {
      value: `${what}, ${orderStatus}`,
      because: 'read just now: nothing is left to cancel',
    };
  }
  const filled = /[1-9]/.test(cumExecQty) ? `, ${cumExecQty} filled` : '';
  return { value: `${what}, ${orderStatus}${filled}`, because: 'read just now' };
}
