/** Orders that a write ends, such as a cancellation: it is done when the order is seen ended. */
import { second, type Millis } from '../../base/clock.ts';
import { spoken } from '../../base/text.ts';
import type { EndedOrder } from '../../exchange/api/ended-order.ts';
import type { OrderRead } from '../../exchange/api/keyed-write.ts';
import { operationOf } from '../../exchange/api/operations/index.ts';
import { acceptedOnly } from '../journal/doubt.ts';
import type { Outcome } from '../journal/entry.ts';
import { InterruptedError } from '../interpreter/durable.ts';
import type { WriteJob } from '../interpreter/jobs.ts';
import { isResting } from '../plan/found-orders.ts';
import type { Order } from '../plan/order-row.ts';
import { readOrder } from '../plan/read-order.ts';
import type { EffectContext } from './effect-context.ts';
import { isUnreadable, wordsOfRead } from './unreadable.ts';

const patience: Millis = 30 * second;
const pauses = { first: second / 4, longest: 3 * second };

/**
 * The outcome of a write whose order is over, filled or cancelled: whatever was sent, nothing is left to
 * do. Undefined if the order is open, or is not shown, or if the write ends none.
 */
export async function endSeen(
  { operation, input }: WriteJob['call'],
  { exchange, halt }: EffectContext,
): Promise<Outcome | undefined> {
  const { ends } = operationOf(operation);
  if (ends === undefined) return undefined;
  try {
    return ended(await readOrder(exchange, ends, { input, signal: halt }), 'looked-up');
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return undefined;
  }
}

/**
 * Reads the order of an accepted write until it is over. The exchange ends it soon after it accepts; an order
 * that stays open that long leaves a doubt.
 * @throws InterruptedError when the run is stopped before
 */
export async function untilEnded(
  { address, operation, input }: WriteJob['call'],
  ends: OrderRead,
  context: EffectContext,
): Promise<Outcome> {
  const { clock, exchange, halt } = context;
  const start = clock.monotonic();
  let shown = 'the order was not shown';
  for (let pause = pauses.first; ; pause = Math.min(2 * pause, pauses.longest)) {
    try {
      const found = await readOrder(exchange, ends, { input, signal: halt });
      const outcome = ended(found, 'answered');
      if (outcome !== undefined) return outcome;
      if (found !== undefined) shown = `the order is still ${found.orderStatus}`;
    } catch (error) {
      if (halt.aborted) throw new InterruptedError();
      if (!isUnreadable(error)) throw error;
      shown = `the order could not be read: “${wordsOfRead(error)}”`;
    }
    const waited = clock.monotonic() - start;
    if (waited >= patience) return acceptedOnly(`${shown} ${spoken(waited)} later`);
    if (context.drain.aborted) throw new InterruptedError();
    const because = `accepted; ${shown}`;
    await context.record({
      kind: 'waited',
      address,
      operation,
      why: 'look-up',
      ms: pause,
      because,
    });
    await clock.sleep(pause, context.drain);
  }
}

function ended(order: Order | undefined, evidence: 'answered' | 'looked-up'): Outcome | undefined {
  if (order === undefined || isResting(order)) return undefined;
  const { orderId, clientOid, orderStatus, cumExecQty: filled, qty: size } = order;
  const status = orderStatus === 'filled' ? 'filled' : 'cancelled';
  const output: EndedOrder = { orderId, clientOid, status, filled, size };
  return { kind: 'done', output, evidence };
}
