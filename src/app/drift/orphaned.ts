/** Orders of earlier runs that a playbook no longer has, for `drift`, without requests. */
import { canonicalJson, isRecord, plainJson, type Json } from '../../base/json.ts';
import type { Millis } from '../../base/clock.ts';
import { orderNameIn, placesOrders } from '../../exchange/api/meant-order.ts';
import type { Destination, Entry } from '../../engine/journal/entry.ts';
import type { Ledger } from '../../engine/journal/ledger.ts';
import type { PlacedOrder } from '../../engine/journal/placed-orders.ts';
import type { AllRuns } from '../../engine/journal/run-list.ts';
import { readRun } from '../../engine/journal/runs.ts';
import { isWhole } from '../../engine/journal/sent-facts.ts';
import { placeOf } from '../../engine/plan/orphans.ts';
import { knownOffline } from '../../engine/plan/planner.ts';
import { itemsHighest, Moment, toJson } from '../../language/expression/value.ts';
import { resolveInputs } from '../../language/inputs.ts';
import { loadPlaybook } from '../../language/load.ts';
import type { Playbook } from '../../language/playbook.ts';
import { ledgersOf } from '../accounts/identities.ts';
import type { Work } from '../accounts/work.ts';
import type { OwnRun } from './records.ts';

type Started = Extract<Entry, { readonly kind: 'started' }>;

export interface OrphanSearch {
  readonly playbook: Playbook;
  readonly session: Work;
  /** The runs of the playbook on these accounts, oldest first. */
  readonly own: readonly OwnRun[];
  /** All runs of this machine and of its stores. */
  readonly runs: AllRuns;
  readonly accounts: readonly Destination[];
  readonly stateDir: string;
  readonly now: Millis;
  readonly signal: AbortSignal;
}

/**
 * The clientOids of orders that are no longer in the playbook. For a step that depends on reads,
 * the orders of the newest completed run count. An order that the playbook has with the inputs of a later
 * run is in it, too: that run is not finished, or was stopped, and has its own inputs.
 */
export async function orphanedNames(looking: OrphanSearch): Promise<ReadonlySet<string>> {
  const { playbook, session, own, runs, accounts, stateDir } = looking;
  const book = await session.book(runs);
  const ledgers = await ledgersOf(stateDir, playbook, book, [], runs);
  const placed = accounts.flatMap((account) => ledgers.placed(account).all());
  if (placed.length === 0) return new Set();
  const { newest, later } = await newestWhole(own, stateDir);
  const known = newest && (await knownNow(looking, ledgers.ledger, newest));
  const done = newest && doneBy(newest);
  const isGone = (order: PlacedOrder): boolean => {
    switch (known === undefined ? 'later' : placeOf(order, known)) {
      case 'in':
        return false;
      case 'out':
        return true;
      case 'later':
        return done !== undefined && !done(order);
    }
  };
  let gone = placed.filter(isGone);
  for (const run of later) {
    if (gone.length === 0) break;
    const entries = await readRun(stateDir, run);
    const [started] = entries;
    if (started?.kind === 'started' && started.imported !== undefined) continue; // it has one order
    const its = await knownNow(looking, ledgers.ledger, entries);
    gone = gone.filter((order) => its !== undefined && placeOf(order, its) === 'out');
  }
  return new Set(gone.map(({ clientOid }) => clientOid));
}

/** The entries of the newest run that completed, and the later runs, newest first. */
async function newestWhole(
  own: readonly OwnRun[],
  stateDir: string,
): Promise<{ readonly newest?: readonly Entry[]; readonly later: readonly string[] }> {
  const later: string[] = [];
  for (const { run, isWhole: isKnown } of own.toReversed()) {
    const read = isKnown === false ? [] : await readRun(stateDir, run);
    if (isWhole(read)) return { newest: read, later };
    later.push(run);
  }
  return { later };
}

/** The orders of the playbook with the inputs of a run; undefined if they are unknown. */
async function knownNow(
  { playbook, session, now, signal }: OrphanSearch,
  ledger: (account: Destination) => Ledger,
  entries: readonly Entry[],
): Promise<Awaited<ReturnType<typeof knownOffline>> | undefined> {
  const [started] = entries;
  if (started?.kind !== 'started') return undefined;
  const times = { time: new Moment(now) };
  const { inputs, problems } = resolveInputs(playbook, givenIn(started, playbook), times);
  if (problems.length > 0) return undefined;
  const { destination, exchange } = session;
  return knownOffline({
    playbook,
    inputs,
    destination,
    exchange,
    ledger: ledger(destination),
    guards: {},
    observedAt: now,
    run: started.run,
    signal,
    open: session.open,
  });
}

/** The given inputs of a run. Inputs with a default are left out: the current default applies. */
function givenIn(
  { inputs, playbook: { file, text, includes = [] }, time }: Started,
  now: Playbook,
): ReadonlyMap<string, Json> {
  const include = (name: string): string | undefined =>
    includes.find((other) => other.file === name)?.text;
  const { playbook: then } = loadPlaybook(text, file, {
    include,
    itemsMax: () => itemsHighest,
    isBegun: true,
  });
  const defaults = then && resolveInputs(then, new Map(), { time: new Moment(time) }).inputs;
  const all = isRecord(inputs) ? Object.entries(plainJson(inputs) ?? {}) : [];
  return new Map(
    all.filter(([name, value]) => {
      if (!now.inputs.has(name)) return false;
      const usual = defaults?.[name];
      return usual === undefined || canonicalJson(toJson(usual)) !== canonicalJson(value);
    }),
  );
}

/** Whether a run sent an order, found it done, reused it, or skipped its step. */
function doneBy(entries: readonly Entry[]): (order: PlacedOrder) => boolean {
  const [started] = entries;
  const steps = new Set(started?.kind === 'started' ? started.steps.map(({ id }) => id) : []);
  if (started?.kind === 'started')
    for (const { id } of started.reused?.steps ?? []) steps.delete(id);
  const taken = started?.kind === 'started' ? (started.reused?.items ?? []) : [];
  const reused = new Set(taken.flatMap(({ writes = [] }) => writes.map(({ address }) => address)));
  const names = new Set<string | undefined>();
  for (const entry of entries) {
    if (entry.kind === 'intended' && placesOrders(entry.operation)) {
      names.add(orderNameIn(entry.input));
    }
    if (entry.kind !== 'settled' || entry.outcome.kind !== 'done') continue;
    names.add(orderNameIn(entry.outcome.output));
  }
  return ({ clientOid, address }) => {
    const [step = ''] = address.split(/[[/]/);
    return !steps.has(step) || names.has(clientOid) || reused.has(address);
  };
}
