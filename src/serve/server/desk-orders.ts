/** The orders that the runs of a desk recorded. Those of unchanged runs are kept in memory. */
import type { AllRuns } from '../../engine/journal/run-list.ts';
import { readableRuns } from '../../engine/journal/run-list.ts';
import {
  ordersOfRun,
  recordedOrders,
  type OrderFilter,
  type OrdersOfRun,
  type RecordedOrders,
} from '../../app/orders/recorded-orders.ts';
import type { RunRows } from './run-rows.ts';

export interface FoundOrders extends RecordedOrders {
  /** The runs among which they were found. */
  readonly runs: AllRuns;
}

/** Finds the orders that a filter selects, newest first. */
export type DeskOrders = (wanted: OrderFilter) => Promise<FoundOrders>;

const keptMax = 20_000; // orders, some 1 kB each

export function deskOrders(stateDir: string, rows: Pick<RunRows, 'row' | 'hasText'>): DeskOrders {
  const kept = new Map<string, OrdersOfRun & { readonly seq: number }>();
  let size = 0;
  const forget = (run: string): void => {
    size -= kept.get(run)?.orders.length ?? 0;
    kept.delete(run);
  };
  const read = async (run: string): Promise<OrdersOfRun> => {
    const seq = rows.row(run)?.seq ?? 0; // 0: its record was not read, or is damaged
    const before = kept.get(run);
    if (before !== undefined && before.seq === seq) return before;
    forget(run);
    const found = await ordersOfRun(stateDir, run);
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
    const { unnamed, ...all } = await readableRuns(stateDir);
    const runs = { ...all, headers: all.headers.filter(({ run }) => mayHave(run, wanted, rows)) };
    const { orders, damages } = await recordedOrders(stateDir, runs, wanted, read);
    return { orders, damages: [...unnamed.map(({ because }) => because), ...damages], runs: all };
  };
}

/** Whether a run may have the order with the wanted id: the list of runs finds it, too. */
function mayHave(
  run: string,
  { id }: OrderFilter,
  rows: Pick<RunRows, 'row' | 'hasText'>,
): boolean {
  const seq = rows.row(run)?.seq ?? 0;
  return id === undefined || seq === 0 || rows.hasText(run, id.toLowerCase());
}
