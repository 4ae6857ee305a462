/** A whole desk in memory: sandbox, client, journal and interpreter, and a way to die anywhere. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { standingClock, type StandingClock } from '../../src/base/clock.ts';
import { seededRandom } from '../../src/base/random.ts';
import type { Secret } from '../../src/base/secret.ts';
import { createClient, type Client } from '../../src/exchange/client/client.ts';
import type { Transport } from '../../src/exchange/api/exchange.ts';
import type { Family } from '../../src/exchange/api/family.ts';
import { termsFrom, type TermsOf } from '../../src/exchange/api/terms.ts';
import type { Destination, Entry } from '../../src/engine/journal/entry.ts';
import type { AppendFile } from '../../src/engine/journal/file.ts';
import { emptyJournal, journalOver, readJournal } from '../../src/engine/journal/journal.ts';
import { ledgerOf, type Ledger } from '../../src/engine/journal/ledger.ts';
import type { Reused } from '../../src/engine/journal/reused.ts';
import type { Visibilities } from '../../src/engine/journal/visibility.ts';
import { ConfigError } from '../../src/base/error.ts';
import type { Account } from '../../src/engine/plan/account.ts';
import type { GuardRules } from '../../src/language/limits.ts';
import type { Programs } from '../../src/engine/plan/programs.ts';
import { makePlan } from '../../src/engine/plan/planner.ts';
import type { Plan } from '../../src/engine/plan/plan.ts';
import { Moment } from '../../src/language/expression/value.ts';
import { resolveInputs } from '../../src/language/inputs.ts';
import { loadPlaybook } from '../swarm/memo.ts';
import type { Playbook } from '../../src/language/playbook.ts';
import type { Answers } from '../../src/engine/effects/people.ts';
import type { OnDoubt } from '../../src/engine/effects/effect-context.ts';
import { run } from '../../src/engine/runtime/run.ts';
import { documentRenderer } from '../../src/report/renderer.ts';
import type { RunResult } from '../../src/engine/interpreter/interpret.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';

/** The process died here; nothing after it happens. */
export class Crashed extends Error {}

/** Where a process dies: at the n-th journal write or request, before or after it took effect. */
export interface CrashPoint {
  readonly at: 'journal' | 'request';
  readonly nth: number;
  readonly when: 'before' | 'after';
  /** The power goes: what was written and not synced is lost. */
  readonly isPowerCut?: boolean;
}

export interface Harness {
  /** The family of the account, on an exchange whose keys serve one family. */
  readonly family?: Family;
  readonly clock: StandingClock;
  readonly sandbox: Sandbox;
  readonly workspace: string;
  /** The journal of the run as it is on the disk. */
  disk: string;
  /** What a power cut would leave of it. */
  synced: string;
  /** Journal writes, requests and syncs of the last life. */
  counts: { journal: number; request: number; syncs: number };
}

export const destination: Destination = {
  profile: 'main',
  target: 'sandbox',
  host: 'in-process',
  keyFingerprint: '00000000',
};

const start = Date.UTC(2026, 10, 20, 4, 0, 0);

/** @param family of the account, on an exchange with split families; default: keys serve both */
export async function openHarness(family?: Family): Promise<Harness> {
  const clock = standingClock(start);
  const sandbox = await openSandbox({ clock });
  if (family !== undefined) sandbox.control('POST', 'config', { quirks: { splitFamilies: true } });
  return {
    ...(family !== undefined && { family }),
    clock,
    sandbox,
    workspace: await mkdtemp(join(tmpdir(), 'desk-')),
    disk: '',
    synced: '',
    counts: { journal: 0, request: 0, syncs: 0 },
  };
}

/** A client of the desk's hedge account. */
export function clientOf(
  harness: Harness,
  wrap: (transport: Transport) => Transport = (t) => t,
): Client {
  return createClient({
    transport: wrap(harness.sandbox.transport),
    clock: harness.clock,
    random: seededRandom(7),
    credentials: credentialsOf(harness, roleOf(harness)),
    ...familyOf(harness),
  });
}

/** Another account of the sandbox, under its role's name. */
export function accountOf(harness: Harness, role: Role, guards: GuardRules = {}): Account {
  const exchange = createClient({
    transport: harness.sandbox.transport,
    clock: harness.clock,
    random: seededRandom(8),
    credentials: credentialsOf(harness, role),
  });
  const keyFingerprint = harness.sandbox.accounts[role].uid.slice(-8);
  const own = { ...destination, profile: role, keyFingerprint };
  return { exchange, destination: own, terms: termsOf(harness, role), guards, onDoubt: 'resend' };
}

/** What the desk's sandbox holds orders of an account against. */
export function termsOf({ sandbox }: Harness, role: Role = 'hedge'): TermsOf {
  const ask = (fields: object): unknown => sandbox.control('GET', 'terms', fields);
  return termsFrom(ask, sandbox.accounts[role].apiKey.reveal());
}

type Role = keyof Sandbox['accounts'];

/** The key of the desk's account; both are of the same account. */
function roleOf({ family }: Harness): Role {
  return family === 'unified' ? 'unified' : 'hedge';
}

function familyOf({ family }: Harness): { readonly family?: Family } {
  return family === undefined ? {} : { family };
}

/** Where the run of a desk goes. @param where default: the sandbox as such */
export function destinationOn(harness: Harness, where: Destination = destination): Destination {
  return { ...where, ...familyOf(harness) };
}

function credentialsOf(
  { sandbox }: Harness,
  role: Role = 'hedge',
): { apiKey: Secret; secretKey: Secret; passphrase: Secret } {
  const { apiKey, secretKey, passphrase } = sandbox.accounts[role];
  return { apiKey, secretKey, passphrase };
}

/** Loads a playbook that must be free of errors. @param others those it uses, by file */
export function playbookFrom(
  text: string,
  others: Readonly<Record<string, string>> = {},
): Playbook {
  const { playbook, problems } = loadPlaybook(text, 'test.yaml', {
    include: (file) => others[file],
  });
  if (playbook === undefined) {
    throw new Error(problems.map(({ message, at }) => `${at.start.line}: ${message}`).join('\n'));
  }
  return playbook;
}

export interface Life {
  readonly death?: CrashPoint;
  readonly onDoubt?: OnDoubt;
  /** The limits in force. */
  readonly guards?: GuardRules;
  readonly wrap?: (transport: Transport) => Transport;
  readonly ledger?: Ledger;
  /** Where it goes; the sandbox as such by default. */
  readonly destination?: Destination;
  readonly visibilities?: Visibilities;
  readonly runId?: string;
  /** Whether the exchange tells trading rules that orders are checked against; by default, it does. */
  readonly hasTerms?: false;
  readonly drain?: AbortSignal;
  readonly halt?: AbortSignal;
  readonly accounts?: readonly Account[];
  /** The steps that an earlier run did. */
  readonly reused?: Reused;
  readonly programs?: Programs;
  readonly notify?: (address: string, notice: object, key?: string) => Promise<void>;
  readonly secret?: (name: string) => string;
  /** How people answer; default: nobody can. */
  readonly answers?: Answers;
  readonly onEntry?: (entry: Entry) => void;
  /** The length of the record at the start of this life, in characters. */
  readonly recorded?: number;
}

/** One life of a process: a new run, or the rest of the one on the desk's disk. */
export async function live(
  harness: Harness,
  playbook: Playbook,
  life: Life = {},
): Promise<RunResult> {
  const { entries: earlier, state, tornAt } = readJournal(harness.disk, 'journal.ndjson');
  if (tornAt !== undefined) harness.disk = harness.disk.slice(0, tornAt);
  const simulator = crashSimulator(harness, life.death);
  const exchange = clientOf(harness, (transport) =>
    simulator.wire((life.wrap ?? ((t) => t))(transport)),
  );
  const started = earlier.find((entry) => entry.kind === 'started');
  const time = started?.kind === 'started' ? started.time : await exchange.serverTime();
  const { inputs } = resolveInputs(playbook, new Map(), { time: new Moment(time) });
  return run({
    playbook,
    inputs,
    runId: life.runId ?? 'r-test',
    account: {
      destination: destinationOn(harness, life.destination),
      exchange,
      ...(life.hasTerms === false ? {} : { terms: termsOf(harness) }),
      onDoubt: life.onDoubt ?? 'resend',
    },
    ...(life.visibilities && { visibilities: life.visibilities }),
    journal: journalOver(
      simulator.file,
      harness.clock,
      earlier.length === 0 ? emptyJournal : state,
      undefined,
      life.recorded,
    ),
    earlier,
    ledger: life.ledger ?? new Map(),
    clock: harness.clock,
    time,
    accounts: life.accounts ?? [],
    reused: life.reused,
    guards: life.guards ?? {},
    origin: { program: 'deskhand test' },
    world: {
      workspace: harness.workspace,
      documents: documentRenderer('deskhand test'),
      secret: life.secret ?? ((name) => name),
      ...(life.programs !== undefined && { programs: life.programs }),
      ...(life.notify !== undefined && { notify: life.notify }),
      ...(life.answers !== undefined && { answers: life.answers }),
    },
    drain: life.drain ?? new AbortController().signal,
    halt: life.halt ?? new AbortController().signal,
    onEntry: life.onEntry ?? (() => undefined),
  });
}

/** Lives until the run ends automatically, dying once on the way when told to. */
export async function liveOn(harness: Harness, playbook: Playbook, life: Life): Promise<RunResult> {
  try {
    return await live(harness, playbook, life);
  } catch (error) {
    if (!isCrash(error)) throw error;
  }
  const { death: _death, ...again } = life;
  return live(harness, playbook, again);
}

export async function planOn(
  harness: Harness,
  playbook: Playbook,
  ledger: Ledger = new Map(),
  accounts: readonly Account[] = [],
  hasTerms = true,
  wrap?: (transport: Transport) => Transport,
): Promise<Plan> {
  const exchange = clientOf(harness, wrap);
  const observedAt = await exchange.serverTime();
  const { inputs } = resolveInputs(playbook, new Map(), { time: new Moment(observedAt) });
  return makePlan({
    playbook,
    inputs,
    destination: destinationOn(harness),
    exchange,
    ...(hasTerms && { terms: termsOf(harness) }),
    ledger,
    guards: {},
    isOffline: false,
    observedAt,
    run: 'r-test',
    signal: new AbortController().signal,
    open: async (profile) => {
      const found = accounts.find(({ destination: { profile: name } }) => name === profile);
      if (found === undefined) throw new ConfigError(`unknown profile ${JSON.stringify(profile)}`);
      return found;
    },
  });
}

export function entriesOf(harness: Harness): readonly Entry[] {
  return readJournal(harness.disk, 'journal.ndjson').entries;
}

export function ledgerOn(harness: Harness): ReturnType<typeof ledgerOf> {
  return ledgerOf('r-test', entriesOf(harness));
}

/** Orders of the hedge account by clientOid, open and closed: how often each is there. */
export async function ordersPlaced(harness: Harness): Promise<ReadonlyMap<string, number>> {
  const exchange = clientOf(harness);
  const seen = new Map<string, Set<string>>();
  for (const name of ['order/list-open', 'order/list-history'] as const) {
    for await (const { rows } of exchange.pages(name, {})) {
      for (const { clientOid, orderId } of rows) {
        const name = String(clientOid);
        seen.set(name, (seen.get(name) ?? new Set()).add(String(orderId)));
      }
    }
  }
  return new Map([...seen].map(([clientOid, ids]) => [clientOid, ids.size]));
}

function isCrash(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof Crashed) return true;
  return false;
}

/** The disk and the wire of one process; after the point of death neither does anything more. */
function crashSimulator(
  harness: Harness,
  death: CrashPoint | undefined,
): { readonly file: AppendFile; wire(transport: Transport): Transport } {
  let isCrashed = false;
  harness.synced = harness.disk;
  const counts = { journal: 0, request: 0, syncs: 0 };
  harness.counts = counts;
  const pass = (at: CrashPoint['at'], when: CrashPoint['when']): void => {
    if (when === 'before') counts[at] += 1;
    if (!isCrashed && death?.at === at && death.nth === counts[at] && death.when === when) {
      isCrashed = true;
      if (death.isPowerCut === true) harness.disk = harness.synced;
    }
    if (isCrashed) throw new Crashed();
  };
  return {
    file: {
      write: async (text) => {
        pass('journal', 'before');
        harness.disk += text;
      },
      sync: async () => {
        counts.syncs += 1;
        if (!isCrashed) harness.synced = harness.disk;
        pass('journal', 'after');
      },
      close: async () => undefined,
    },
    wire: (transport) => async (request, signal) => {
      pass('request', 'before');
      const answer = await transport(request, signal);
      pass('request', 'after');
      return answer;
    },
  };
}
