/** What an action works with: the exchange, the record, the time, and the two ways to be stopped. */
import type { Clock } from '../base/clock.ts';
import { DeskhandError, exits } from '../base/error.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { TermsOf } from '../contract/terms.ts';
import type { Disk } from '../export/disk.ts';
import type { Chart, ChartRequest } from '../export/paper.ts';
import type { Address, Entry, Event, Outcome } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import type { Ledger } from '../journal/ledger.ts';
import type { Replay } from '../journal/replay.ts';
import type { Account } from '../plan/account.ts';
import type { Call, Naming } from '../plan/call.ts';
import type { GuardBook } from '../plan/guards.ts';
import type { Order } from '../plan/orders.ts';
import type { Programs } from '../plan/programs.ts';
import type { Scope } from '../playbook/expression/value.ts';
import type { Playbook } from '../playbook/playbook.ts';
import type { Walked } from './outcome.ts';

/** What happens to an order that is in doubt and cannot be found: ask a person, or send it again. */
export type OnDoubt = 'ask' | 'resend';

/** Another account of the run, with what is counted and known of it. */
export interface OtherAccount extends Account {
  readonly book: GuardBook;
  readonly orders: Bench['orders'];
}

/**
 * What came of an action the last time; there when a recorded run is played again. Nothing is
 * asked and nothing is sent then.
 * @throws InterruptedError where the record ends
 */
export type Playback = (address: Address, step: string, call?: Call) => Outcome;

/** What is drawn for people; a port, as papers are a floor above. */
export interface Papers {
  /** The report of a run, as a page or as Markdown by the ending of its file. */
  readonly report: (entries: readonly Entry[], file: string) => string;
  /** @throws DeskhandError when the spec does not lead to a chart */
  readonly draw: (request: ChartRequest) => Promise<Chart>;
  /** A chart by itself, as the text of an .svg file. */
  readonly picture: (chart: Chart) => string;
}

export interface Bench {
  readonly playback?: Playback;
  readonly exchange: Exchange;
  /** What orders are held against before they are sent; absent where nothing tells it. */
  readonly terms?: TermsOf | undefined;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly naming: Naming;
  readonly ledger: Ledger;
  /** What this run's journal proved before it was resumed. */
  readonly before: Replay;
  readonly onDoubt: OnDoubt;
  /** The accounts of other profiles that steps name, as the plan found them. */
  readonly accounts: ReadonlyMap<string, OtherAccount>;
  /** The limits in force, asked once more before each send. */
  readonly guards: GuardBook;
  /** Mark prices by symbol, as the plan observed them. */
  readonly marks: Readonly<Record<string, string>>;
  /** Folder that files are written under. */
  readonly workspace: string;
  /** Where files are made; the machine's own when absent. */
  readonly disk?: Disk;
  readonly papers: Papers;
  /** Looks up a secret by name. @throws ConfigError naming it when it is not set */
  readonly secret: (name: string) => string;
  /** Tells another system something; a port, so that a rehearsal tells nobody. @throws NoticeError */
  readonly notify: (address: string, notice: object, key?: string) => Promise<void>;
  /** Programs that steps may run. */
  readonly programs: Programs;
  /** Aborted by the first interrupt: nothing new is sent. */
  readonly drain: AbortSignal;
  /** Aborted when waiting for answers has taken long enough. */
  readonly halt: AbortSignal;
  /** Walks a playbook a step uses; a port, as a step may hold a whole playbook. */
  readonly walk: (playbook: Playbook, scope: Scope, bench: Bench) => Promise<Walked>;
  /** Orders found on the exchange by clientOid, read once for steps that are once per playbook. */
  readonly orders: { found?: ReadonlyMap<string, Order> };
}

/** The person stopped the run; nothing new was sent after that. */
export class InterruptedError extends DeskhandError {
  constructor() {
    super('interrupted', {
      code: 'interrupted',
      actor: 'operator',
      exit: exits.interrupted,
      hint: 'the journal is whole: resume the run when you like',
    });
  }
}

/** Writes the journal and keeps what was written, for the papers and the screen. */
export interface Recorder {
  readonly entries: readonly Entry[];
  /** Resolves when the event is on the disk. @throws DiskError */
  record(event: Event): Promise<void>;
}

export function recorderOver(
  journal: Journal,
  earlier: readonly Entry[],
  onEntry: (entry: Entry) => void,
): Recorder {
  const entries = [...earlier];
  return {
    entries,
    record: async (event) => {
      const entry = await journal.append(event);
      entries.push(entry);
      onEntry(entry);
    },
  };
}
