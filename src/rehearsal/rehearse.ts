/** One seed of a rehearsal: a world, a plan, a run that is hindered and dies, and a verdict. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { second, type Millis } from '../base/clock.ts';
import { DeskhandError, messageOf } from '../base/error.ts';
import type { Json } from '../base/json.ts';
import type { Transport } from '../contract/exchange.ts';
import type { Entry } from '../journal/entry.ts';
import { JournalError, journalOver, readJournal } from '../journal/journal.ts';
import type { Plan } from '../plan/plan.ts';
import { makePlan } from '../plan/planner.ts';
import { rulesOf } from '../plan/rules.ts';
import { Moment, type Value } from '../playbook/expression/value.ts';
import { resolveInputs } from '../playbook/inputs.ts';
import type { Playbook, SourceRange } from '../playbook/playbook.ts';
import { run } from '../engines/run.ts';
import type { RunResult } from '../run/interpret.ts';
import { chanceOf, type Chance } from './chance.ts';
import { wireFaultsOf, type FaultName } from './faults.ts';
import { crash, journalOn, mortal, type Death, type Mortal, type Platter } from './mortal.ts';
import type { Command } from './read.ts';
import type { TrialOptions } from './trial.ts';
import { judge, type Verdict } from './verdict.ts';
import { faultyWire, type Wire } from './wire.ts';
import { openWorld, type PrivateWorld } from './world.ts';
import type { SandboxRole } from '../sandbox/world/accounts.ts';

export interface RehearsalOptions extends TrialOptions {
  readonly inputs: ReadonlyMap<string, Json>;
  readonly faults: readonly FaultName[];
  /** What there is beside the usual world, in the words of a scenario file. */
  readonly scenario?: Json;
  /** When every world begins. */
  readonly time: Millis;
}

export interface SeedResult {
  readonly seed: number;
  /** How it ended when all was calm again; `unfinished` when it did not end at all. */
  readonly status: RunResult['status'] | 'unfinished';
  readonly verdict: Verdict;
  /** Anything else that must never be. */
  readonly broken: readonly string[];
  readonly orders: number;
  readonly resumes: number;
  readonly deaths: number;
  /** Faults and deaths as they came, for whoever looks at one seed. */
  readonly story: readonly string[];
  readonly entries: readonly Entry[];
}

/** The playbook cannot be rehearsed: its inputs, its plan or its world are refused. */
export class NotRehearsedError extends Error {
  override readonly name = 'NotRehearsedError';
}

const calmLives = 3; // when nothing goes wrong any more, so many must be enough
const deathsMax = 3;
const spans = [8, 30, 90] as const; // acts within which a life ends: playbooks are short and long
const rateMin = 0.1; // of requests that are hindered
const rateMax = 0.5;
const lagMax = 9; // seconds; the exchange is taken to show an order within ten

/**
 * Plays one seed: the same seed is the same story, on every machine.
 * @throws NotRehearsedError when not even a plan can be made
 */
export async function rehearse(
  playbook: Playbook,
  seed: number,
  options: RehearsalOptions,
): Promise<SeedResult> {
  const workspace = await mkdtemp(join(tmpdir(), 'deskhand-rehearse-'));
  const accounts = new Map<string, SandboxRole>();
  const world = await openWorld({
    seed,
    time: options.time,
    account: 'hedge',
    accounts,
    onDoubt: 'resend',
    commands: commandsOf(options),
  });
  try {
    const chance = chanceOf(seed);
    const story: string[] = [];
    const stage = { playbook, world, workspace, options, chance, story };
    const prepared = await prepare(stage, accounts);
    return { seed, story, ...(await perform(stage, prepared)) };
  } finally {
    await world.close();
    await rm(workspace, { recursive: true, force: true });
  }
}

interface Stage {
  readonly playbook: Playbook;
  readonly world: PrivateWorld;
  readonly workspace: string;
  readonly options: RehearsalOptions;
  readonly chance: Chance;
  readonly story: string[];
}

interface Prepared {
  readonly plan: Plan;
  readonly inputs: Readonly<Record<string, Value>>;
  readonly time: Millis;
}

/** The exchange takes a clientOid twice, so that nothing but the runner keeps an order single. */
function commandsOf({ scenario }: RehearsalOptions): Command[] {
  const at = noPlace('scenario');
  return [
    { path: 'config', fields: { duplicateClientOid: 'accept' }, at },
    ...(scenario === undefined ? [] : [{ path: 'scenario', fields: scenario, at }]),
  ];
}

/** Of commands that stand in no file. */
function noPlace(file: string): SourceRange {
  const start = { line: 1, column: 1, offset: 0 };
  return { file, start, end: start };
}

const spareRoles = ['oneway', 'leader', 'agent', 'sub'] as const;

/** The plan is made in calm. */
async function prepare(
  { playbook, world, options }: Stage,
  accounts: Map<string, SandboxRole>,
): Promise<Prepared> {
  const exchange = world.client();
  const time = await exchange.serverTime();
  const { inputs, problems } = resolveInputs(playbook, options.inputs, { time: new Moment(time) });
  const [wrong] = problems;
  if (wrong !== undefined) throw new NotRehearsedError(wrong.message);
  try {
    const plan = await makePlan({
      playbook,
      inputs,
      destination: world.destination,
      exchange,
      terms: world.terms,
      ledger: new Map(),
      guards: rulesOf(playbook, inputs, {}),
      isOffline: false,
      observedAt: time,
      run: runId,
      signal: new AbortController().signal,
      open: async (profile) => {
        const role = spareRoles[accounts.size % spareRoles.length] ?? 'oneway';
        if (!accounts.has(profile)) accounts.set(profile, role);
        return world.account(profile);
      },
    });
    const broken = plan.guards.filter(({ isKept }) => !isKept);
    if (broken.length === 0) return { plan, inputs, time };
    throw new NotRehearsedError(broken.map(({ message }) => message).join('; '));
  } catch (error) {
    if (!(error instanceof DeskhandError) || error.actor === 'ours') throw error;
    throw new NotRehearsedError(messageOf(error), { cause: error });
  }
}

const runId = 'r-rehearsal';

async function perform(
  stage: Stage,
  prepared: Prepared,
): Promise<Omit<SeedResult, 'seed' | 'story'>> {
  const { world, chance, story } = stage;
  const platter: Platter = { text: '', synced: '' };
  const before = new Set(world.orders().map(({ orderId }) => orderId));
  let exchange: Transport | undefined;
  const wire = faultyWire((request, signal) => reached(exchange)(request, signal), {
    clock: world.clock,
    chance,
    onStrike: (fault, { operation }) => story.push(`${fault} at ${operation}`),
  });
  let lives = 0;
  let deaths = 0;
  const broken: string[] = [];
  const live = async (death: Death | undefined): Promise<RunResult | undefined> => {
    lives += 1;
    const life = mortal(death);
    const bind = (transport: Transport): Transport => {
      exchange = transport;
      return life.wire(wire.transport);
    };
    try {
      return await sit(stage, prepared, platter, life, bind);
    } catch (error) {
      if (life.isDead()) {
        deaths += 1;
        story.push(`died ${death?.when} act ${death?.act}`);
        crash(platter, chance);
        return undefined;
      }
      if (error instanceof JournalError) broken.push(error.message);
      else if (!(error instanceof DeskhandError) || error.actor === 'ours') throw error;
      return undefined;
    } finally {
      life.end();
    }
  };
  const result = await through(stage, wire, live);
  await wire.flush();
  const { entries } = readJournal(platter.text, 'journal.ndjson');
  const orders = world.orders().filter(({ orderId }) => !before.has(orderId));
  return {
    status: result?.status ?? 'unfinished',
    verdict: judge(entries, orders),
    broken: result === undefined ? [...broken, 'the run does not end'] : broken,
    orders: orders.length,
    resumes: lives - 1,
    deaths,
    entries,
  };
}

/** Trouble with a death in every life, then calm until the run is done or will never be. */
async function through(
  { world, chance, options: { faults } }: Stage,
  wire: Wire,
  live: (death: Death | undefined) => Promise<RunResult | undefined>,
): Promise<RunResult | undefined> {
  wire.trouble(wireFaultsOf(faults), rateMin + chance.next() * (rateMax - rateMin));
  if (faults.includes('stale-lists')) world.arm(lagging(chance.between(1, lagMax) * second));
  const times = faults.includes('crash') ? chance.between(1, deathsMax) : 0;
  for (let life = 0; life <= times; life++) {
    const act = chance.between(1, chance.pick(spans));
    const when = chance.pick(['before', 'after'] as const);
    const result = await live(life < times ? { act, when } : undefined);
    if (result?.status === 'done') return result;
  }
  wire.trouble([], 0);
  world.arm([]);
  let last: RunResult | undefined;
  for (let life = 0; life < calmLives; life++) {
    last = await live(undefined);
    if (last?.status === 'done') break;
  }
  return last;
}

function lagging(ms: Millis): Command[] {
  return (['order/list-open', 'order/list-history'] as const).map((operation) => ({
    path: 'faults',
    fields: { match: { operation }, action: { kind: 'stale-reads', ms } },
    at: noPlace('faults'),
  }));
}

/** One life: the run from its start, or from what the journal proves. */
async function sit(
  { playbook, world, workspace, options }: Stage,
  { plan, inputs, time }: Prepared,
  platter: Platter,
  life: Mortal,
  bind: (transport: Transport) => Transport,
): Promise<RunResult> {
  const { entries, state, tornAt } = readJournal(platter.text, 'journal.ndjson');
  if (tornAt !== undefined) platter.text = platter.synced = platter.text.slice(0, tornAt);
  const never = new AbortController().signal;
  return run({
    playbook,
    inputs,
    runId,
    destination: world.destination,
    exchange: world.client(bind),
    terms: world.terms,
    journal: journalOver(journalOn(platter, life.act), world.clock, state),
    earlier: entries,
    ledger: new Map(),
    clock: world.clock,
    time,
    onDoubt: 'resend',
    accounts: (plan.accounts ?? []).map(({ profile }) => world.account(profile, bind)),
    guards: rulesOf(playbook, inputs, {}),
    marks: plan.marks,
    workspace,
    program: options.program,
    papers: options.papers,
    secret: (name) => `secret ${name}`,
    notify: () => Promise.resolve(),
    drain: never,
    halt: never,
    onEntry: () => undefined,
  });
}

function reached(exchange: Transport | undefined): Transport {
  if (exchange === undefined) throw new TypeError('no life has begun');
  return exchange;
}
