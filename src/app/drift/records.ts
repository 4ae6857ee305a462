/** The writes of runs that a comparison needs. Those of an ended run are among its facts (sent-facts.ts); the record of
 * any other run is read, and that of an ended run without these facts if it may have what is compared.
 */
import { keyIn } from '../../exchange/api/meant-order.ts';
import { endedIn, type EndedOrders } from '../../engine/plan/drift-ended.ts';
import type { PastOrders } from '../../engine/plan/drift-orders.ts';
import { InternalError, messageOf } from '../../base/error.ts';
import type { Millis } from '../../base/clock.ts';
import type { AlsoNoted } from '../../engine/journal/ended-facts.ts';
import { JournalError } from '../../engine/journal/error.ts';
import { evidenceOf } from '../../engine/journal/evidence.ts';
import type { Destination, Entry } from '../../engine/journal/entry.ts';
import type { RunGroup } from '../../engine/journal/run-columns.ts';
import type { AllRuns, UnnamedRun } from '../../engine/journal/run-list.ts';
import {
  isSentFacts,
  isSentSummary,
  isWhole,
  namesSent,
  sentFacts,
  sentKind,
  sentWrites,
  summaryFields,
  type SentFacts,
  type SentSummary,
} from '../../engine/journal/sent-facts.ts';
import { writesIn, type RecordedWrite } from '../../engine/journal/writes.ts';
import { headerOf, listedRuns, onceFor, type ListedRun } from './all-listed.ts';

/** A run of the compared playbook on the compared account. */
export interface OwnRun {
  readonly run: string;
  /** The profiles of the run's accounts after the first. */
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
  readonly isPast: (facts: SentSummary, signedAt: Millis) => boolean;
}

export async function recordsFor(
  runs: AllRuns & { readonly unnamed: readonly UnnamedRun[] },
  { playbook, stateDir, isOurs, isPast }: Comparing,
): Promise<Records> {
  const own: OwnRun[] = [];
  const damages: string[] = [];
  const orders = new OrderSearch(runs);
  const past: PastRun[] = [];
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
  for (const one of listed) {
    const { run, group, signedAt } = one;
    const isOwn = group.playbook === playbook && ours(group);
    const found = isOwn ? ownFrom(one, runs, isPast) : undefined;
    if (found !== undefined) {
      own.push(found.own);
      if (found.past !== undefined) past.push(found.past);
      if (found.hasOthers === true) orders.note(run, found.own.writes);
      else if (signedAt !== -Infinity) orders.others.push(run);
    } else if (isOwn || !hasEnded(one)) {
      const header = headerOf(run, runs);
      const entries = await readable(run, () => runs.ended.readRecorded(header, sentAlso));
      if (isOwn) own.push(ownRun(run, entries));
    } else if (signedAt !== -Infinity) orders.others.push(run);
  }
  runs.ended.keep(listed.map(({ run }) => run));
  return {
    own,
    past: pastOrders(past, runs),
    damages,
    elsewhere: listed.filter(({ group }) => group.playbook === playbook && !ours(group)).length,
    sentHere: (clientOids) => orders.sentHere(clientOids),
    endedHere: (clientOids) => orders.endedHere(clientOids),
  };
}

function hasEnded({ signedAt = Infinity }: ListedRun): boolean {
  return signedAt < Infinity;
}

/** A run of the playbook by its facts; undefined if its record must be read. */
function ownFrom(
  listed: ListedRun,
  runs: AllRuns,
  isPast: Comparing['isPast'],
): { readonly own: OwnRun; readonly past?: PastRun; readonly hasOthers?: boolean } | undefined {
  const { run, group, signedAt = Infinity } = listed;
  const accounts = othersIn(group);
  if (!hasEnded(listed)) return undefined;
  if (signedAt === -Infinity) return { own: { run, accounts, writes: [] } };
  const summary = summaryOf(run, runs);
  if (summary === undefined) return undefined;
  const { isWhole: isDone, hasOthers } = summary;
  if (isPast(summary, signedAt)) {
    return { own: { run, accounts, writes: [], isWhole: isDone }, past: { run, summary } };
  }
  const facts = factsOf(run, runs);
  if (facts === undefined) return undefined;
  const writes = sentWrites(run, facts).map((each) => hereOf(each, group));
  return { own: { run, accounts, writes, isWhole: isDone }, hasOthers };
}

const sentAlso: AlsoNoted = { kind: sentKind, of: sentFacts };

/** A run with orders that are older than what the exchange lists. */
interface PastRun {
  readonly run: string;
  readonly summary: SentSummary;
}

/** A summary of what a run sent, found without decoding its writes. */
function summaryOf(run: string, { ended }: AllRuns): SentSummary | undefined {
  const facts = ended.factOf(sentKind, run, summaryFields);
  return isSentSummary(facts) ? facts : undefined;
}

function namesOf(run: string, { ended }: AllRuns): readonly string[] {
  return namesSent(ended.factOf(sentKind, run, ['names']));
}

function factsOf(run: string, { ended }: AllRuns): SentFacts | undefined {
  const facts = ended.factOf(sentKind, run);
  return isSentFacts(facts) ? facts : undefined;
}

/** The writes of a run of which a summary was found. */
function writesOf(run: string, runs: AllRuns): readonly RecordedWrite[] {
  const facts = factsOf(run, runs);
  if (facts === undefined) throw new InternalError(`the facts of run ${run} have no writes`);
  return sentWrites(run, facts);
}

/** The profiles of the other accounts; a header names the first one again after a resume with other keys. */
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

function pastOrders(past: readonly PastRun[], runs: AllRuns): PastOrders {
  const orders = past.flatMap(({ summary }) => summary.orders);
  const placed = new Map(orders.map((each) => [`${each.operation} ${each.line}`, each]));
  return {
    count: orders.reduce((sum, { count }) => sum + count, 0),
    lines: [...placed.values()],
    named: (names) =>
      past.flatMap(({ run }) => {
        if (!namesOf(run, runs).some((name) => names.has(name))) return [];
        return writesOf(run, runs).filter(({ operation, input }) =>
          names.has(keyIn(operation, input) ?? ''),
        );
      }),
  };
}

/** Searches runs for some orders: the facts of those that have them, then the records of the others. */
class OrderSearch {
  readonly #runs: AllRuns;
  /** Ended runs whose facts are looked at only if something is missing, oldest first. */
  readonly others: string[] = [];
  /**
   * Runs of `others` without facts, newest first; their records are read only if something is still
   * missing.
   */
  readonly #unread: string[] = [];
  readonly #sent = new Set<string>();
  /** The run and step that cancelled an order. */
  readonly #ended = new Map<string, string>();
  #known: readonly string[] | undefined;

  constructor(runs: AllRuns) {
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
    for (const run of asked.size === 0 ? [] : this.#knownOthers()) {
      for (const name of namesOf(run, this.#runs)) if (asked.has(name)) this.#sent.add(name);
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
    this.#knownOthers();
    while (this.#unread.length > 0 && isMissing()) {
      const run = this.#unread.shift();
      if (run === undefined) break;
      const header = headerOf(run, this.#runs);
      const entries = await this.#runs.ended.readRecorded(header, sentAlso);
      this.note(run, writesIn(run, entries));
    }
    this.#runs.ended.keep(listedRuns(this.#runs).map(({ run }) => run));
  }

  /** The runs of `others` that have facts; what they did other than placing orders is noted. */
  #knownOthers(): readonly string[] {
    if (this.#known !== undefined) return this.#known;
    const known: string[] = [];
    for (const run of this.others.toReversed()) {
      const summary = summaryOf(run, this.#runs);
      if (summary === undefined) this.#unread.push(run);
      else known.push(run);
      if (summary?.hasOthers === true) this.note(run, writesOf(run, this.#runs));
    }
    return (this.#known = known);
  }
}
