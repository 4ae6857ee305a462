/** One seed of a rehearsal: a world, a plan, a run with faults and crashes, and a verdict. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { second, type Millis } from '../../base/clock.ts';
import { DeskhandError, messageOf } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import type { Transport } from '../../exchange/api/exchange.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { journalOver, readJournal } from '../../engine/journal/journal.ts';
import { JournalError } from '../../engine/journal/error.ts';
import type { Playbook } from '../../language/playbook.ts';
import type { AnswerForms } from '../../sandbox/world/world-settings.ts';
import type { RunResult } from '../../engine/interpreter/interpret.ts';
import { chanceOf, type Chance } from './chance.ts';
import { lagging, setup } from './commands.ts';
import { wireFaultsOf, type FaultName } from './faults.ts';
import {
  crash,
  journalOn,
  crashSimulator,
  type CrashPoint,
  type CrashSimulator,
  type FakeDisk,
} from './crash-simulator.ts';
import { compareWithExchange, type RehearsalVerdict } from './verdict.ts';
import { faultyWire, type Wire } from './wire.ts';
import { openWorld, type Wrap } from '../tests/world.ts';
import {
  brokenIn,
  planInside,
  runInside,
  type PreparedRun,
  type PrivateRun,
  type TrialOptions,
} from '../private-run.ts';
import type { StoryStatus } from '../../report/run-status.ts';

export interface RehearsalOptions extends TrialOptions {
  readonly inputs: ReadonlyMap<string, Json>;
  /** The profile that `run` uses. Default: the name of the account. */
  readonly profile?: string;
  readonly faults: readonly FaultName[];
  /** Additions to the default world, in the format of a scenario file. */
  readonly scenario?: Json;
  /** The forms of responses. Default: those of the interface. */
  readonly answers?: AnswerForms;
  /** The start time of every world. */
  readonly time: Millis;
}

export interface SeedResult {
  readonly seed: number;
  /** How the run ended after the faults had stopped; `unfinished` if it did not end. */
  readonly status: StoryStatus;
  readonly verdict: RehearsalVerdict;
  /** Violations other than duplicate, lost and unreported orders. */
  readonly broken: readonly string[];
  readonly orders: number;
  readonly resumes: number;
  readonly crashes: number;
  /** Faults and crashes in order, to show one seed. */
  readonly story: readonly string[];
  readonly entries: readonly Entry[];
}

/** The error when a playbook cannot be rehearsed: its inputs, its plan or its world are refused. */
export class NotRehearsedError extends Error {
  override readonly name = 'NotRehearsedError';
}

const incarnationsWithoutFaults = 3; // maximum incarnations to finish a run
const crashesMax = 3;
const actsMax = [8, 30, 90] as const; // a crash happens within so many actions: playbooks are short and long
const rateMin = 0.1; // fraction of disturbed requests
const rateMax = 0.5;
const lagMax = 9; // seconds; an order must be visible within ten

/**
 * Runs one seed; the same seed gives the same result on every machine.
 * @throws NotRehearsedError when the playbook cannot be planned
 */
export async function rehearse(
  playbook: Playbook,
  seed: number,
  options: RehearsalOptions,
): Promise<SeedResult> {
  const workspace = await mkdtemp(join(tmpdir(), 'deskhand-rehearse-'));
  const world = await openWorld({
    seed,
    time: options.time,
    account: 'hedge',
    ...(options.profile !== undefined && { profile: options.profile }),
    accounts: new Map(),
    opensAccounts: true,
    onDoubt: 'resend',
    programs: new Map(),
    answers: new Map(),
    commands: setup(options.scenario, options.answers),
  });
  try {
    const chance = chanceOf(seed);
    const story: string[] = [];
    const job = { playbook, world, workspace, options, runId, given: options.inputs };
    const stage = { ...job, ledgerOf: () => new Map(), chance, story };
    const prepared = await prepare(stage);
    return { seed, story, ...(await runSeed(stage, prepared)) };
  } finally {
    await world.close();
    await rm(workspace, { recursive: true, force: true });
  }
}

interface Stage extends PrivateRun {
  readonly options: RehearsalOptions;
  readonly chance: Chance;
  readonly story: string[];
}

/** Makes a plan without faults. */
async function prepare(stage: Stage): Promise<PreparedRun> {
  try {
    const prepared = await planInside(stage, stage.world.own());
    const broken = brokenIn(prepared.plan);
    if (broken === undefined) return prepared;
    throw new NotRehearsedError(broken);
  } catch (error) {
    if (!(error instanceof DeskhandError) || error.actor === 'ours') throw error;
    throw new NotRehearsedError(messageOf(error), { cause: error });
  }
}

const runId = 'r-rehearsal';

async function runSeed(
  stage: Stage,
  prepared: PreparedRun,
): Promise<Omit<SeedResult, 'seed' | 'story'>> {
  const { world, chance, story } = stage;
  const disk: FakeDisk = { text: '', synced: '' };
  const before = new Set(world.orders().map(({ orderId }) => orderId));
  let exchange: Transport | undefined;
  const wire = faultyWire((request, signal) => reached(exchange)(request, signal), {
    clock: world.clock,
    chance,
    onStrike: (fault, { operation }) => story.push(`${fault} at ${operation}`),
  });
  let incarnations = 0;
  let crashes = 0;
  const broken: string[] = [];
  const startIncarnation = async (
    point: CrashPoint | undefined,
  ): Promise<RunResult | undefined> => {
    incarnations += 1;
    const incarnation = crashSimulator(point);
    const wrap: Wrap = (transport) => {
      exchange = transport;
      return incarnation.wire(wire.transport);
    };
    try {
      return await runIncarnation(stage, prepared, disk, incarnation, wrap);
    } catch (error) {
      if (incarnation.isCrashed()) {
        crashes += 1;
        story.push(`crashed ${point?.when} act ${point?.act}`);
        crash(disk, chance);
        return undefined;
      }
      if (error instanceof JournalError) broken.push(error.message);
      else if (!(error instanceof DeskhandError) || error.actor === 'ours') throw error;
      return undefined;
    } finally {
      incarnation.end();
    }
  };
  const result = await runToEnd(stage, wire, startIncarnation);
  await wire.flush();
  const { entries } = readJournal(disk.text, 'journal.ndjson');
  const orders = world.orders().filter(({ orderId }) => !before.has(orderId));
  return {
    status: result?.status ?? 'unfinished',
    verdict: compareWithExchange(entries, orders),
    broken: result === undefined ? [...broken, 'the run does not end'] : broken,
    orders: orders.length,
    resumes: incarnations - 1,
    crashes,
    entries,
  };
}

/**
 * Runs with faults and a crash in each incarnation, then without faults, until the run is done or stays
 * unfinished.
 */
async function runToEnd(
  { world, chance, options: { faults } }: Stage,
  wire: Wire,
  start: (point: CrashPoint | undefined) => Promise<RunResult | undefined>,
): Promise<RunResult | undefined> {
  wire.trouble(wireFaultsOf(faults), rateMin + chance.next() * (rateMax - rateMin));
  if (faults.includes('stale-lists')) world.arm(lagging(chance.between(1, lagMax) * second));
  const times = faults.includes('crash') ? chance.between(1, crashesMax) : 0;
  for (let n = 0; n <= times; n++) {
    const act = chance.between(1, chance.pick(actsMax));
    const when = chance.pick(['before', 'after'] as const);
    const result = await start(n < times ? { act, when } : undefined);
    if (result?.status === 'done') return result;
  }
  wire.trouble([], 0);
  world.arm([]);
  let last: RunResult | undefined;
  for (let n = 0; n < incarnationsWithoutFaults; n++) {
    last = await start(undefined);
    if (last?.status === 'done') break;
  }
  return last;
}

/** One incarnation: the run from its start, or resumed from its journal. */
async function runIncarnation(
  stage: Stage,
  prepared: PreparedRun,
  disk: FakeDisk,
  incarnation: CrashSimulator,
  wrap: Wrap,
): Promise<RunResult> {
  const { entries, state, tornAt } = readJournal(disk.text, 'journal.ndjson');
  if (tornAt !== undefined) disk.text = disk.synced = disk.text.slice(0, tornAt);
  const { world } = stage;
  return runInside({ ...stage, wrap }, world.own(wrap), prepared, {
    journal: journalOver(journalOn(disk, incarnation.act), world.clock, state),
    earlier: entries,
    notify: () => Promise.resolve(),
    onEntry: () => undefined,
  });
}

function reached(exchange: Transport | undefined): Transport {
  if (exchange === undefined) throw new TypeError('no incarnation has begun');
  return exchange;
}
