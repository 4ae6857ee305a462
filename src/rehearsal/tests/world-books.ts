/** The orders and positions of a world, as its exchange lists them. */
import { isRecord, type Json } from '../../base/json.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { WorldPlan } from './read.ts';
import { sandboxRoles } from '../../sandbox/world/initial-accounts.ts';

/**
 * An order with the fields of `order/list-open`, or a position with those of `trade/list-positions`; `account`
 * names its account if it is not the one under test.
 */
export type BookRecord = Readonly<Record<string, Json>>;

/** Lists something of every account of a world. */
type Books = (
  sandbox: Sandbox,
  plan: Pick<WorldPlan, 'account' | 'accounts'>,
  /** Names of accounts that the world opened, by uid. */
  others: ReadonlyMap<string, string>,
) => readonly BookRecord[];

/** Every order of every account, open and closed, oldest first. */
export const ordersOf: Books = (sandbox, plan, others) =>
  ofEach(sandbox, plan, others, (uid) => ordersIn(sandbox.control('GET', 'orders', { uid })));

/** Every position of every account that is open now. */
export const positionsOf: Books = (sandbox, plan, others) =>
  ofEach(sandbox, plan, others, (uid) => positionsIn(sandbox.control('GET', 'positions', { uid })));

function ofEach(
  sandbox: Sandbox,
  { account, accounts }: Pick<WorldPlan, 'account' | 'accounts'>,
  others: ReadonlyMap<string, string>,
  list: (uid: string) => readonly BookRecord[],
): readonly BookRecord[] {
  const own = sandbox.accounts[account].uid;
  const names = new Map(others);
  for (const role of sandboxRoles.toReversed()) names.set(sandbox.accounts[role].uid, role);
  for (const [name, role] of accounts) names.set(sandbox.accounts[role].uid, name);
  return [...names].flatMap(([uid, name]) =>
    list(uid).map((record) => (uid === own ? record : { ...record, account: name })),
  );
}

/** The orders in an answer of the engine, with the status under its name in the lists. */
function ordersIn(answer: unknown): BookRecord[] {
  const { open, closed } = isRecord(answer) ? answer : {};
  return [...recordsIn(open), ...recordsIn(closed)]
    .map(({ status, ...rest }) => ({ ...rest, orderStatus: status ?? null }))
    .reverse();
}

/** The positions in an answer of the engine, with the names that `trade/list-positions` gives their fields. */
function positionsIn(answer: unknown): BookRecord[] {
  return recordsIn(answer).map(
    ({ holdSide, size, entryPrice, margin, unrealised, openedTime, ...rest }) => ({
      ...rest,
      posSide: holdSide ?? null,
      total: size ?? null,
      avgPrice: entryPrice ?? null,
      positionBalance: margin ?? null,
      unrealisedPnl: unrealised ?? null,
      createdTime: openedTime ?? null,
    }),
  );
}

/**
 * The positions that differ between two moments, with their values at the second: a closed one has the size 0. A
 * value that the market changes alone does not count.
 */
export function changedPositions(
  before: readonly BookRecord[],
  after: readonly BookRecord[],
): readonly BookRecord[] {
  const [was, is] = [before, after].map((all) => new Map(all.map((each) => [keyOf(each), each])));
  const changed = after.filter((position) => {
    const earlier = was?.get(keyOf(position));
    return earlier === undefined || ownFields.some((field) => earlier[field] !== position[field]);
  });
  const closed = before.filter((position) => is?.has(keyOf(position)) === false);
  return [...changed, ...closed.map((position) => ({ ...position, ...nothingHeld }))];
}

/** The fields of a position that only its account changes. */
const ownFields = ['total', 'avgPrice', 'leverage', 'marginMode'];
const nothingHeld = { total: '0', available: '0', positionBalance: '0', unrealisedPnl: '0' };

function keyOf({ account, category, symbol, posSide }: BookRecord): string {
  return JSON.stringify([account, category, symbol, posSide]);
}

function recordsIn(list: unknown): Record<string, Json>[] {
  return Array.isArray(list)
    ? list.filter(isRecord).map((record) => JSON.parse(JSON.stringify(record)))
    : [];
}
