/** Reads the current state of recorded orders on the exchange. */
import { listsOf } from '../../exchange/api/meant-order.ts';
import type { AllRuns } from '../../engine/journal/run-list.ts';
import { observerOf } from '../../engine/plan/observe.ts';
import type { RunOrder } from '../documents/order-documents.ts';
import { openWork } from '../accounts/work.ts';
import type { AppContext } from '../app-context.ts';
import { profileNamed, type Config } from '../config/load.ts';
import type { RecordedOrder } from './recorded-orders.ts';

/** Adds what the lists of each order's account show: one read of the lists for each account and product line. */
export async function ordersNow(
  found: readonly RecordedOrder[],
  runs: AllRuns,
  config: Config,
  context: AppContext,
  signal: AbortSignal,
): Promise<readonly RunOrder[]> {
  const shown = new Map<RecordedOrder, string>();
  for (const name of new Set(found.map(({ order }) => order.account))) {
    const own = found.filter(({ order }) => order.account === name);
    if (!config.profiles.has(name)) {
      for (const each of own) shown.set(each, 'its profile is not in deskhand.yaml');
      continue;
    }
    const session = await openWork(context, config, profileNamed(config, name), { needsKey: true });
    try {
      const book = await session.book(runs);
      const isSame = ({ destination }: RecordedOrder): boolean =>
        book.standingOf(session.destination, destination) === 'same';
      const observer = observerOf(session.exchange, signal);
      const since = Math.min(...own.map(({ order }) => order.sentAt));
      for (const each of own) {
        shown.set(each, isSame(each) ? await stateOf(each, observer, since) : 'another account');
      }
    } finally {
      await session.close();
    }
  }
  return found.map((each) => ({ ...each.order, now: shown.get(each) ?? '' }));
}

async function stateOf(
  { order, operation, line, destination }: RecordedOrder,
  observer: ReturnType<typeof observerOf>,
  since: number,
): Promise<string> {
  const listed = line && listsOf(operation, line, destination.family);
  if (listed === undefined) return 'no list shows it';
  const row = (await observer.orders(listed, since)).get(order.clientOid);
  return row?.orderStatus ?? 'not shown';
}
