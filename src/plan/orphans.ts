/** Which orders of earlier runs a playbook no longer has, and which of them still rest. */
import { isRecord } from '../base/json.ts';
import { futuresProductTypes } from '../api/vocabulary.ts';
import type { Address, Destination } from '../journal/entry.ts';
import { canonicalAddress } from '../journal/identity.ts';
import type { Orphan, PlacedOrder } from '../journal/orphan.ts';
import type { Playbook } from '../playbook/playbook.ts';
import type { PlanContext } from './context.ts';
import { productTypeOf, type Observer } from './observe.ts';
import type { Order } from './orders.ts';
import type { PlannedStep } from './plan.ts';
import { asksNobody } from './recorded.ts';

/** What a playbook comes to, as far as known. */
export interface Known {
  /** Keys of everything it does once per playbook. */
  readonly keys: ReadonlySet<string>;
  /** Steps and items of which only the run will know what they do. */
  readonly later: readonly Address[];
  /** Steps and items that are left out this time. */
  readonly skipped: readonly Address[];
  /** Steps that were asked for with --only; absent for a whole playbook. */
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
    later: actions
      .filter(({ change, confidence }) => {
        return change.kind === 'later' || confidence?.kind === 'known-after';
      })
      .map(({ address }) => address),
    skipped: actions.filter(({ change }) => change.kind === 'skip').map(({ address }) => address),
    ...(playbook.isPart && { only: new Set(playbook.steps.map(({ id }) => id)) }),
  };
}

/** Whether an order is in the playbook: `later` when only a run will know. */
export function placeOf(
  { key, address }: Pick<PlacedOrder, 'key' | 'address'>,
  { keys, later, skipped, only }: Known,
): 'in' | 'out' | 'later' {
  if (keys.has(key)) return 'in';
  const [step = ''] = address.split(/[[/]/);
  if (only !== undefined && !only.has(step)) return 'in';
  if (skipped.some((place) => isUnder(address, place))) return 'in';
  return later.some((place) => isUnder(address, place)) ? 'later' : 'out';
}

/** An item belongs to its step, and a step to the one that uses its playbook. */
function isUnder(address: Address, place: Address): boolean {
  const [own, around] = [address, place].map(canonicalAddress);
  if (own === undefined || around === undefined || !own.startsWith(around)) return false;
  return ['', '[', '/'].includes(own.charAt(around.length));
}

/** An account, with what earlier runs placed on it. */
interface Seen {
  readonly destination: Destination;
  readonly observer: Observer;
}

/** Orders that rest and are no longer in the playbook; those the plan recorded where no one is asked. */
export async function orphansOf(
  known: Known,
  accounts: readonly [Seen, ...Seen[]],
  placedOn: (account: Destination) => readonly PlacedOrder[],
  context: PlanContext,
): Promise<readonly Orphan[]> {
  if (context.isOffline) return [];
  if (asksNobody(context)) return context.recorded?.orphans ?? [];
  const [own] = accounts;
  const found: Orphan[] = [];
  for (const { destination, observer } of accounts) {
    const left = placedOn(destination).filter((order) => placeOf(order, known) === 'out');
    const productTypes = futuresProductTypes.filter((productType) =>
      left.some((order) => productTypeIn(order) === productType),
    );
    const { profile } = destination;
    const account = profile === own.destination.profile ? {} : { account: profile };
    for (const productType of productTypes) {
      const orders = await observer.orders(productType);
      for (const { run, address, clientOid } of left) {
        const order = orders.get(clientOid);
        if (order === undefined || !isResting(order)) continue;
        found.push({ run, address, ...account, ...shownOf(order) });
      }
    }
  }
  return found;
}

export function isResting({ orderStatus }: Order): boolean {
  return orderStatus !== 'filled' && orderStatus !== 'cancelled';
}

function productTypeIn({ input }: PlacedOrder): ReturnType<typeof productTypeOf> {
  return isRecord(input) ? productTypeOf(input['productType']) : undefined;
}

function shownOf(order: Order): Omit<Orphan, 'run' | 'address' | 'account'> {
  const { orderId, clientOid, symbol, side, qty: size, price } = order;
  return { orderId, clientOid, symbol, side, size, price };
}
