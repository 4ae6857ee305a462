/** The records that a comparison needs: the journal of a run that ended is read only if the run wrote
 * something that is compared, or when an order on the exchange may be of it.
 */
import { keyIn } from '../../exchange/api/meant-order.ts';
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
  /** Those of some clientOids that any run here sent. */
  readonly sentHere: (clientOids: readonly string[]) => Promise<ReadonlySet<string>>;
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
  const sent = new Set<string>();
  const unread: string[] = [];
  const readable = async (run: string, read: () => Promise<readonly Entry[]>) => {
    const entries = await read().catch(async (error: unknown) => {
      if (!(error instanceof JournalError)) throw error;
      damages.push(messageOf(error));
      return (await evidenceOf(stateDir, run)).entries;
    });
    for (const name of namesSent(run, entries)) sent.add(name);
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
      unread.push(run);
      if (isOwn(header)) own.push({ run });
    }
  }
  runs.ended.keep(runs.headers.map(({ run }) => run));
  return {
    own,
    damages,
    elsewhere: runs.headers.filter((each) => each.playbook === playbook && !isOurs(each)).length,
    sentHere: async (clientOids) => {
      const missing = clientOids.filter((name) => !sent.has(name));
      const found = await sentBy(unread.toReversed(), missing, stateDir);
      return new Set([...clientOids.filter((name) => sent.has(name)), ...found]);
    },
  };
}

/** Those of some clientOids that some runs sent: a journal without any of them is not parsed. */
async function sentBy(
  runs: readonly string[],
  clientOids: readonly string[],
  stateDir: string,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const run of runs) {
    const missing = clientOids.filter((name) => !found.has(name));
    if (missing.length === 0) break;
    const { text } = await readRunText(stateDir, run);
    if (!missing.some((name) => text.includes(name))) continue;
    const names = namesSent(run, await readRun(stateDir, run));
    for (const name of missing) if (names.includes(name)) found.add(name);
  }
  return found;
}

function namesSent(run: string, entries: readonly Entry[]): readonly string[] {
  return writesIn(run, entries).flatMap(({ operation, input }) => keyIn(operation, input) ?? []);
}
