/** Limits over the whole life of a run: counted in the exchange's books, not in ours. */
import { second, type Millis } from '../../../src/base/clock.ts';
import { baseOf } from './commands.ts';
import type { Marked } from './field.ts';
import type { Begun, Evidence, OrderSeen } from './judge.ts';
import { rungsOf } from './playbooks.ts';

const markAge: Millis = 10 * second; // how old the price may be that a limit was checked against

export function judgeGuards(evidence: Evidence, orders: readonly OrderSeen[]): string[] {
  return evidence.begun.flatMap((begun) => [
    ...judgeProfile(begun, evidence, ordersBy(begun.run, evidence, orders)),
    ...judgeDesks(begun, orders),
  ]);
}

/** Orders that a run placed: those of its own, and the shared ones that it was the first to send. */
function ordersBy(
  run: number,
  { field: { sendings } }: Evidence,
  orders: readonly OrderSeen[],
): readonly OrderSeen[] {
  const first = new Map(sendings.toReversed().map((sending) => [sending.name, sending.run]));
  return orders.filter(({ clientOid }) => first.get(clientOid) === run);
}

function judgeProfile(
  { run, draft }: Begun,
  { story, field: { marks } }: Evidence,
  orders: readonly OrderSeen[],
): string[] {
  const limits = { ...draft.guards, ...story.guards };
  const limitOf = (...names: readonly string[]): number =>
    Math.min(...names.map((name) => Number(limits[name] ?? Infinity)));
  const worths = orders.map((order) => worthOf(order, marks));
  const sum = worths.reduce((all, worth) => all + worth, 0);
  const broken: string[] = [];
  if (orders.length > limitOf('writes', 'max-writes')) broken.push(`${orders.length} writes`);
  if (sum > limitOf('notional', 'max-notional')) broken.push(`all orders worth ${sum}`);
  if (Math.max(0, ...worths) > limitOf('order', 'max-order-notional')) {
    broken.push(`an order worth ${Math.max(...worths)}`);
  }
  const farthest = Math.max(0, ...orders.map((order) => distanceOf(order, marks)));
  if (farthest > limitOf('distance', 'max-distance')) broken.push(`a distance of ${farthest}`);
  return broken.map((what) => `run ${run} has ${what}, beyond ${JSON.stringify(limits)}`);
}

/** Prices a limit may have been checked against when an order was placed. */
function marksAt(
  { createdTime, category }: OrderSeen,
  marks: readonly Marked[],
): readonly number[] {
  const own = marks.filter(({ productType, at }) => productType === category && at <= createdTime);
  const recent = own.filter(({ at }) => at > createdTime - markAge);
  const before = own.findLast(({ at }) => at <= createdTime - markAge);
  return [...(before === undefined ? [] : [before]), ...recent].map(({ mark }) => mark);
}

/** The least it can have been worth, as far as we know what it traded at. */
function worthOf(order: OrderSeen, marks: readonly Marked[]): number {
  const [price, size] = [Number(order.price), Number(order.qty)];
  const known = marksAt(order, marks);
  return (
    size * (order.side === 'sell' && known.length > 0 ? Math.max(price, Math.min(...known)) : price)
  );
}

function distanceOf(order: OrderSeen, marks: readonly Marked[]): number {
  const known = marksAt(order, marks);
  const ratios = known.map((mark) => Math.abs(Number(order.price) / mark - 1));
  return ratios.length === 0 ? 0 : Math.min(...ratios);
}

function judgeDesks({ run, draft, edition }: Begun, orders: readonly OrderSeen[]): string[] {
  return draft.parts.flatMap(({ kind, deskWrites }, place) => {
    if (kind !== 'desks' || deskWrites === undefined) return [];
    const counts = new Map<string, number>();
    for (const { price, within = '' } of rungsOf(draft, edition, baseOf(run))) {
      if (!within.startsWith(`${place}-`)) continue;
      const placed = orders.filter((order) => Number(order.price) === Number(price)).length;
      counts.set(within, (counts.get(within) ?? 0) + placed);
    }
    return [...counts].flatMap(([within, count]) =>
      count > deskWrites ? [`run ${run}: desk ${within} has ${count} writes of ${deskWrites}`] : [],
    );
  });
}
