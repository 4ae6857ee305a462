/** The interpreter: walks a checked playbook step by step; everything it does is in the journal. */
import type { Clock, Millis } from '../base/clock.ts';
import { DeskhandError, exits, type ExitCode } from '../base/error.ts';
import type { Json } from '../base/json.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { TermsOf } from '../contract/terms.ts';
import type { Disk } from '../export/disk.ts';
import type { Destination, Entry } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import type { Ledger } from '../journal/ledger.ts';
import { replay } from '../journal/replay.ts';
import type { Account } from '../plan/account.ts';
import { guardBook } from '../plan/guards.ts';
import type { GuardRules } from '../playbook/limits.ts';
import type { Plan } from '../plan/plan.ts';
import type { Programs } from '../plan/programs.ts';
import { firstScope } from '../plan/scope.ts';
import { toJson, type Value } from '../playbook/expression/value.ts';
import type { Playbook } from '../playbook/playbook.ts';
import { accountsFrom } from './account.ts';
import { recorderOver, type Bench, type OnDoubt, type Playback } from './bench.ts';
import type { Walked } from './outcome.ts';
import { outputsOf } from './outputs.ts';
import { walk } from './walk.ts';
import { postNotice } from './webhook.ts';

export interface RunOptions {
  readonly playbook: Playbook;
  readonly inputs: Readonly<Record<string, Value>>;
  readonly runId: string;
  readonly destination: Destination;
  readonly exchange: Exchange;
  /** What orders are held against; absent where nothing tells it. */
  readonly terms?: TermsOf;
  readonly journal: Journal;
  /** Entries of the journal when the run is resumed; empty for a new one. */
  readonly earlier: readonly Entry[];
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** The frozen time of the run, by the exchange's clock. */
  readonly time: Millis;
  /** The time of its schedule it is for, if it is for one. */
  readonly scheduledFor?: Millis | undefined;
  /** Id of the saved plan that is run, if one is; the run id then follows from it. */
  readonly plan?: string;
  readonly onDoubt: OnDoubt;
  /** Accounts of other profiles that steps name. */
  readonly accounts: readonly Account[];
  readonly guards: GuardRules;
  /** Mark prices of the plan, by symbol. */
  readonly marks: Plan['marks'];
  readonly workspace: string;
  /** Where files are made; the machine's own when absent. */
  readonly disk?: Disk;
  readonly program: string;
  readonly papers: Bench['papers'];
  readonly secret: Bench['secret'];
  /** One HTTPS POST when absent. */
  readonly notify?: Bench['notify'];
  /** Programs that steps may run; none when absent. */
  readonly programs?: Programs;
  /** Plays a recorded run again; everything is asked and sent when absent. */
  readonly playback?: Playback;
  /** Only these steps; all when absent. */
  readonly only?: readonly string[];
  readonly drain: AbortSignal;
  readonly halt: AbortSignal;
  /** Every entry, in order, once it is on the disk. */
  readonly onEntry: (entry: Entry) => void;
}

export interface RunResult {
  readonly status: 'done' | 'stopped' | 'doubt' | 'interrupted';
  readonly exit: ExitCode;
  readonly outputs: Json;
}

/**
 * Runs, or goes on with, a playbook.
 * @throws DiskError when the journal cannot be written: nothing was sent after that
 */
export async function run(options: RunOptions): Promise<RunResult> {
  const bench = benchOf(options);
  try {
    await bench.recorder.record(
      options.earlier.length === 0 ? startedEvent(options) : { kind: 'resumed' },
    );
    const { playbook, runId, inputs, time, scheduledFor, only } = options;
    const scope = firstScope(inputs, { id: runId, playbook: playbook.name, time, scheduledFor });
    const walked = await walk(playbook, scope, bench, only);
    const result = resultOf(playbook, walked, options.drain.aborted);
    const guards = bench.guards.results();
    await bench.recorder.record({
      kind: 'finished',
      ...result,
      ...(guards.length > 0 && { guards }),
    });
    return result;
  } catch (error) {
    throw hasOpenWrite(bench.recorder.entries) ? new LostRecordError(error) : error;
  }
}

/** The record ended while a write was under way: its outcome is unknown until the run is resumed. */
export class LostRecordError extends DeskhandError {
  constructor(cause: unknown) {
    super('the journal ended while a write was under way; its outcome is not recorded', {
      code: 'in-doubt',
      actor: 'operator',
      exit: exits.inDoubt,
      hint: 'mend the disk, then resume the run: it looks the write up before anything else',
      cause,
    });
  }
}

function resultOf(playbook: Playbook, walked: Walked, isDrained: boolean): RunResult {
  const { failure, isInterrupted, scope } = walked;
  if (failure?.status === 'doubt') return { status: 'doubt', exit: exits.inDoubt, outputs: null };
  if (isInterrupted || isDrained) {
    return { status: 'interrupted', exit: exits.interrupted, outputs: null };
  }
  if (failure !== undefined) return { status: 'stopped', exit: failure.exit, outputs: null };
  return { status: 'done', exit: exits.done, outputs: outputsOf(playbook, scope) };
}

function hasOpenWrite(entries: readonly Entry[]): boolean {
  return [...replay(entries).values()].some(({ openSince }) => openSince.length > 0);
}

function startedEvent(options: RunOptions): Parameters<Bench['recorder']['record']>[0] {
  const { playbook, runId, destination, accounts, inputs, time, scheduledFor } = options;
  const { program, plan } = options;
  const { name, file, digest, text, includes } = playbook;
  return {
    kind: 'started',
    run: runId,
    playbook: { name, file, digest, text, ...(includes.length > 0 && { includes }) },
    destination,
    ...(accounts.length > 0 && { accounts: accounts.map((account) => account.destination) }),
    ...(plan !== undefined && { plan }),
    inputs: toJson(inputs),
    time,
    ...(scheduledFor !== undefined && { scheduledFor }),
    program,
    steps: playbook.steps.map((step) => ({
      id: step.id,
      uses: step.uses,
      ...(step.name !== undefined && { name: step.name }),
      line: step.at.start.line,
    })),
  };
}

function benchOf(options: RunOptions): Bench {
  const guards = guardBook(options.guards, { now: () => options.clock.now() });
  const { exchange, clock, ledger, onDoubt, workspace, papers, secret, drain, halt, marks } =
    options;
  return {
    exchange,
    clock,
    ledger,
    onDoubt,
    workspace,
    papers,
    secret,
    notify: options.notify ?? postNotice,
    programs: options.programs ?? false,
    drain,
    halt,
    marks,
    ...(options.terms && { terms: options.terms }),
    ...(options.disk && { disk: options.disk }),
    ...(options.playback && { playback: options.playback }),
    guards,
    accounts: accountsFrom(options.accounts, guards),
    recorder: recorderOver(options.journal, options.earlier, options.onEntry),
    before: replay(options.earlier),
    naming: {
      playbook: options.playbook.name,
      destination: options.destination,
      run: options.runId,
    },
    orders: {},
    walk,
  };
}
