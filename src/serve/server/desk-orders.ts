/** The orders that the runs of a desk recorded. Those of unchanged runs are kept in memory. */
import type { AllRuns } from '../../engine/journal/run-list.ts';
import { readableRuns } from '../../engine/journal/run-list.ts';
import {
  ordersIn,
  recordedOrders,
  type OrderFilter,
  type OrdersOfRun,
  type RecordedOrders,
} from '../../app/orders/recorded-orders.ts';
import { StoredOrders } from '../../app/orders/stored-orders.ts';
import type { RunRows } from './run-rows.ts';

export interface FoundOrders extends RecordedOrders {
  /** Lists all runs of the desk, for what needs more of them. */
  readonly runs: () => Promise<AllRuns>;
}

/** Finds the orders that a filter selects, newest first. */
export type DeskOrders = (wanted: OrderFilter) => Promise<FoundOrders>;

const keptMax = 20_000; // orders, some 1 kB each

export function deskOrders(
  stateDir: string,
  rows: Pick<RunRows, 'row' | 'withOrders'>,
): DeskOrders {
  const kept = new Map<string, OrdersOfRun & { readonly seq: number }>();
  let size = 0;
  const forget = (run: string): void => {
    size -= kept.get(run)?.orders.length ?? 0;
    kept.delete(run);
  };
  const readWith = async (stored: StoredOrders, run: string): Promise<OrdersOfRun> => {
    const seq = rows.row(run)?.seq ?? 0; // 0: its record was not read, or is damaged
    const before = kept.get(run);
    if (before !== undefined && before.seq === seq) return before;
    forget(run);
    const found = await stored.of(run);
    if (seq === 0 || found.damage !== undefined) return found;
    kept.set(run, { ...found, seq });
    size += found.orders.length;
    for (const [oldest] of kept) {
      if (size <= keptMax) break;
      forget(oldest);
    }
    return found;
  };
  return async (wanted) => {
    const runs = (): Promise<AllRuns> => readableRuns(stateDir);
    const stored = new StoredOrders(stateDir);
    const read = (run: string): Promise<OrdersOfRun> => readWith(stored, run);
    const some = await rows.withOrders(wanted);
    if (some !== undefined) {
      const unnamed = some.flatMap(({ run, damage }) =>
        damage === undefined ? [] : [{ run, damage }],
      );
      const readable = some.filter(({ damage }) => damage === undefined);
      const found = await ordersIn(
        readable.map(({ run }) => run),
        wanted,
        read,
      );
      await stored.keep();
      const problems = unnamed
        .toSorted((a, b) => (a.run < b.run ? -1 : 1))
        .map(({ damage }) => damage);
      return { ...found, damages: [...problems, ...found.damages], runs };
    }
    const { unnamed, ...all } = await readableRuns(stateDir);
    const { orders, damages } = await recordedOrders(all, wanted, read);
    await stored.keep();
    return { orders, damages: [...unnamed.map(({ because }) => because), ...damages], runs };
  };
}
