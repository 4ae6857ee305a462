/** Finds the orders of a plan whose value only the run knows, and what a person can do about each. */
import { listed } from '../../base/text.ts';
import { stepsOf } from '../../language/expressions.ts';
import type { Step } from '../../language/playbook.ts';
import type { KeyedWrite } from '../../exchange/api/keyed-write.ts';
import { keyedWriteOf, placesOrders } from '../../exchange/api/meant-order.ts';
import type { DeferredRead, UnknownOrder } from './unknown-order.ts';
import { profilesOf } from './account-context.ts';
import type { Call } from './call.ts';
import type { PlanContext } from './plan-context.ts';
import type { Item } from './items.ts';

/**
 * Notes a step that may place orders and that the plan cannot evaluate.
 * @param after the action whose response it needs; absent for a step of `on-failure`
 */
export function noteOrders(
  step: Step,
  { address, scope }: Item,
  context: PlanContext,
  after?: string,
): void {
  if (context.isOffline || !mayPlace(step)) return;
  const isItem = address !== step.path;
  const isSeveral = step.action.kind === 'playbook' || (step.forEach !== undefined && !isItem);
  const because =
    after === undefined ? 'it runs only if the run stops' : `it is known only after ${after}`;
  const own = isItem ? [context.naming.destination.profile] : profilesOf(step, scope, context);
  const profiles = namesAccounts(step) ? [undefined] : own;
  context.unknownOrders.push({ address, profiles, isSeveral, because, after });
}

/** Notes an order with fields that only the run knows, if its value depends on them. */
export function noteOrder(call: Call, context: PlanContext): void {
  const keyed = keyedWriteOf(call.operation);
  const valuing = keyed && valuingFields(keyed);
  const [field] = [...call.unknown.keys()].filter((each) => valuing?.has(each));
  const after = field === undefined ? undefined : call.unknown.get(field);
  if (after === undefined) return;
  const { profile } = context.naming.destination;
  const because = `its ${field} is known only after ${after}`;
  const { address } = call;
  context.unknownOrders.push({ address, profiles: [profile], isSeveral: false, because, after });
}

/** Fields of an order on which its value depends. */
function valuingFields({ fields, namesPosition, inQuoteCoin }: KeyedWrite): ReadonlySet<string> {
  const { line, symbol, side, size, price, type } = fields;
  const conditions = [...(namesPosition ?? []), ...(inQuoteCoin ?? [])];
  return new Set([
    symbol,
    side,
    size,
    price,
    type,
    ...(typeof line === 'string' ? [line] : []),
    ...conditions.flatMap((condition) => Object.keys(condition)),
  ]);
}

function mayPlace(step: Step): boolean {
  const { action } = step;
  if (action.kind === 'call') return placesOrders(action.operation);
  return action.kind === 'playbook' && stepsOf(action.playbook).some(mayPlace);
}

/** Whether steps within a step may use other accounts. */
function namesAccounts({ action }: Step): boolean {
  if (action.kind !== 'playbook') return false;
  return stepsOf(action.playbook).some((step) => step.account !== undefined || namesAccounts(step));
}

/** The unknown orders of a plan, with the guards that bound them. */
export function unknownOrdersIn(context: PlanContext): readonly UnknownOrder[] {
  const { unknownOrders: noted, deferredReads, limits } = context;
  return noted.map(({ address, profiles, isSeveral, because, after }) => {
    const [account, ...others] = profiles;
    const each = profiles.map((profile) => limits.boundsOf(address, profile));
    const shown = each.flat().filter(({ name }) => name !== 'max-writes' || isSeveral);
    const bounds = new Map(shown.map(({ guard, limit }) => [guard, limit]));
    const advice = after === undefined ? undefined : adviceFor(after, deferredReads);
    return {
      address,
      ...(account !== undefined && others.length === 0 && { account }),
      isSeveral,
      because,
      ...(advice !== undefined && { advice }),
      bounds: [...bounds].map(([guard, limit]) => ({ guard, limit })),
      isBounded: each.every((found) =>
        isBounding(
          found.map(({ name }) => name),
          isSeveral,
        ),
      ),
    };
  });
}

/** Whether guards bound the value of one order, or of any number of them. */
function isBounding(names: readonly string[], isSeveral: boolean): boolean {
  if (names.includes('max-notional')) return true;
  return names.includes('max-order-notional') && (!isSeveral || names.includes('max-writes'));
}

/** The reads to move, and where; undefined if the value depends on a write. */
function adviceFor(after: string, deferred: ReadonlyMap<string, DeferredRead>): string | undefined {
  const paths = new Set<string>();
  let read = deferred.get(after);
  while (read?.usesIt === true) {
    paths.add(read.path);
    read = deferred.get(read.after);
  }
  if (read === undefined) return undefined;
  paths.add(read.path);
  const names = listed([...paths].toReversed());
  const [outer, place] = [parentOf(read.path), parentOf(read.first)];
  if (outer === place) return `move ${names} above ${read.first}`;
  return `read what ${names} reads above ${read.first}, and pass it to ${outer} as an input`;
}

/** The step whose playbook has a step: `desk[ash]` of `desk[ash]/prices`. */
function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
