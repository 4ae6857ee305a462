/** The writes of earlier runs. Of runs that ended only those are unpacked that may have the write, the state or
 * the order that is asked for: the others are known by the names of what they did.
 */
import type { Millis } from '../../base/clock.ts';
import { lineOfWrite } from '../../exchange/api/meant-order.ts';
import { accountName } from './account.ts';
import type { HandWrite } from './by-hand.ts';
import type { Destination } from './entry.ts';
import type { Lasting } from './lasting.ts';
import {
  joined,
  ledgerOf,
  type LastSet,
  type Ledger,
  type LedgerEntry,
  type LedgerView,
} from './ledger.ts';
import type { RunRecord } from './run-record.ts';
import { NameTable } from './name-table.ts';
import {
  placedOrders,
  type OrderLine,
  type PlacedOrder,
  type PlacedOrders,
} from './placed-orders.ts';
import { laterSet, statesFrom } from './states.ts';

/** A run that ended, with the names of the writes that other runs look for. */
export interface PackedRun {
  readonly run: string;
  readonly playbook: string;
  readonly accounts: readonly Destination[];
  /** The time when the run signed its last write, by the exchange's clock. */
  readonly signedAt: Millis;
  readonly lasting: Lasting;
  readonly unpacked: () => RunRecord;
}

export type PastRun = RunRecord | PackedRun;

export function isPacked(run: PastRun): run is PackedRun {
  return 'lasting' in run;
}

/** Whose writes are asked for. */
export interface PastView extends LedgerView {
  /** The playbook whose orders are asked for; default: none. */
  readonly playbook?: string;
  readonly byHand?: readonly HandWrite[];
}

/** All earlier runs, oldest first, as tables of names. */
export class PastWrites {
  readonly runs: readonly PastRun[];
  readonly names: NameTable;
  readonly states: NameTable;

  constructor(runs: readonly PastRun[]) {
    this.runs = runs;
    this.names = new NameTable(runs.map((run) => (isPacked(run) ? run.lasting.names : '')));
    this.states = new NameTable(runs.map((run) => (isPacked(run) ? run.lasting.states : '')));
  }

  of(view: PastView): AccountWrites {
    return new AccountWrites(this, view);
  }
}

/** Something that a run did, with the place of the run. */
type Done<T> = readonly [place: number, done: T];

/** The earlier writes of one account. */
export class AccountWrites implements Ledger, PlacedOrders {
  readonly #past: PastWrites;
  readonly #view: PastView;
  /** The runs that were read, by their places. */
  readonly #read: Uint8Array;
  readonly #writes = new Map<string, Done<LedgerEntry>[]>();
  readonly #sets = new Map<string, Done<LastSet>[]>();
  readonly #orders = new Map<string, Done<PlacedOrder>[]>();
  readonly #lines = new Map<number, readonly PlacedOrder[]>();

  constructor(past: PastWrites, view: PastView) {
    this.#past = past;
    this.#view = view;
    this.#read = new Uint8Array(past.runs.length);
    for (const [key, set] of statesFrom([], view, view.byHand ?? []))
      add(this.#sets, key, [Infinity, set]);
    for (const [place, run] of past.runs.entries()) {
      if (!isPacked(run) || !this.#isNamed(run)) this.#readAt(place);
    }
  }

  /** The write, or the state, with a key in the ledger. */
  get(key: string): LedgerEntry | undefined {
    const set = this.#setOf(key);
    if (set !== undefined) return set;
    for (const place of this.#past.names.find(key)) this.#readAt(place);
    return inOrder(this.#writes.get(key)).reduce<LedgerEntry | undefined>(joined, undefined);
  }

  all(): readonly PlacedOrder[] {
    for (const place of this.#past.runs.keys()) this.#readAt(place);
    return firstOf(this.#orders.values());
  }

  named(names: Iterable<string>): readonly PlacedOrder[] {
    const found = [...names].flatMap((name) => {
      for (const place of this.#past.names.find(name)) this.#readAt(place);
      return [this.#orders.get(name) ?? []];
    });
    return firstOf(found);
  }

  some(isOn: (line: OrderLine) => boolean, isAsked: (order: PlacedOrder) => boolean): boolean {
    const isFound = (order: PlacedOrder): boolean => {
      const [first = order] = this.named([order.clientOid]);
      return isOnLine(first, isOn) && isAsked(first);
    };
    for (const [place, run] of [...this.#past.runs.entries()].reverse()) {
      if (isPacked(run) && !run.lasting.lines.some(isOn)) continue;
      this.#readAt(place);
      if (this.#lines.get(place)?.some(isFound) === true) return true;
    }
    return false;
  }

  /** The state that was set last: by the run that signed last among those with its name, in most cases. */
  #setOf(key: string): LastSet | undefined {
    const { runs, states } = this.#past;
    const unread = states.find(key).flatMap((place) => {
      const run = runs[place];
      return run && isPacked(run) && this.#read[place] === 0 ? [{ place, run }] : [];
    });
    const last = (): LastSet | undefined =>
      inOrder(this.#sets.get(key)).reduce<LastSet | undefined>(laterSet, undefined);
    for (const { place, run } of unread.toSorted((a, b) => b.run.signedAt - a.run.signedAt)) {
      if (run.signedAt < (last()?.at ?? -Infinity)) break; // nor did any other of them set it later
      if (this.#mayBeOf(run)) this.#readAt(place);
    }
    return last();
  }

  #mayBeOf({ accounts }: PackedRun): boolean {
    return accounts.some((account) => this.#view.standingOf(account) !== 'other');
  }

  /** Whether a run has the account name that is looked for: its account may have had another name. */
  #isNamed({ accounts }: PackedRun): boolean {
    const { as, standingOf } = this.#view;
    return accounts.every(
      (account) =>
        standingOf(account) === 'other' ||
        (as !== undefined && accountName(account) === accountName(as)),
    );
  }

  #readAt(place: number): void {
    const known = this.#past.runs[place];
    if (known === undefined || this.#read[place] === 1) return;
    this.#read[place] = 1;
    const record = isPacked(known) ? known.unpacked() : known;
    const { run, entries } = record;
    for (const [key, entry] of ledgerOf(run, entries, this.#view))
      add(this.#writes, key, [place, entry]);
    for (const [key, set] of statesFrom([record], this.#view, []))
      add(this.#sets, key, [place, set]);
    const [started] = entries;
    if (started?.kind !== 'started' || started.playbook.name !== this.#view.playbook) return;
    const orders = placedOrders([record], this.#view);
    for (const [nth, order] of orders.entries())
      add(this.#orders, order.clientOid, [place + nth / orders.length, order]);
    if (orders.length > 0) this.#lines.set(place, orders);
  }
}

function add<T>(found: Map<string, Done<T>[]>, name: string, done: Done<T>): void {
  const known = found.get(name);
  if (known === undefined) found.set(name, [done]);
  else known.push(done);
}

function inOrder<T>(found: readonly Done<T>[] = []): readonly T[] {
  return found.toSorted(([a], [b]) => a - b).map(([, done]) => done);
}

/** The first of each, in the order of the runs. */
function firstOf(orders: Iterable<readonly Done<PlacedOrder>[]>): readonly PlacedOrder[] {
  const first = [...orders].flatMap((found) => {
    const [one, ...others] = found;
    return one === undefined ? [] : [others.reduce((a, b) => (b[0] < a[0] ? b : a), one)];
  });
  return inOrder(first);
}

function isOnLine({ operation, input }: PlacedOrder, isOn: (line: OrderLine) => boolean): boolean {
  const line = lineOfWrite(operation, input);
  return line !== undefined && isOn({ operation, line });
}
