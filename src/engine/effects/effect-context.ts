/** The environment of effects: the exchange and its accounts, files, secrets, other systems. */
import type { Millis } from '../../base/clock.ts';
import type { Clock } from '../../base/clock.ts';
import { InternalError } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import type { Secret } from '../../base/secret.ts';
import type { Exchange } from '../../exchange/api/exchange.ts';
import type { TermsOf } from '../../exchange/api/terms.ts';
import type { ListedLine, MeantOrder } from '../../exchange/api/meant-order.ts';
import type { Disk } from '../export/disk.ts';
import type { Chart, ChartRequest, PageRequest, TablePart } from '../export/document-parts.ts';
import type { Address, Destination, Entry, Event, Stored } from '../journal/entry.ts';
import type { Ledger } from '../journal/ledger.ts';
import type { Proven } from '../journal/replay.ts';
import type { Account } from '../plan/account.ts';
import type { NamedOrders, Order } from '../plan/order-row.ts';
import type { Programs } from '../plan/programs.ts';
import type { Printed, Program } from './shell.ts';
import type { TextTable } from '../../base/text-table.ts';
import type { Playbook } from '../../language/playbook.ts';
import type { Answers } from './people.ts';
import type { Attempt } from './effect.ts';
import type { WriteLimits } from './limits.ts';
import { Searches } from './searches.ts';
import type { StepNotice } from './step-notice.ts';
import type { Visibility } from '../journal/visible.ts';
import type { Signed } from './fence.ts';

/** The treatment of an order in doubt that cannot be found: ask a person, or send it again. */
export type OnDoubt = Account['onDoubt'];

/** Renders reports, charts and pages; a port, because `src/report` is above this folder. */
export interface DocumentRenderer {
  /** The report of a run, as a page or as Markdown, by the extension of its file. */
  readonly report: (entries: readonly Entry[], file: string) => string;
  /** @throws DeskhandError when the spec gives no chart */
  readonly draw: (request: ChartRequest) => Promise<Chart>;
  /** A page made of parts, as HTML or Markdown by the extension of its file. */
  readonly page: (request: PageRequest, entries: readonly Entry[], file: string) => Promise<string>;
  /** A separate chart, as the text of an .svg file. */
  readonly picture: (chart: Chart) => string;
  /** The text of a page that was written as HTML, for readers without HTML. */
  readonly plain: (page: string) => string;
  /** A table for a message: its cells are formatted as on a page. */
  readonly table: (part: TablePart) => TextTable;
}

/** The environment of one run. */
export interface RunEnvironment {
  /** Profile, exchange and policy of the run's own account. */
  readonly account: Pick<Account, 'exchange' | 'terms' | 'destination' | 'onDoubt'>;
  /** The accounts of other profiles that steps name, as the plan opened them. */
  readonly accounts: readonly Account[];
  /** Whether the lists of the accounts show orders. */
  readonly visibilities: OrderVisibilities;
  /** Responses frozen by the plan, by address: they are not requested again. */
  readonly frozen: ReadonlyMap<Address, Json>;
  /** Actions whose order the plan found on the exchange: they are looked up, and never sent. */
  readonly found: ReadonlySet<Address>;
  readonly runId: string;
  /** The playbook of the run: its name, and the source of its steps. */
  readonly playbook: Playbook;
  readonly clock: Clock;
  readonly ledger: Ledger;
  /** The time since which the store of this run forgot confirmed entries; absent if it never did. */
  readonly forgot?: { readonly since: Millis };
  /** The clientOids in the journals of other runs. */
  readonly namesElsewhere: () => Promise<ReadonlySet<string>>;
  /** The limits in force, checked right before each send. */
  readonly limits: WriteLimits;
  /** Folder that files are written under. */
  readonly workspace: string;
  /** Variables that programs inherit; default: those of this process. */
  readonly inherited?: Readonly<Record<string, string | undefined>>;
  /** The disk on which files are created; default: the machine's disk. */
  readonly disk?: Disk;
  /** Copies a file of the workspace to where other machines find it; default: none do. */
  readonly keepFile?: KeepFile;
  /** Files of the run that are not in this workspace, with the place where they are; default: none. */
  readonly elsewhere?: ReadonlyMap<string, string>;
  readonly documents: DocumentRenderer;
  /** Reads the entries that the journal has until now. */
  readonly entries: () => Promise<readonly Entry[]>;
  /** Looks up a secret by name. @throws ConfigError naming it when it is not set */
  readonly secret: (name: string) => string;
  /** All secrets of the session: the output of programs is masked with them. */
  readonly secrets?: readonly Secret[];
  /** Notifies another system; an interface, so that a rehearsal sends nothing. @throws NoticeError */
  readonly notify: (address: string, notice: StepNotice, key?: string) => Promise<void>;
  /** The address of the pages of `serve`; absent if none is configured. */
  readonly pages?: string;
  /** Programs that steps may execute. */
  readonly programs: Programs;
  /** Executes a program; an interface, so that a test starts none. @throws ProgramError */
  readonly execute: (program: Program) => Promise<Printed>;
  /** How people answer the questions of `approve`. */
  readonly answers: Answers;
  /** Aborted by the first interrupt: nothing new is sent. */
  readonly drain: AbortSignal;
}

/**
 * @returns the place where the file is now
 * @throws HeldError when another process has taken the run
 */
export type KeepFile = (
  made: {
    readonly file: string;
    readonly bytes: number;
    readonly sha256: string;
    readonly hasManifest: boolean;
  },
  signal: AbortSignal,
) => Promise<Stored>;

/** The workspace of a run, to read its files. */
export type RunPlace = Pick<RunEnvironment, 'workspace' | 'elsewhere'>;

/** The environment of one attempt on its account. */
export interface EffectContext extends Omit<
  RunEnvironment,
  'account' | 'accounts' | 'visibilities'
> {
  readonly exchange: Exchange;
  /** Trading rules that orders are checked against before they are sent; absent if not known. */
  readonly terms?: TermsOf | undefined;
  readonly destination: Destination;
  /** Whether the run uses several accounts. */
  readonly isOneOfMany: boolean;
  readonly onDoubt: OnDoubt;
  readonly visibility: OrderVisibility;
  readonly orders: KnownOrders;
  readonly searches: Searches;
  readonly before: Proven;
  readonly record: (event: Event) => Promise<void>;
  readonly recordLater: (event: Event) => void;
  /** Aborted when the time limit for responses has passed. */
  readonly halt: AbortSignal;
}

/** Orders of an account by clientOid, for writes that other runs may have done; by product line. */
export type KnownOrders = Map<string, Promise<NamedOrders>>;

/** The contexts of a run: one for each attempt, with the facts known about its account. */
export function effectContexts(
  world: RunEnvironment,
): (account: string, attempt: Attempt) => EffectContext {
  const { account: own, accounts, visibilities, ...shared } = world;
  const isOneOfMany = accounts.length > 0;
  const all = [{ ...own, ledger: shared.ledger }, ...accounts].map((account) => {
    const { exchange, terms, destination, onDoubt, ledger = shared.ledger } = account;
    const visibility = visibilities.of(destination);
    const facts = { visibility, orders: new Map(), searches: new Searches(world.clock) };
    const ofAccount = { exchange, terms, destination, onDoubt, ledger, isOneOfMany };
    return [destination.profile, { ...shared, ...ofAccount, ...facts }] as const;
  });
  const byProfile = new Map(all.toReversed());
  return (profile, { before, note, noteLater, signal }) => {
    const ofAccount = byProfile.get(profile);
    if (ofAccount === undefined) throw new InternalError(`the account ${profile} is not open`);
    // The spread is last: properties added after one of this size take 20 µs.
    return { before, record: note, recordLater: noteLater, halt: signal, ...ofAccount };
  };
}
/**
 * Whether the lists of an account show its orders, per product line: an exchange may show the orders of
 * one product line and none of another. The absence of an order proves something only if the lists show
 * placed orders.
 */

export interface OrderVisibility {
  /** Whether the account's lists are already known to show orders of the product line. */
  isListed(line: ListedLine): boolean;
  /** Waits for a lookup in progress. */
  known(line: ListedLine): Promise<Visibility['orders']>;
  /**
   * Called when an order was accepted: it is looked up, in parallel to the run, if that gives new
   * evidence.
   */
  answered(order: Answered, context: EffectContext): void;
  /** Records that a list showed an order. @throws DiskError */
  shown(order: Shown, context: EffectContext): Promise<void>;
}

export interface Answered {
  readonly address: string;
  readonly placed: MeantOrder;
  /** The id in the response; absent if a closing order had nothing left to close. */
  readonly orderId: string;
  /** Every attempt, oldest first; never empty. */
  readonly signed: readonly Signed[];
}

export interface Shown {
  readonly order: Pick<Order, 'clientOid' | 'orderId'>;
  /** The product line of the order, in the lists that showed it. */
  readonly on: ListedLine;
  readonly address: string;
}
/** Order visibility for every account of a run. */

export interface OrderVisibilities {
  readonly of: (destination: Destination) => OrderVisibility;
  /** Resolves when no lookup is in progress. @throws DiskError */
  readonly ended: () => Promise<void>;
  /** The run ended for another reason: lookups in progress end silently. */
  readonly stop: () => void;
}
