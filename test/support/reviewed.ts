/** Saved plans on a desk: made, written as a file, read back, checked against the exchange, and run. */
import type { Transport } from '../../src/exchange/api/exchange.ts';
import type { Millis } from '../../src/base/clock.ts';
import { ConfigError } from '../../src/base/error.ts';
import { isRecord, plainJson, readableJson, type Json } from '../../src/base/json.ts';
import { plannedRunId } from '../../src/app/running/run-id.ts';
import { memoryJournal } from '../../src/engine/runtime/memory.ts';
import { run, type Run } from '../../src/engine/runtime/run.ts';
import type { Address, Entry } from '../../src/engine/journal/entry.ts';
import type { Ledger } from '../../src/engine/journal/ledger.ts';
import { madeAgain } from '../../src/engine/plan/again.ts';
import type { Account } from '../../src/engine/plan/account.ts';
import { ordersFound } from '../../src/engine/plan/evidence.ts';
import { planIn } from '../../src/engine/plan/file.ts';
import { moveInitially } from '../../src/engine/plan/moved.ts';
import type { Plan } from '../../src/engine/plan/plan.ts';
import { makePlan, type PlanOptions } from '../../src/engine/plan/planner.ts';
import { rulesOf } from '../../src/engine/plan/rules.ts';
import { refuseExpired, StalePlanError } from '../../src/engine/plan/stale.ts';
import { Moment, toJson } from '../../src/language/expression/value.ts';
import { resolveInputs } from '../../src/language/inputs.ts';
import type { Playbook } from '../../src/language/playbook.ts';
import { slotOf, slotRunId } from '../../src/app/schedule/slot.ts';
import { documentRenderer } from '../../src/report/renderer.ts';
import { clientOf, destination, termsOf, type Harness } from './harness.ts';

export interface Reviewing {
  readonly inputs?: ReadonlyMap<string, Json>;
  readonly ledger?: Ledger;
  readonly accounts?: readonly Account[];
  /** Whether the exchange tells trading rules that orders are checked against; by default, it does. */
  readonly hasTerms?: false;
  readonly origin?: PlanOptions['origin'];
  readonly learned?: PlanOptions['learned'];
  readonly news?: PlanOptions['news'];
  readonly placed?: PlanOptions['placed'];
  readonly unfinished?: PlanOptions['unfinished'];
  readonly doubts?: PlanOptions['doubts'];
  /** The steps that an earlier run did, as its journal has them. */
  readonly reused?: PlanOptions['reused'];
  readonly scheduledFor?: Millis;
  readonly here?: NonNullable<PlanOptions['here']>;
  /** The network of the run's own account. */
  readonly wrap?: (transport: Transport) => Transport;
}

const nonce = 'abcdefgh01234567';

/** Everything a plan of a playbook is made of on a desk. */
async function planningOn(
  harness: Harness,
  playbook: Playbook,
  { inputs: given = new Map(), ledger = new Map(), accounts = [], hasTerms, ...how }: Reviewing,
  again?: Plan,
): Promise<PlanOptions> {
  const exchange = clientOf(harness, how.wrap);
  const observedAt = again?.observedAt ?? (await exchange.serverTime());
  const { inputs, problems } = resolveInputs(playbook, given, { time: new Moment(observedAt) });
  if (problems[0] !== undefined) throw new ConfigError(problems[0].message);
  const { name, file, digest, text } = playbook;
  const own = again?.nonce ?? nonce;
  const scheduledFor = again === undefined ? how.scheduledFor : again.scheduledFor;
  const named = { name, file, digest, text };
  return {
    playbook,
    inputs,
    destination,
    exchange,
    ...(hasTerms !== false && { terms: termsOf(harness) }),
    ledger,
    guards: rulesOf(playbook, inputs, {}),
    isOffline: false,
    observedAt,
    run:
      scheduledFor === undefined
        ? plannedRunId({
            playbook: named,
            destination,
            inputs: toJson(inputs),
            observedAt,
            nonce: own,
          })
        : slotRunId(destination, name, slotOf(scheduledFor, playbook, playbook)),
    nonce: own,
    ...(how.here && again === undefined && { here: how.here }),
    scheduledFor,
    ...(how.origin && { origin: how.origin }),
    ...(how.learned && { learned: how.learned }),
    ...(how.news && { news: how.news }),
    ...(how.placed && { placed: how.placed }),
    ...(how.unfinished && { unfinished: how.unfinished }),
    ...(how.doubts && { doubts: how.doubts }),
    ...(how.reused && { reused: how.reused }),
    ...(again && { madeAt: again.observedAt }),
    signal: new AbortController().signal,
    open: async (profile) => {
      const found = accounts.find((account) => account.destination.profile === profile);
      if (found === undefined) throw new ConfigError(`unknown profile ${JSON.stringify(profile)}`);
      return found;
    },
  };
}

/** A plan as `deskhand plan` saves it. */
export async function reviewedOn(
  harness: Harness,
  playbook: Playbook,
  how: Reviewing = {},
): Promise<Plan> {
  return makePlan(await planningOn(harness, playbook, how));
}

/** The bytes of a plan's file. */
export function fileOf(plan: unknown): Buffer {
  return Buffer.from(readableJson(plan));
}

/** How a saved plan was run. */
export interface Ran {
  readonly entries: readonly Entry[];
  /** The plan as it was made again. */
  readonly plan: Plan;
}

/**
 * Runs the plan of a file, as `deskhand run plan.json` does.
 * @throws StalePlanError, UnfitError: nothing was sent
 */
export async function runFile(
  harness: Harness,
  bytes: Uint8Array,
  playbook: Playbook,
  how: Reviewing = {},
): Promise<Ran> {
  const reviewed = planIn(bytes, 'plan.json');
  const { plan, planning } = await heldAgain(harness, reviewed, playbook, how);
  const { reads } = plan;
  const found = ordersFound(plan);
  const own = { origin: { plan: reviewed.id, reads }, found, accounts: how.accounts ?? [] };
  return { plan, entries: await runOn(harness, planning, own) };
}

/** The rest of a run of a plan, of which these entries are on the disk. */
export async function goOn(
  harness: Harness,
  playbook: Playbook,
  earlier: readonly Entry[],
  found: readonly Address[] = [],
): Promise<readonly Entry[]> {
  const [started] = earlier;
  if (started?.kind !== 'started') throw new Error('a run begins with its start');
  const planning = await planningOn(harness, playbook, {});
  const { run: runId, time: observedAt } = started;
  return runOn(harness, { ...planning, run: runId, observedAt }, { earlier, found, accounts: [] });
}

async function runOn(
  harness: Harness,
  planning: PlanOptions,
  {
    earlier = [],
    origin = {},
    ...own
  }: Pick<Run, 'accounts'> &
    Partial<Pick<Run, 'earlier' | 'found'>> & { readonly origin?: Partial<Run['origin']> },
): Promise<readonly Entry[]> {
  const { destination, exchange, terms } = planning;
  const entries: Entry[] = [...earlier];
  await run({
    ...planning,
    ...own,
    origin: { ...origin, program: 'deskhand test' },
    account: { destination, exchange, ...(terms && { terms }), onDoubt: 'resend' },
    runId: planning.run,
    journal: memoryJournal(harness.clock, [...earlier]),
    earlier,
    clock: harness.clock,
    time: planning.observedAt,
    world: {
      workspace: harness.workspace,
      documents: documentRenderer('deskhand test'),
      secret: (name) => name,
    },
    drain: planning.signal,
    halt: planning.signal,
    onEntry: (entry) => entries.push(entry),
  });
  return entries;
}

/** @throws StalePlanError with everything that moved, or does not follow from the playbook */
export async function heldAgain(
  harness: Harness,
  reviewed: Plan,
  playbook: Playbook,
  how: Reviewing = {},
): Promise<{ readonly plan: Plan; readonly planning: PlanOptions }> {
  const { inputs } = reviewed;
  const given = new Map(isRecord(inputs) ? Object.entries(inputs) : []);
  const planning = await planningOn(harness, playbook, { ...how, inputs: plain(given) }, reviewed);
  const now: Millis = await planning.exchange.serverTime();
  refuseExpired(reviewed, now, undefined);
  const room = { move: moveInitially, now };
  const make = (from: object): Promise<Plan> => makePlan({ ...planning, ...from });
  const { plan, moved, unlike } = await madeAgain(reviewed, make, room);
  const [first] = [...moved, ...unlike];
  if (first === undefined) return { plan, planning };
  throw new StalePlanError(`${first.what} was ${first.was} and is ${first.is}`);
}

function plain(given: ReadonlyMap<string, unknown>): ReadonlyMap<string, Json> {
  return new Map([...given].map(([name, value]) => [name, plainJson(value)]));
}

/** What a plan says it would place: clientOid, price and size of each order. */
export function ordersOf({ steps }: Plan): readonly string[] {
  return steps
    .flatMap(({ actions }) => actions)
    .filter(
      ({ change, operation }) => change.kind === 'create' && operation === 'futures/place-order',
    )
    .map(({ input }) => wordsOf(input))
    .toSorted();
}

/** What was sent, the same way. */
export function ordersSent(entries: readonly Entry[]): readonly string[] {
  return entries
    .flatMap((entry) =>
      entry.kind === 'intended' && entry.operation === 'futures/place-order'
        ? [wordsOf(entry.input)]
        : [],
    )
    .toSorted();
}

function wordsOf(input: Json): string {
  if (!isRecord(input)) return '';
  const { clientOid, symbol, side, price, size } = input;
  return [clientOid, symbol, side, price, size].map(String).join(' ');
}
