/** The totals of a plan: its writes, orders, requests, and the time they take. */
import { decimal, decimalText, zero } from '../../base/decimal.ts';
import { isRecord } from '../../base/json.ts';
import { orderTerms } from '../../exchange/api/meant-order.ts';
import type { PlanContext } from './plan-context.ts';
import { isEffect } from './effect.ts';
import { secondsAtLimits } from './pace.ts';
import type { Plan, PlannedAction, PlannedStep } from './plan.ts';
import { profileIn } from './recorded.ts';

type Totals = Plan['totals'];

/** The totals of planned steps, and the orders that are open after their run. */
export function totalsOf(steps: readonly PlannedStep[], context: PlanContext): Totals {
  const actions = steps.flatMap((step) => step.actions);
  const own = context.own.naming.destination.profile;
  const outbound = actions.filter(({ change }) => change.kind === 'outbound').length;
  const later = steps.filter(
    (step) => isEffect(step) && step.actions.some(({ change }) => change.kind === 'later'),
  ).length;
  const requests = [...context.expected.values()].reduce((sum, count) => sum + count, 0);
  const unknown = context.unknownOrders.length;
  const several = context.unknownOrders.filter(({ isSeveral }) => isSeveral).length;
  const others = [...context.accounts.keys()];
  const openAfter = (profile: string): Pick<Totals, 'openOrdersAfter'> =>
    openOrdersAfter(actions, profile, context);
  return {
    ...sumsOf(actions),
    ...(later > 0 && { later }),
    ...(outbound > 0 && { outbound }),
    ...(unknown > 0 && { unknown }),
    ...(several > 0 && { several }),
    requests,
    seconds: secondsAtLimits(context.expected),
    ...farthestOf(actions.filter(isNewOrder)),
    ...openAfter(own),
    ...(others.length > 0 && {
      accounts: [own, ...others].map((account) => ({
        account,
        ...sumsOf(actions.filter((action) => action.account === account)),
        ...openAfter(account),
      })),
    }),
  };
}

function sumsOf(
  actions: readonly PlannedAction[],
): Pick<Totals, 'create' | 'set' | 'unchanged' | 'orders' | 'notional'> {
  const ofKind = (kind: string): number =>
    actions.filter(({ change }) => change.kind === kind).length;
  const orders = actions.filter(isNewOrder);
  const notional = orders.reduce(
    (sum, { order }) => sum.plus(decimal(order?.notional ?? '0')),
    zero,
  );
  return {
    create: ofKind('create'),
    set: ofKind('set'),
    unchanged: ofKind('none'),
    orders: orders.length,
    notional: decimalText(notional),
  };
}

/** Whether an action places a new order of known value. */
function isNewOrder({ change, order }: PlannedAction): boolean {
  return change.kind === 'create' && order !== undefined;
}

/** Open orders of an account in the product lines in which the plan places some. */
function openOrdersAfter(
  actions: readonly PlannedAction[],
  profile: string,
  { openOrders, own }: PlanContext,
): Pick<Totals, 'openOrdersAfter'> {
  const other = profile === own.naming.destination.profile ? undefined : profile;
  const open = [...openOrders].filter(([line]) => profileIn(line) === other);
  if (open.length === 0) return {};
  const placed = actions.filter(
    ({ account, change, operation, input }) =>
      account === profile &&
      change.kind === 'create' &&
      orderTerms(operation, isRecord(input) ? input : {})?.mayRest === true,
  );
  return { openOrdersAfter: open.reduce((sum, [, each]) => sum + each, placed.length) };
}

function farthestOf(orders: readonly PlannedAction[]): { readonly farthest?: string } {
  const distances = orders.flatMap(({ order }) => order?.distance ?? []).map(decimal);
  const [first, ...rest] = distances;
  if (first === undefined) return {};
  return { farthest: decimalText(rest.reduce((a, b) => (b.abs().gt(a.abs()) ? b : a), first)) };
}
