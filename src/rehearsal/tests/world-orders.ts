/** The orders of a world, as its exchange lists them. */
import { isRecord, type Json } from '../../base/json.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { WorldPlan } from './read.ts';
import { sandboxRoles } from '../../sandbox/world/initial-accounts.ts';

/**
 * An order with the fields of `order/list-open`; `account` names its account if it is not the one under test.
 */
export type OrderRecord = Readonly<Record<string, Json>>;

/**
 * Every order of every account, open and closed, oldest first.
 * @param others names of accounts that the world opened, by uid
 */
export function ordersOf(
  sandbox: Sandbox,
  { account, accounts }: Pick<WorldPlan, 'account' | 'accounts'>,
  others: ReadonlyMap<string, string>,
): readonly OrderRecord[] {
  const own = sandbox.accounts[account].uid;
  const names = new Map(others);
  for (const role of sandboxRoles.toReversed()) names.set(sandbox.accounts[role].uid, role);
  for (const [name, role] of accounts) names.set(sandbox.accounts[role].uid, name);
  return [...names].flatMap(([uid, name]) =>
    ordersIn(sandbox.control('GET', 'orders', { uid })).map((order) =>
      uid === own ? order : { ...order, account: name },
    ),
  );
}

/** The orders in an answer of the engine, with the status under its name in the lists. */
function ordersIn(answer: unknown): OrderRecord[] {
  const { open, closed } = isRecord(answer) ? answer : {};
  return [open, closed]
    .flatMap((orders) => (Array.isArray(orders) ? orders.filter(isRecord) : []))
    .map((order) => {
      const { status, ...rest } = JSON.parse(JSON.stringify(order));
      return { ...rest, orderStatus: status };
    })
    .reverse();
}
