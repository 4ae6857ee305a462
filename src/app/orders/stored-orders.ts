/** The orders of ended runs, stored in a file beside the catalogue by its rules (catalogue.ts): those of a run count
 * while its files are as they were before they were read. The orders of other runs are read from their records.
 */
import { isRecord } from '../../base/json.ts';
import { catalogueOf, type Catalogue, type FactKind } from '../../engine/journal/catalogue.ts';
import { columnOf, valuesOf, type Column } from '../../engine/journal/columns.ts';
import { everyName } from '../../engine/journal/run-list.ts';
import { RunStamps } from '../../engine/journal/run-stamps.ts';
import type { Stamp } from '../../engine/journal/stamp.ts';
import { ordersOfRun, type OrdersOfRun, type RecordedOrder } from './recorded-orders.ts';

/** The kind of the fact; its number changes when orders have other fields, or words of another meaning. */
const ordersKind: FactKind = 'orders 1';

const ordersMax = 1_000; // of a run: the record of one with more is read

/** The orders of a run in the file. */
interface StoredValue {
  readonly count: number;
  /** The columns of the orders as JSON, which are parsed when they are asked for. */
  readonly columns: string;
}

export class StoredOrders {
  readonly #stateDir: string;
  readonly #files: RunStamps;
  readonly #catalogue: Catalogue;

  constructor(stateDir: string) {
    this.#stateDir = stateDir;
    this.#files = new RunStamps(stateDir);
    this.#catalogue = catalogueOf(stateDir, 'orders');
  }

  /** The orders of a run, from its record unless those stored count. */
  async of(run: string): Promise<OrdersOfRun> {
    const files = present(this.#files.all(run)); // before they are read
    const value = files && this.#catalogue.find(ordersKind, run, files);
    if (isStored(value)) return { orders: ordersIn(value) };
    const found = await ordersOfRun(this.#stateDir, run);
    const { orders, damage, isOpen } = found;
    const isLasting = damage === undefined && isOpen === undefined;
    if (files && isLasting && orders.length <= ordersMax) {
      this.#catalogue.note(ordersKind, run, files, valueOf(orders));
    }
    return found;
  }

  /** Stores what was read, for the next command. */
  async keep(): Promise<void> {
    if (this.#catalogue.isAdded) this.#catalogue.keep(await everyName(this.#stateDir));
  }
}

function valueOf(orders: readonly RecordedOrder[]): StoredValue {
  return { count: orders.length, columns: JSON.stringify(columnOf(orders)) };
}

function ordersIn({ count, columns }: StoredValue): readonly RecordedOrder[] {
  // The checksum of the line with these columns proves that deskhand wrote them.
  const at = valuesOf(JSON.parse(columns) as Column);
  return Array.from({ length: count }, (_none, number) => at(number) as RecordedOrder);
}

function isStored(value: unknown): value is StoredValue {
  return (
    isRecord(value) && Number.isSafeInteger(value['count']) && typeof value['columns'] === 'string'
  );
}

/** The stamps of a run's files; undefined unless all are there. */
function present(stamps: readonly (Stamp | undefined)[]): readonly Stamp[] | undefined {
  const files = stamps.filter((each) => each !== undefined);
  return files.length === stamps.length ? files : undefined;
}
