/** A run from its first entry to its last: the interpreter on the engine of this process. */
import type { Clock } from '../base/clock.ts';
import { DeskhandError, exits } from '../base/error.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { TermsOf } from '../contract/terms.ts';
import type { OnDoubt, World } from '../effects/bench.ts';
import { effectsOf } from '../effects/index.ts';
import { sightsOf, type Sights } from '../effects/sight.ts';
import { postNotice } from '../effects/webhook.ts';
import type { Disk } from '../export/disk.ts';
import type { Approval, Destination, Entry, Event } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import { hasOpenWrite } from '../journal/replay.ts';
import { newsOf, visibilitiesIn, type Visibilities } from '../journal/visibility.ts';
import type { Account } from '../plan/account.ts';
import { guardBook } from '../plan/guards.ts';
import type { Programs } from '../plan/programs.ts';
import type { GuardRules } from '../playbook/limits.ts';
import { toJson } from '../playbook/expression/value.ts';
import { interpreterOf, type Interpretation, type RunResult } from '../run/interpret.ts';
import type { RunJobs } from '../run/jobs.ts';
import { embeddedEngine, type Engine } from './embedded.ts';

export interface RunOptions extends Omit<Interpretation, 'guards'> {
  readonly guards: GuardRules;
  readonly exchange: Exchange;
  /** What orders are held against; absent where nothing tells it. */
  readonly terms?: TermsOf;
  readonly journal: Journal;
  /** Entries of the journal when the run is resumed; empty for a new one. */
  readonly earlier: readonly Entry[];
  /** What earlier runs learned of the accounts' lists; nothing when absent. */
  readonly visibilities?: Visibilities;
  readonly clock: Clock;
  /** Id of the saved plan that is run, if one is; the run id then follows from it. */
  readonly plan?: string;
  /** The commit the plan was made at, in a repository. */
  readonly commit?: string;
  /** Whose signed word that plan has. */
  readonly approvals?: readonly Approval[];
  readonly onDoubt: OnDoubt;
  /** Accounts of other profiles that steps name. */
  readonly accounts: readonly Account[];
  readonly workspace: string;
  /** Where files are made; the machine's own when absent. */
  readonly disk?: Disk;
  readonly program: string;
  readonly papers: World['papers'];
  readonly secret: World['secret'];
  /** One HTTPS POST when absent. */
  readonly notify?: World['notify'];
  /** Programs that steps may run; none when absent. */
  readonly programs?: Programs;
  readonly halt: AbortSignal;
  /** Every entry, in order, once it is on the disk. */
  readonly onEntry: (entry: Entry) => void;
}

/**
 * Runs, or goes on with, a playbook.
 * @throws DiskError when the journal cannot be written: nothing was sent after that
 */
export async function run(options: RunOptions): Promise<RunResult> {
  const { runId, journal, earlier, clock, exchange, drain, halt, onEntry } = options;
  const guards = guardBook(options.guards, { now: () => clock.now() });
  const accounts = destinationsOf(options);
  const news = newsOf(accounts, options.visibilities, earlier);
  const sights = sightsOf(runId, accounts, visibilitiesIn([...earlier, ...news]));
  const { main, child } = interpreterOf({ ...options, guards });
  const engine: Engine<RunJobs> = embeddedEngine({
    runId,
    journal,
    earlier,
    effects: effectsOf(
      worldOf(options, sights, async () => {
        await engine.caughtUp();
        return engine.entries;
      }),
    ),
    body: child,
    clock,
    time: (signal) => exchange.serverTime(signal),
    drain,
    halt,
    onEntry,
  });
  try {
    await engine.record(earlier.length === 0 ? startedEvent(options) : { kind: 'resumed' });
    await Promise.all(news.map((event) => engine.record(event)));
    const walked = await main(engine.durable);
    await sights.ended();
    const result = hasOpenWrite(engine.entries) ? inDoubt : walked;
    const told = guards.results();
    await engine.record({ kind: 'finished', ...result, ...(told.length > 0 && { guards: told }) });
    return result;
  } catch (error) {
    throw hasOpenWrite(engine.entries) ? new LostRecordError(error) : error;
  } finally {
    engine.end();
    sights.stop();
  }
}

function destinationsOf({ destination, accounts }: RunOptions): readonly Destination[] {
  return [destination, ...accounts.map((account) => account.destination)];
}

function worldOf(options: RunOptions, sights: Sights, entries: World['entries']): World {
  const { exchange, terms, destination, onDoubt, accounts, playbook, clock, ledger } = options;
  const { runId, workspace, disk, papers, secret, drain } = options;
  return {
    account: { exchange, destination, onDoubt, ...(terms && { terms }) },
    accounts,
    sights,
    runId,
    playbook,
    clock,
    ledger,
    workspace,
    ...(disk && { disk }),
    papers,
    entries,
    secret,
    notify: options.notify ?? postNotice,
    programs: options.programs ?? false,
    drain,
  };
}

/** Something that was sent has no final word, wherever the walk ended: it may not have come to it. */
const inDoubt: RunResult = { status: 'doubt', exit: exits.inDoubt, outputs: null };

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

function startedEvent(options: RunOptions): Event {
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
    ...(options.commit !== undefined && { commit: options.commit }),
    ...(options.approvals && { approvals: options.approvals }),
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
