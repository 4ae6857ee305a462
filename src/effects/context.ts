/** What effects work with: the exchange and its accounts, files, secrets, the outer world. */
import type { Clock } from '../base/clock.ts';
import { InternalError } from '../base/error.ts';
import type { Json } from '../base/json.ts';
import type { Secret } from '../base/secret.ts';
import type { Exchange } from '../api/exchange.ts';
import type { TermsOf } from '../api/terms.ts';
import type { ProductType } from '../api/vocabulary.ts';
import type { Disk } from '../export/disk.ts';
import type { Chart, ChartRequest, PageRequest } from '../export/document-parts.ts';
import type { Address, Destination, Entry, Event } from '../journal/entry.ts';
import type { Ledger } from '../journal/ledger.ts';
import type { Proven } from '../journal/replay.ts';
import type { Account } from '../plan/account.ts';
import type { Order } from '../plan/orders.ts';
import type { Programs } from '../plan/programs.ts';
import type { Playbook } from '../playbook/playbook.ts';
import type { Attempt } from './effect.ts';
import type { WriteLimits } from './limits.ts';
import type { Input } from '../api/index.ts';
import type { Visibility } from '../journal/visible.ts';
import type { Signed } from './fence.ts';

/** What happens to an order that is in doubt and cannot be found: ask a person, or send it again. */
export type OnDoubt = Account['onDoubt'];

/** Renders reports, charts and pages; a port, since `src/report` is above this folder. */
export interface DocumentRenderer {
  /** The report of a run, as a page or as Markdown by the ending of its file. */
  readonly report: (entries: readonly Entry[], file: string) => string;
  /** @throws DeskhandError when the spec does not lead to a chart */
  readonly draw: (request: ChartRequest) => Promise<Chart>;
  /** A page made of parts, or the same as Markdown by the ending of its file. */
  readonly page: (request: PageRequest, entries: readonly Entry[], file: string) => Promise<string>;
  /** A chart by itself, as the text of an .svg file. */
  readonly picture: (chart: Chart) => string;
}

/** The world of one run. */
export interface RunEnvironment {
  /** Profile, exchange and policy of the run's own account. */
  readonly account: Pick<Account, 'exchange' | 'terms' | 'destination' | 'onDoubt'>;
  /** The accounts of other profiles that steps name, as the plan found them. */
  readonly accounts: readonly Account[];
  /** What their lists can be trusted with. */
  readonly visibilities: OrderVisibilities;
  /** Answers that the run's plan froze, by address: they are not asked for again. */
  readonly frozen: ReadonlyMap<Address, Json>;
  /** Actions whose order the plan found on the exchange: they are looked up, and never sent. */
  readonly found: ReadonlySet<Address>;
  readonly runId: string;
  /** The playbook of the run: what it is reported as, and whose steps are looked up. */
  readonly playbook: Playbook;
  readonly clock: Clock;
  readonly ledger: Ledger;
  /** The limits in force, asked right before each send. */
  readonly limits: WriteLimits;
  /** Folder that files are written under. */
  readonly workspace: string;
  /** Where files are made; the machine's own when absent. */
  readonly disk?: Disk;
  readonly documents: DocumentRenderer;
  /** What was recorded so far. */
  readonly entries: () => Promise<readonly Entry[]>;
  /** Looks up a secret by name. @throws ConfigError naming it when it is not set */
  readonly secret: (name: string) => string;
  /** All that the session knows: what a program prints is masked with them. */
  readonly secrets?: readonly Secret[];
  /** Tells another system something; a port, so that a rehearsal tells no one. @throws NoticeError */
  readonly notify: (address: string, notice: object, key?: string) => Promise<void>;
  /** Programs that steps may run. */
  readonly programs: Programs;
  /** Aborted by the first interrupt: nothing new is sent. */
  readonly drain: AbortSignal;
}

/** What one attempt works with: the world, seen from its account. */
export interface EffectContext extends Omit<
  RunEnvironment,
  'account' | 'accounts' | 'visibilities'
> {
  readonly exchange: Exchange;
  /** Trading rules that orders are checked against before they are sent; absent if not known. */
  readonly terms?: TermsOf | undefined;
  readonly destination: Destination;
  /** The run works on several accounts. */
  readonly isOneOfMany: boolean;
  readonly onDoubt: OnDoubt;
  readonly visibility: OrderVisibility;
  readonly orders: KnownOrders;
  readonly before: Proven;
  readonly record: (event: Event) => Promise<void>;
  /** Aborted when waiting for answers has taken long enough. */
  readonly halt: AbortSignal;
}

/** Orders found on an account by clientOid, for writes that other runs may have done. */
export type KnownOrders = Map<ProductType, Promise<ReadonlyMap<string, Order>>>;

/** Contexts of a run: one for each attempt, with what is known of its account. */
export function effectContexts(
  world: RunEnvironment,
): (account: string, attempt: Attempt) => EffectContext {
  const { account: own, accounts, visibilities, ...shared } = world;
  const all = [own, ...accounts].map((account) => {
    return { ...account, visibility: visibilities.of(account.destination), orders: new Map() };
  });
  const byProfile = new Map(all.toReversed().map((each) => [each.destination.profile, each]));
  const ledgers = new Map(accounts.map(({ destination, ledger }) => [destination.profile, ledger]));
  return (profile, { before, note, signal }) => {
    const account = byProfile.get(profile);
    if (account === undefined) throw new InternalError(`the account ${profile} is not open`);
    const { exchange, terms, destination, onDoubt, visibility, orders } = account;
    const attempted = { before, record: note, halt: signal, isOneOfMany: all.length > 1 };
    const ledger = profile === own.destination.profile ? undefined : ledgers.get(profile);
    const seen = { exchange, terms, destination, onDoubt, visibility, orders };
    return { ...shared, ...(ledger && { ledger }), ...seen, ...attempted };
  };
}
/**
 * One account's lists, as far as known, line by line: an exchange may show the orders of
 * one and none of another. That an order is not in them says something only where they show what
 * is placed at all.
 */

export interface OrderVisibility {
  /** Waits for a look that is in progress. */
  known(productType: ProductType): Promise<Visibility['orders']>;
  /** An order was answered: it is looked up, next to the run, when that teaches anything. */
  answered(order: Answered, context: EffectContext): void;
  /** A list has shown an order. @throws DiskError */
  shown(order: Shown, context: EffectContext): Promise<void>;
}

export interface Answered {
  readonly address: string;
  readonly placed: Input<'futures/place-order'>;
  /** As it was answered; none when an order that closes had nothing left to close. */
  readonly orderId: string;
  /** Every attempt, oldest first; never empty. */
  readonly signed: readonly Signed[];
}

export interface Shown {
  readonly order: Pick<Order, 'clientOid' | 'orderId'>;
  /** The product type it was placed on. */
  readonly productType: ProductType;
  readonly address: string;
}
/** The lists of every account of a run. */

export interface OrderVisibilities {
  readonly of: (destination: Destination) => OrderVisibility;
  /** Resolves when nothing is looked up any longer. @throws DiskError */
  readonly ended: () => Promise<void>;
  /** The run ended otherwise: lookups in progress end silently. */
  readonly stop: () => void;
}
