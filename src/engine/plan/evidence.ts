/** The evidence that nothing is to be done, as text, and its comparison. */
import type { Address, Entry } from '../journal/entry.ts';
import type { Order } from './order-row.ts';
import type { Plan } from './plan.ts';

/** An order found on the exchange. */
export function orderEvidence({ orderId, orderStatus }: Order): string {
  return `order ${orderId} is ${orderStatus}`;
}

/**
 * Actions whose order a plan found on the exchange.
 * @param earlier entries of the run: its own writes are settled by looking them up
 */
export function ordersFound({ steps }: Plan, earlier: readonly Entry[] = []): readonly Address[] {
  const sent = new Set(
    earlier.flatMap((entry) => (entry.kind === 'intended' ? [entry.address] : [])),
  );
  return steps
    .flatMap(({ actions }) => actions)
    .filter(
      ({ change, confidence }) => change.kind === 'none' && confidence?.kind === 'read-just-now',
    )
    .map(({ address }) => address)
    .filter((address) => !sent.has(address));
}

/** A state that is set already, and by whom. */
export function stateEvidence(shown: string, by: string): string {
  return `set to ${shown} ${by}`;
}

const resting: ReadonlySet<string> = new Set(['live', 'new', 'partially_filled']);

/**
 * Whether two texts of evidence agree: an open order may be partly filled, a filled or canceled one is
 * gone, and a state is equal by its value.
 */
export function isSameEvidence(a: string, b: string): boolean {
  const [first, second] = [shownIn(a), shownIn(b)];
  return a === b || (first !== undefined && first === second);
}

/** The lasting part of evidence: an open order, or the value of a state, by any run. */
function shownIn(words: string): string | undefined {
  return restingIn(words) ?? /^set to (\S+) by /.exec(words)?.[1];
}

function restingIn(words: string): string | undefined {
  const [, order, status = ''] = /^order (\S+) is (\w+)$/.exec(words) ?? [];
  return resting.has(status) ? order : undefined;
}
