/** Orders of earlier runs that are no longer in the playbook, and which of them are open. */
import { lineKey, listsOf, tradedLines } from '../../exchange/api/meant-order.ts';
import type { Address, Destination } from '../journal/entry.ts';
import { canonicalAddress } from '../journal/identity.ts';
import type { Orphan } from '../journal/orphan.ts';
import type { OrderLine, PlacedOrder, PlacedOrders } from '../journal/placed-orders.ts';
import type { Playbook } from '../../language/playbook.ts';
import type { PlanContext } from './plan-context.ts';
import type { Observer } from './observe.ts';
import { readable, type Order } from './order-row.ts';
import { isResting } from './found-orders.ts';
import type { PlannedAction, PlannedStep } from './plan.ts';
import { asksNobody } from './recorded.ts';

/** The actions of a playbook, as far as known. */
export interface Known {
  /** The ledger keys of the playbook's once-per-playbook writes. */
  readonly keys: ReadonlySet<string>;
  /** Canonical addresses of steps and items whose effects are known only during the run. */
  readonly later: ReadonlySet<Address>;
  /** Steps and items that are skipped in this run. */
  readonly skipped: ReadonlySet<Address>;
  /** Steps selected with --only; absent for a whole playbook. */
  readonly only?: ReadonlySet<string>;
}

export function knownIn(
  playbook: Playbook,
  steps: readonly PlannedStep[],
  keys: ReadonlySet<string>,
): Known {
  const actions = steps.flatMap((step) => step.actions);
  return {
    keys,
    later: placesOf(
      actions.filter(({ change, confidence }) => {
        return change.kind === 'later' || confidence?.kind === 'known-after';
      }),
    ),
    skipped: placesOf(actions.filter(({ change }) => isNotExecuted(change))),
    ...(playbook.isPart && { only: new Set(playbook.steps.map(({ id }) => id)) }),
  };
}

/** Whether a step of the playbook places nothing in this run, because it is skipped or reused. */
function isNotExecuted({ kind }: PlannedAction['change']): boolean {
  return kind === 'skip' || kind === 'reused';
}

function placesOf(actions: readonly PlannedAction[]): ReadonlySet<Address> {
  return new Set(actions.map(({ address }) => canonicalAddress(address)));
}

/** Whether an order is in the playbook: `later` when that is known only during the run. */
export function placeOf(
  { key, address }: Pick<PlacedOrder, 'key' | 'address'>,
  { keys, later, skipped, only }: Known,
): 'in' | 'out' | 'later' {
  if (keys.has(key)) return 'in';
  const [step = ''] = address.split(/[[/]/);
  if (only !== undefined && !only.has(step)) return 'in';
  const places = placesAround(address);
  if (places.some((place) => skipped.has(place))) return 'in';
  return places.some((place) => later.has(place)) ? 'later' : 'out';
}

/**
 * An address and its parents: the parent of an item is its step, and that of a nested step the outer step. A
 * key may contain brackets, so some of the results are not addresses.
 */
function placesAround(address: Address): readonly Address[] {
  const own = canonicalAddress(address);
  const ends = [...own.matchAll(/[[/]/g)].map(({ index }) => index);
  return [...ends, own.length].map((end) => own.slice(0, end));
}

/** An account, with the orders that earlier runs placed on it. */
interface Seen {
  readonly destination: Destination;
  readonly observer: Observer;
}

/** Open orders that are no longer in the playbook; without requests, those recorded in the plan. */
export async function orphansOf(
  known: Known,
  accounts: readonly [Seen, ...Seen[]],
  placedOn: ((account: Destination) => PlacedOrders) | undefined,
  context: PlanContext,
): Promise<readonly Orphan[]> {
  if (context.isOffline) return [];
  if (asksNobody(context)) return context.recorded?.orphans ?? [];
  if (placedOn === undefined) return [];
  const found: Orphan[] = [];
  for (const { destination, observer } of accounts) {
    const { family } = destination;
    const placed = placedOn(destination);
    const isLeft = (order: PlacedOrder): boolean => placeOf(order, known) === 'out';
    const lines = [...tradedLines(family)].filter(([name]) =>
      placed.some((line) => nameOf(line, family) === name, isLeft),
    );
    const { profile } = destination;
    const account = accounts.length > 1 ? { account: profile } : {};
    for (const [, line] of lines) {
      const orders = await observer.orders(line);
      for (const one of placed.named(orders.keys())) {
        const { run, address, clientOid } = one;
        const order = orders.get(clientOid);
        if (order === undefined || !isResting(order) || !isLeft(one)) continue;
        found.push({ run, address, ...account, ...shownOf(order) });
      }
    }
  }
  return found;
}

function nameOf({ operation, line }: OrderLine, family: Destination['family']): string | undefined {
  const lists = listsOf(operation, line, family);
  return lists && lineKey(lists);
}

function shownOf(order: Order): Omit<Orphan, 'run' | 'address' | 'account'> {
  const shown = (field: keyof Order): string => readable(order, field) ?? '';
  return {
    orderId: shown('orderId'),
    clientOid: shown('clientOid'),
    symbol: shown('symbol'),
    side: shown('side'),
    size: shown('qty'),
    price: shown('price'),
  };
}
