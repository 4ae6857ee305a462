/** What a plan comes to: its writes, orders, requests, and the time they take. */
import { decimal, decimalText, zero } from '../base/decimal.ts';
import type { PlanContext } from './context.ts';
import { isEffect } from './effect.ts';
import { secondsAtLimits } from './pace.ts';
import type { Plan, PlannedAction, PlannedStep } from './plan.ts';
import { profileIn } from './recorded.ts';

/** The totals of planned steps, and the orders that are open after their run. */
export function totalsOf(steps: readonly PlannedStep[], context: PlanContext): Plan['totals'] {
  const actions = steps.flatMap((step) => step.actions);
  const ofKind = (kind: string): number =>
    actions.filter(({ change }) => change.kind === kind).length;
  const orders = actions.filter(({ change, order }) => change.kind === 'create' && order);
  const notional = orders.reduce(
    (sum, { order }) => sum.plus(decimal(order?.notional ?? '0')),
    zero,
  );
  const later = steps.filter(
    (step) => isEffect(step) && step.actions.some(({ change }) => change.kind === 'later'),
  ).length;
  const open = [...context.openOrders].filter(([line]) => profileIn(line) === undefined);
  const { profile } = context.own.naming.destination;
  const own = orders.filter(({ account }) => account === profile);
  const requests = [...context.expected.values()].reduce((sum, count) => sum + count, 0);
  return {
    create: ofKind('create'),
    set: ofKind('set'),
    unchanged: ofKind('none'),
    ...(later > 0 && { later }),
    ...(ofKind('outbound') > 0 && { outbound: ofKind('outbound') }),
    requests,
    seconds: secondsAtLimits(context.expected),
    orders: orders.length,
    notional: decimalText(notional),
    ...farthestOf(orders),
    ...(open.length > 0 && {
      openOrdersAfter: open.reduce((sum, [, each]) => sum + each, own.length),
    }),
  };
}

function farthestOf(orders: readonly PlannedAction[]): { readonly farthest?: string } {
  const distances = orders.flatMap(({ order }) => order?.distance ?? []).map(decimal);
  const [first, ...rest] = distances;
  if (first === undefined) return {};
  return { farthest: decimalText(rest.reduce((a, b) => (b.abs().gt(a.abs()) ? b : a), first)) };
}
