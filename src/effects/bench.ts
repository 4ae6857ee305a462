/** What effects work with: the exchange and its accounts, files, secrets, the outer world. */
import type { Clock } from '../base/clock.ts';
import { InternalError } from '../base/error.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { TermsOf } from '../contract/terms.ts';
import type { FuturesLine } from '../contract/vocabulary.ts';
import type { Disk } from '../export/disk.ts';
import type { Chart, ChartRequest, PageRequest } from '../export/paper.ts';
import type { Destination, Entry, Event } from '../journal/entry.ts';
import type { Ledger } from '../journal/ledger.ts';
import type { Proven } from '../journal/replay.ts';
import type { Account } from '../plan/account.ts';
import type { Order } from '../plan/orders.ts';
import type { Programs } from '../plan/programs.ts';
import type { Playbook } from '../playbook/playbook.ts';
import type { Attempt } from './effect.ts';
import type { Sight, Sights } from './sight.ts';

/** What happens to an order that is in doubt and cannot be found: ask a person, or send it again. */
export type OnDoubt = Account['onDoubt'];

/** What is drawn for people; a port, as papers are a floor above. */
export interface Papers {
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
export interface World {
  /** Profile, exchange and policy of the run's own account. */
  readonly account: Pick<Account, 'exchange' | 'terms' | 'destination' | 'onDoubt'>;
  /** The accounts of other profiles that steps name, as the plan found them. */
  readonly accounts: readonly Account[];
  /** What their lists can be trusted with. */
  readonly sights: Sights;
  readonly runId: string;
  /** The playbook of the run: what it is told as, and whose steps are looked up. */
  readonly playbook: Playbook;
  readonly clock: Clock;
  readonly ledger: Ledger;
  /** Folder that files are written under. */
  readonly workspace: string;
  /** Where files are made; the machine's own when absent. */
  readonly disk?: Disk;
  readonly papers: Papers;
  /** What was recorded so far. */
  readonly entries: () => Promise<readonly Entry[]>;
  /** Looks up a secret by name. @throws ConfigError naming it when it is not set */
  readonly secret: (name: string) => string;
  /** Tells another system something; a port, so that a rehearsal tells nobody. @throws NoticeError */
  readonly notify: (address: string, notice: object, key?: string) => Promise<void>;
  /** Programs that steps may run. */
  readonly programs: Programs;
  /** Aborted by the first interrupt: nothing new is sent. */
  readonly drain: AbortSignal;
}

/** What one attempt works with: the world, seen from its account. */
export interface Bench extends Omit<World, 'account' | 'accounts' | 'sights'> {
  readonly exchange: Exchange;
  /** What orders are held against before they are sent; absent where nothing tells it. */
  readonly terms?: TermsOf | undefined;
  readonly destination: Destination;
  readonly onDoubt: OnDoubt;
  readonly sight: Sight;
  readonly orders: KnownOrders;
  readonly before: Proven;
  readonly record: (event: Event) => Promise<void>;
  /** Aborted when waiting for answers has taken long enough. */
  readonly halt: AbortSignal;
}

/** Orders found on an account by clientOid, for writes that other runs may have done. */
export type KnownOrders = Map<FuturesLine, Promise<ReadonlyMap<string, Order>>>;

/** Benches of a world: one for each attempt, with what is known of its account. */
export function benches(world: World): (account: string, attempt: Attempt) => Bench {
  const { account: own, accounts, sights, ...shared } = world;
  const all = [own, ...accounts].map((account) => {
    return { ...account, sight: sights.of(account.destination), orders: new Map() };
  });
  const byProfile = new Map(all.toReversed().map((each) => [each.destination.profile, each]));
  return (profile, { before, note, signal }) => {
    const account = byProfile.get(profile);
    if (account === undefined) throw new InternalError(`nobody opened the account ${profile}`);
    const { exchange, terms, destination, onDoubt, sight, orders } = account;
    const record = { before, record: note, halt: signal };
    return { ...shared, exchange, terms, destination, onDoubt, sight, orders, ...record };
  };
}
