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
import type { RunHeader } from '../../engine/journal/header.ts';
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
  /** Whether a run was on the compared account. */
  readonly isOurs: (header: RunHeader) => boolean;
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
  const isOwn = (header: RunHeader): boolean => header.playbook === playbook && isOurs(header);
  for (const header of runs.headers.toReversed()) {
    const { run } = header;
    const ended = runs.ended.ended(header);
    const signedAt = ended?.signedAt;
    const facts = signedAt === undefined ? undefined : factsOf(header, runs);
    if (ended !== undefined && signedAt === undefined) {
      if (isOwn(header)) own.push({ run, accounts: accountsIn(header), writes: [] });
    } else if (facts === undefined || signedAt === undefined) {
      if (ended !== undefined && !isOwn(header)) orders.unread.push(header);
      else {
        const entries = await readable(run, () => runs.ended.readRecorded(header, sentAlso));
        if (isOwn(header)) own.push(ownRun(run, entries));
      }
    } else {
      const isOld = isOwn(header) && isPast(facts, signedAt);
      if (isOld) past.push({ run, facts });
      if (isOld || !isOwn(header)) orders.known.push({ run, facts });
      if (!isOwn(header)) continue;
      const writes = isOld ? [] : sentWrites(run, facts).map((each) => hereOf(each, header));
      orders.note(run, writes);
      own.push({ run, accounts: accountsIn(header), writes, isWhole: facts.isWhole });
    }
  }
  runs.ended.keep(runs.headers.map(({ run }) => run));
  return {
    own,
    past: pastOrders(past),
    damages,
    elsewhere: runs.headers.filter((each) => each.playbook === playbook && !isOurs(each)).length,
    sentHere: (clientOids) => orders.sentHere(clientOids),
    endedHere: (clientOids) => orders.endedHere(clientOids),
  };
}

const sentAlso: AlsoNoted = { kind: sentKind, of: sentFacts };

interface RunFacts {
  readonly run: string;
  readonly facts: SentFacts;
}

function factsOf(header: RunHeader, { ended }: ReadableRuns): SentFacts | undefined {
  const facts = ended.factOf(sentKind, header);
  return isSentFacts(facts) ? facts : undefined;
}

/** The profiles of other accounts: a header names the first one again, with the keys of a resume. */
function accountsIn({ destination, accounts = [] }: RunHeader): readonly string[] {
  const others = accounts.filter(({ profile }) => profile !== destination.profile);
  return others.map(({ profile }) => profile);
}

/** A run by its entries. */
function ownRun(run: string, entries: readonly Entry[]): OwnRun {
  const [started] = entries;
  const writes = writesIn(run, entries);
  if (started?.kind !== 'started') return { run, accounts: [], writes, isWhole: false };
  return {
    run,
    accounts: (started.accounts ?? []).map(({ profile }) => profile),
    writes: writes.map((write) => hereOf(write, started)),
    isWhole: isWhole(entries),
  };
}

/**
 * A write with its account by the current name. A write on the account of its run names none, and the profile
 * of the run may have another name now.
 */
function hereOf(
  write: RecordedWrite,
  { destination }: Pick<RunHeader, 'destination'>,
): RecordedWrite {
  const { account, ...own } = write;
  return account === undefined || account === destination.profile ? own : write;
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
  /** Runs whose facts are looked at only if something is missing, oldest first. */
  readonly known: RunFacts[] = [];
  /** Runs whose records are read only if something is still missing, oldest first. */
  readonly unread: RunHeader[] = [];
  readonly #sent = new Set<string>();
  /** The run and step that cancelled an order. */
  readonly #ended = new Map<string, string>();
  #isLookedAt = false;

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
    if (!this.#isLookedAt) this.#lookAtFacts();
    while (this.unread.length > 0 && isMissing()) {
      const header = this.unread.pop();
      if (header === undefined) break;
      const entries = await this.#runs.ended.readRecorded(header, sentAlso);
      this.note(header.run, writesIn(header.run, entries));
    }
    this.#runs.ended.keep(this.#runs.headers.map(({ run }) => run));
  }

  #lookAtFacts(): void {
    this.#isLookedAt = true;
    for (const { run, facts } of this.known.toReversed()) {
      for (const name of facts.names) this.#sent.add(name);
      if (facts.hasOthers) this.note(run, sentWrites(run, facts));
    }
  }
}
