/** Describes orders that the totals of a plan do not count: the bounds of each, and how to make its value
 * known.
 */
import { appendTo } from '../base/groups.ts';
import { count, listed, plainText } from '../base/text.ts';
import type { Plan } from '../engine/plan/plan.ts';
import type { UnknownOrder } from '../engine/plan/unknown-order.ts';

export const unknownTitle = 'Orders not in the totals, decided only during the run:';

/**
 * The number of such orders: `2 not in the totals`, `2, and any number in 1 step, not in the totals`, or ''.
 */
export function unknownWords({ unknown = 0, several = 0 }: Plan['totals']): string {
  if (unknown === 0) return '';
  const single = unknown - several;
  if (several === 0) return `${single} not in the totals`;
  const any = `any number in ${count(several, 'step')}`;
  return single === 0 ? `${any} not in the totals` : `${single}, and ${any}, not in the totals`;
}

/** The orders as lines: one line for orders that differ only in their item. */
export function unknownLines({ unknownOrders = [] }: Plan): readonly string[] {
  const groups = new Map<string, UnknownOrder[]>();
  for (const order of unknownOrders) appendTo(groups, kindOf(order), order);
  const all = [...groups.values()];
  const lines = all.slice(0, shownMax).map(lineOf);
  const rest = all.slice(shownMax).flat().length;
  return rest === 0 ? lines : [...lines, `${count(rest, 'more order')}, see the plan as JSON`];
}

const shownMax = 20;

/** The orders that no guard bounds. */
export function unboundedIn({ unknownOrders = [] }: Plan): readonly UnknownOrder[] {
  return unknownOrders.filter(({ isBounded }) => !isBounded);
}

/**
 * The hint about a plan with an order that no guard bounds: the change after which a person can
 * approve it.
 */
export function boundHint(
  { advice, isSeveral }: UnknownOrder,
  { playbook, destination }: Plan,
): string {
  const [own, outer] = isSeveral ? ['max-notional', 'notional'] : ['max-order-notional', 'order'];
  const add = `add guards: { ${own}: … } to ${plainText(playbook.file, 100)}, or ${outer} to profiles.${plainText(destination.profile, 60)}.guards in deskhand.yaml`;
  return advice === undefined ? add : `${plainText(advice, 200)}, or ${add}`;
}

function kindOf({ address, ...order }: UnknownOrder): string {
  return JSON.stringify({ ...order, step: stepOf(address) });
}

/** The step of an address: the address without the last item. */
function stepOf(address: string): string {
  return address.endsWith(']') ? address.slice(0, address.lastIndexOf('[')) : address;
}

function lineOf(orders: readonly UnknownOrder[]): string {
  const [first] = orders;
  if (first === undefined) return '';
  const { address, account, because, advice, bounds, isBounded } = first;
  const more = orders.length === 1 ? '' : ` and ${orders.length - 1} more`;
  const where = account === undefined ? '' : ` on ${account}`;
  const by = listed(bounds.map(({ guard, limit }) => `${guard} ${limit}`));
  const bound = isBounded ? `bounded by ${by}` : 'no guard bounds it';
  const parts = [`${address}${more}${where}: ${because}`, bound, ...(advice ? [advice] : [])];
  return plainText(parts.join('; '), 400);
}
