/** The evidence that nothing is to be done, as text, and its comparison. */
import { operationOf } from '../../exchange/api/operations/index.ts';
import type { Address, Entry } from '../journal/entry.ts';
import type { Order } from './order-row.ts';
import type { Change, Plan } from './plan.ts';

/** An order found on the exchange. */
export function orderEvidence({ orderId, orderStatus }: Order): string {
  return `order ${orderId} is ${orderStatus}`;
}

/**
 * Actions whose order or state a plan found on the exchange, and those whose state an earlier run set: none of
 * them is sent.
 * @param earlier entries of the run: its own writes are settled by looking them up
 */
export function ordersFound({ steps }: Plan, earlier: readonly Entry[] = []): readonly Address[] {
  const sent = new Set(
    earlier.flatMap((entry) => (entry.kind === 'intended' ? [entry.address] : [])),
  );
  return steps
    .flatMap(({ actions }) => actions)
    .filter(
      ({ change, confidence, operation }) =>
        change.kind === 'none' &&
        (confidence?.kind === 'read-just-now' || (operation && operationOf(operation).sets)),
    )
    .map(({ address }) => address)
    .filter((address) => !sent.has(address));
}

/** A state that is set already, and by whom. */
export function stateEvidence(shown: string, by: string): string {
  return `set to ${shown} ${by}`;
}

/** How a state is known that was read for the plan. */
export const readNow = 'read just now';

/** A state that the account shows already: `7×, read just now`. */
export function shownEvidence(shown: string): string {
  return `${shown}, ${readNow}`;
}

/** Whether a change says what the account showed of a state. */
export function isShown(change: Change): boolean {
  const because = change.kind === 'set' ? change.was?.because : undefined;
  return because === readNow || (change.kind === 'none' && change.because.endsWith(readNow));
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
