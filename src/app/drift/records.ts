/** The writes of runs that a comparison needs. Those of an ended run are among its facts (sent-facts.ts); the record of
 * any other run is read, and that of an ended run without these facts if it may have what is compared.
 */
import { keyIn } from '../../exchange/api/meant-order.ts';
import { endedIn, type EndedOrders } from '../../engine/plan/drift-ended.ts';
import type { PastOrders } from '../../engine/plan/drift-orders.ts';
import { messageOf } from '../../base/error.ts';
import type { Millis } from '../../base/clock.ts';
import type { AlsoNoted } from '../../engine/journal/ended-facts.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { JournalError } from '../../engine/journal/error.ts';
import { evidenceOf } from '../../engine/journal/evidence.ts';
import { destinationsOf } from '../../engine/journal/account.ts';
import type { Destination } from '../../engine/journal/entry.ts';
import type { TableRow } from '../../engine/journal/ended-table.ts';
import type { RunHeader } from '../../engine/journal/header.ts';
import { newestFirst } from '../../engine/journal/proved-runs.ts';
import type { RunGroup } from '../../engine/journal/run-columns.ts';
import type { readableRuns } from '../../engine/journal/run-list.ts';
import {
  isSentFacts,
  isWhole,
  sentFacts,
  sentKind,
  sentWrites,
  type SentFacts,
} from '../../engine/journal/sent-facts.ts';
import { writesIn, type RecordedWrite } from '../../engine/journal/writes.ts';

type ReadableRuns = Awaited<ReturnType<typeof readableRuns>>;

/** A run of the compared playbook on the compared account. */
export interface OwnRun {
  readonly run: string;
  /** The profiles of its accounts beside the first. */
  readonly accounts: readonly string[];
  /** The writes that are compared, with accounts by their current names. */
  readonly writes: readonly RecordedWrite[];
  /** Whether the run completed with every step; absent for one that wrote nothing, whose record says it. */
  readonly isWhole?: boolean;
}

export interface Records {
  /** The runs of the playbook on the account, oldest first. */
  readonly own: readonly OwnRun[];
  /** The orders of these runs that are older than what the exchange lists; they are not among their writes. */
  readonly past: PastOrders;
  /** The number of runs of the playbook on other accounts. */
  readonly elsewhere: number;
  /** The problems of records that could not be read completely. */
  readonly damages: readonly string[];
  /** Filters clientOids: those that any run here sent. */
  readonly sentHere: (clientOids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Filters orders by their clientOids: those that any run here cancelled. */
  readonly endedHere: (clientOids: readonly string[]) => Promise<EndedOrders>;
}

export interface Comparing {
  readonly playbook: string;
  readonly stateDir: string;
  /** Whether an account is the compared one. */
  readonly isOurs: (account: Destination) => boolean;
  /** Whether the lists of the exchange begin after a run had sent what the facts say. */
  readonly isPast: (facts: SentFacts, signedAt: Millis) => boolean;
}

export async function recordsFor(
  runs: ReadableRuns,
  { playbook, stateDir, isOurs, isPast }: Comparing,
): Promise<Records> {
  const own: OwnRun[] = [];
  const damages: string[] = [];
  const orders = new OrderSearch(runs);
  const past: RunFacts[] = [];
  const readable = async (run: string, read: () => Promise<readonly Entry[]>) => {
    const entries = await read().catch(async (error: unknown) => {
      if (!(error instanceof JournalError)) throw error;
      damages.push(messageOf(error));
      return (await evidenceOf(stateDir, run)).entries;
    });
    orders.note(run, writesIn(run, entries));
    return entries;
  };
  for (const { run, because } of runs.unnamed) {
    damages.push(because);
    const entries = await readable(run, async () => (await evidenceOf(stateDir, run)).entries);
    own.push(ownRun(run, entries)); // it may be of the playbook
  }
  const listed = listedRuns(runs);
  const ours = onceFor(({ accounts: [first] }) => first !== undefined && isOurs(first));
  for (const { run, group, signedAt } of listed) {
    const isOwn = group.playbook === playbook && ours(group);
    const isSigned = signedAt !== undefined && Number.isFinite(signedAt);
    if (isSigned && !isOwn) {
      orders.others.push({ run });
      continue;
    }
    const accounts = othersIn(group);
    if (signedAt === -Infinity) {
      if (isOwn) own.push({ run, accounts, writes: [] });
      continue;
    }
    const facts = isSigned ? factsOf(run, runs) : undefined;
    if (facts === undefined || !isSigned) {
      const header = headerOf(run, runs);
      const entries = await readable(run, () => runs.ended.readRecorded(header, sentAlso));
      if (isOwn) own.push(ownRun(run, entries));
      continue;
    }
    const isOld = isPast(facts, signedAt);
    if (isOld) past.push({ run, facts });
    const writes = isOld ? [] : sentWrites(run, facts).map((each) => hereOf(each, group));
    if (facts.hasOthers) orders.note(run, writes);
    else orders.others.push({ run, facts });
    own.push({ run, accounts, writes, isWhole: facts.isWhole });
  }
  runs.ended.keep(listed.map(({ run }) => run));
  return {
    own,
    past: pastOrders(past),
    damages,
    elsewhere: listed.filter(({ group }) => group.playbook === playbook && !ours(group)).length,
    sentHere: (clientOids) => orders.sentHere(clientOids),
    endedHere: (clientOids) => orders.endedHere(clientOids),
  };
}

/** A run as lists have it. */
interface ListedRun extends Pick<TableRow, 'run' | 'group' | 'createdAt'> {
  /** The time when it signed its last write, -Infinity if it sent none; absent if it must be read. */
  readonly signedAt?: Millis;
}

/** All runs, oldest first; nothing is made of those that ended. */
function listedRuns({ others, ended }: ReadableRuns): readonly ListedRun[] {
  const known = ended.listing.rows();
  const single = [...others, ...known.others].map((header): ListedRun => {
    const { run, playbook, createdAt } = header;
    const group = { playbook, accounts: destinationsOf(header) };
    const end = ended.ended(header);
    return { run, group, createdAt, ...(end && { signedAt: end.signedAt ?? -Infinity }) };
  });
  return [...single, ...known.ended].toSorted(newestFirst).toReversed();
}

/** A predicate that asks once about each group of runs. */
function onceFor(isAsked: (group: RunGroup) => boolean): (group: RunGroup) => boolean {
  const known = new Map<RunGroup, boolean>();
  return (group) => {
    const is = known.get(group) ?? isAsked(group);
    known.set(group, is);
    return is;
  };
}

function headerOf(run: string, { others, ended }: ReadableRuns): RunHeader {
  return others.find((each) => each.run === run) ?? ended.listing.headerOf(run);
}

const sentAlso: AlsoNoted = { kind: sentKind, of: sentFacts };

interface RunFacts {
  readonly run: string;
  readonly facts: SentFacts;
}

function factsOf(run: string, { ended }: ReadableRuns): SentFacts | undefined {
  const facts = ended.factOf(sentKind, run);
  return isSentFacts(facts) ? facts : undefined;
}

/** The profiles of other accounts: a header names the first one again, with the keys of a resume. */
function othersIn({ accounts: [first, ...more] }: RunGroup): readonly string[] {
  return more.flatMap(({ profile }) => (profile === first?.profile ? [] : [profile]));
}

/** A run by its entries. */
function ownRun(run: string, entries: readonly Entry[]): OwnRun {
  const [started] = entries;
  const writes = writesIn(run, entries);
  if (started?.kind !== 'started') return { run, accounts: [], writes, isWhole: false };
  return {
    run,
    accounts: (started.accounts ?? []).map(({ profile }) => profile),
    writes: writes.map((write) => hereOf(write, { accounts: [started.destination] })),
    isWhole: isWhole(entries),
  };
}

/**
 * A write with its account by the current name. A write on the account of its run names none, and the profile
 * of the run may have another name now.
 */
function hereOf(
  write: RecordedWrite,
  { accounts: [first] }: Pick<RunGroup, 'accounts'>,
): RecordedWrite {
  const { account, ...own } = write;
  return account === undefined || account === first?.profile ? own : write;
}

function pastOrders(runs: readonly RunFacts[]): PastOrders {
  const orders = runs.flatMap(({ facts }) => facts.orders);
  const placed = new Map(orders.map((each) => [`${each.operation} ${each.line}`, each]));
  return {
    count: orders.reduce((sum, { count }) => sum + count, 0),
    lines: [...placed.values()],
    named: (names) =>
      runs.flatMap(({ run, facts }) => {
        if (!facts.names.some((name) => names.has(name))) return [];
        return sentWrites(run, facts).filter(({ operation, input }) =>
          names.has(keyIn(operation, input) ?? ''),
        );
      }),
  };
}

/** Searches runs for some orders: the facts of those that have them, then the records of the others. */
class OrderSearch {
  readonly #runs: ReadableRuns;
  /** Ended runs whose facts are looked at only if something is missing, oldest first. */
  readonly others: (Pick<RunFacts, 'run'> & Partial<RunFacts>)[] = [];
  /** Those of them without facts, whose records are read only if something is still missing, newest first. */
  readonly #unread: string[] = [];
  readonly #sent = new Set<string>();
  /** The run and step that cancelled an order. */
  readonly #ended = new Map<string, string>();
  #known: readonly SentFacts[] | undefined;

  constructor(runs: ReadableRuns) {
    this.#runs = runs;
  }

  note(run: string, writes: readonly RecordedWrite[]): void {
    for (const { operation, input } of writes) {
      const name = keyIn(operation, input);
      if (name !== undefined) this.#sent.add(name);
    }
    for (const [name, address] of endedIn(writes)) this.#ended.set(name, `${address} of ${run}`);
  }

  async sentHere(clientOids: readonly string[]): Promise<ReadonlySet<string>> {
    const asked = new Set(clientOids.filter((name) => !this.#sent.has(name)));
    for (const { names } of asked.size === 0 ? [] : this.#facts()) {
      for (const name of names) if (asked.has(name)) this.#sent.add(name);
    }
    await this.#search(clientOids, this.#sent);
    return new Set(clientOids.filter((name) => this.#sent.has(name)));
  }

  async endedHere(clientOids: readonly string[]): Promise<EndedOrders> {
    await this.#search(clientOids, this.#ended);
    return this.#ended;
  }

  async #search(
    clientOids: readonly string[],
    found: Pick<ReadonlySet<string>, 'has'>,
  ): Promise<void> {
    const isMissing = (): boolean => clientOids.some((name) => !found.has(name));
    if (!isMissing()) return;
    this.#facts();
    while (this.#unread.length > 0 && isMissing()) {
      const run = this.#unread.shift();
      if (run === undefined) break;
      const header = headerOf(run, this.#runs);
      const entries = await this.#runs.ended.readRecorded(header, sentAlso);
      this.note(run, writesIn(run, entries));
    }
    this.#runs.ended.keep(listedRuns(this.#runs).map(({ run }) => run));
  }

  /** The facts of the others; what those did beside orders is noted. */
  #facts(): readonly SentFacts[] {
    if (this.#known !== undefined) return this.#known;
    const known: SentFacts[] = [];
    for (const { run, facts = factsOf(run, this.#runs) } of this.others.toReversed()) {
      if (facts === undefined) this.#unread.push(run);
      else known.push(facts);
      if (facts?.hasOthers === true) this.note(run, sentWrites(run, facts));
    }
    return (this.#known = known);
  }
}
