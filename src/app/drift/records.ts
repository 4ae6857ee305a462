/** The records that a comparison needs: the journal of a run that ended is read only if the run wrote
 * something that is compared, or when an order on the exchange may be of it.
 */
import { keyIn } from '../../exchange/api/meant-order.ts';
import { endedIn, type EndedOrders } from '../../engine/plan/drift-ended.ts';
import { messageOf } from '../../base/error.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { JournalError } from '../../engine/journal/error.ts';
import { evidenceOf } from '../../engine/journal/evidence.ts';
import type { RunHeader } from '../../engine/journal/header.ts';
import type { readableRuns } from '../../engine/journal/run-list.ts';
import { readRun, readRunText } from '../../engine/journal/runs.ts';
import { writesIn } from '../../engine/journal/writes.ts';

type ReadableRuns = Awaited<ReturnType<typeof readableRuns>>;

/** A run of the compared playbook on the compared account. */
export interface OwnRun {
  readonly run: string;
  /** The entries of the run; absent of one that ended and wrote nothing. */
  readonly entries?: readonly Entry[];
}

export interface Records {
  /** The runs of the playbook on the account, oldest first. */
  readonly own: readonly OwnRun[];
  /** The number of runs of the playbook on other accounts. */
  readonly elsewhere: number;
  /** The problems of records that could not be read completely. */
  readonly damages: readonly string[];
  /** Filters clientOids: those that any run here sent. */
  readonly sentHere: (clientOids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Filters orders by their clientOids: those that any run here cancelled. */
  readonly endedHere: (clientOids: readonly string[]) => Promise<EndedOrders>;
}

/** @param isOurs whether a run was on the compared account */
export async function recordsFor(
  playbook: string,
  runs: ReadableRuns,
  isOurs: (header: RunHeader) => boolean,
  stateDir: string,
): Promise<Records> {
  const own: OwnRun[] = [];
  const damages: string[] = [];
  const found: FoundOrders = { sent: new Set(), ended: new Map() };
  const unread: string[] = [];
  const readable = async (run: string, read: () => Promise<readonly Entry[]>) => {
    const entries = await read().catch(async (error: unknown) => {
      if (!(error instanceof JournalError)) throw error;
      damages.push(messageOf(error));
      return (await evidenceOf(stateDir, run)).entries;
    });
    noteOrders(run, entries, found);
    return entries;
  };
  for (const { run, because } of runs.unnamed) {
    damages.push(because);
    const entries = await readable(run, async () => (await evidenceOf(stateDir, run)).entries);
    own.push({ run, entries }); // it may be of the playbook
  }
  const isOwn = (header: RunHeader): boolean => header.playbook === playbook && isOurs(header);
  for (const header of runs.headers.toReversed()) {
    const { run, accounts = [] } = header;
    const ended = runs.ended.ended(header);
    const isCompared = isOwn(header) && (ended?.signedAt !== undefined || accounts.length > 0);
    if (ended === undefined || isCompared) {
      const entries = await readable(run, () => runs.ended.readRecorded(header));
      if (isOwn(header)) own.push({ run, entries });
    } else {
      if (ended.signedAt !== undefined) unread.push(run);
      if (isOwn(header)) own.push({ run });
    }
  }
  runs.ended.keep(runs.headers.map(({ run }) => run));
  const search = searchIn(unread, stateDir, found);
  return {
    own,
    damages,
    elsewhere: runs.headers.filter((each) => each.playbook === playbook && !isOurs(each)).length,
    sentHere: async (clientOids) => {
      await search(clientOids, 'sent');
      return new Set(clientOids.filter((name) => found.sent.has(name)));
    },
    endedHere: async (clientOids) => {
      await search(clientOids, 'ended');
      return found.ended;
    },
  };
}

/** The orders that runs sent and cancelled, by their clientOids. */
interface FoundOrders {
  readonly sent: Set<string>;
  /** The run and step that cancelled an order. */
  readonly ended: Map<string, string>;
}

/** Searches runs for some orders, newest first: a journal without any of them is not parsed. */
function searchIn(
  unread: readonly string[],
  stateDir: string,
  found: FoundOrders,
): (clientOids: readonly string[], role: keyof FoundOrders) => Promise<void> {
  const left = new Set(unread.toReversed());
  return async (clientOids, role) => {
    for (const run of left) {
      const missing = clientOids.filter((name) => !found[role].has(name));
      if (missing.length === 0) return;
      const { text } = await readRunText(stateDir, run);
      if (!missing.some((name) => text.includes(name))) continue;
      left.delete(run);
      noteOrders(run, await readRun(stateDir, run), found);
    }
  };
}

function noteOrders(run: string, entries: readonly Entry[], found: FoundOrders): void {
  const writes = writesIn(run, entries);
  for (const { operation, input } of writes) {
    const name = keyIn(operation, input);
    if (name !== undefined) found.sent.add(name);
  }
  for (const [name, address] of endedIn(writes)) found.ended.set(name, `${address} of ${run}`);
}
