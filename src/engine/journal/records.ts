/** The runs of a playbook for its ledger: read from their journals, or taken from the catalogue. */
import type { EndedRun } from './ended-facts.ts';
import type { RunGroup } from './run-columns.ts';
import { essential } from './essential.ts';
import type { RunHeader } from './header.ts';
import type { RunRecord } from './run-record.ts';
import { unpacked, type Lasting } from './lasting.ts';
import { withLost } from './lost.ts';
import type { PackedRun, PastRun } from './past-writes.ts';
import { newestFirst } from './proved-runs.ts';
import { everyRun, newestOf, type AllRuns } from './run-list.ts';
import { readRun } from './runs.ts';
import {
  createdBy,
  leftBy,
  setAsideIn,
  type IsAmong,
  type LeftAside,
  type LeftByRun,
} from './unfinished.ts';
import { destinationsOf } from './account.ts';

/** The playbooks whose runs are read. */
export interface LedgerScope {
  readonly playbook: string;
  /**
   * Whether runs of other playbooks are read for states that they set on an account and for what they
   * created that is unique there.
   */
  readonly isWide: boolean;
}

function isInScope({ playbook }: Pick<RunHeader, 'playbook'>, scope: LedgerScope): boolean {
  return scope.isWide || playbook === scope.playbook;
}

/** The journals of one playbook's runs, oldest first. */
export async function readRecords(
  stateDir: string,
  playbook: string,
): Promise<readonly RunRecord[]> {
  const headers = (await everyRun(stateDir)).filter((header) => header.playbook === playbook);
  const records: RunRecord[] = [];
  for (const { run } of headers.toReversed()) {
    records.push({ run, entries: await withLost(stateDir, run, await readRun(stateDir, run)) });
  }
  return records;
}

export interface RecordOptions {
  /** The runs as `allRuns` returns them. */
  readonly runs: AllRuns;
  /** Whether the catalogue may be written. */
  readonly keeps: boolean;
}

export interface LedgerOptions extends RecordOptions {
  /** The run itself as it was read, when it continues. */
  readonly known?: RunRecord;
  /** The run of which all entries are read, also those that only itself uses: the one that a plan is of. */
  readonly whole?: string;
}

/**
 * Reads the runs for the ledger of another run, without entries that only the run itself uses. Journals
 * that the catalogue does not have are read and checked in full, and need not all be in memory at once.
 */
export async function readForLedger(
  stateDir: string,
  scope: LedgerScope,
  { runs: { names, others, ended: endedRuns }, keeps, known, whole }: LedgerOptions,
): Promise<readonly PastRun[]> {
  const notable = endedRuns.listing.notable(
    (group) => isInScope(group, scope),
    (row) =>
      row.isLasting ||
      row.run === known?.run ||
      row.run === whole ||
      (known && !isOverBefore(row, known)) === true,
  );
  const headers = [...others.filter((header) => isInScope(header, scope)), ...notable].toSorted(
    newestFirst,
  );
  const records: PastRun[] = [];
  for (const header of headers.toReversed()) {
    const { run } = header;
    if (run === known?.run) {
      records.push(known);
      continue;
    }
    if (run === whole) {
      records.push({ run, entries: await readRun(stateDir, run) });
      continue;
    }
    const ended = endedRuns.ended(header);
    if (ended && (known === undefined || isOverBefore(ended, known))) {
      const { lasting, signedAt = Infinity } = ended;
      if (lasting) records.push({ ...packedOf(header, lasting), signedAt });
      continue;
    }
    const entries = await endedRuns.read(header);
    const createdOn = createdBy({ run, entries });
    const isLeft = leftBy({ run, entries }) !== undefined || setAsideIn(entries) !== undefined;
    records.push({ run, entries: essential(entries, run, isLeft), createdOn });
  }
  if (keeps) endedRuns.keep(names);
  return records;
}

function packedOf(header: RunHeader, lasting: Lasting): Omit<PackedRun, 'signedAt'> {
  const { run, playbook } = header;
  const accounts = destinationsOf(header);
  return { run, playbook, accounts, lasting, unpacked: () => unpacked(lasting, header) };
}

/** Whether a run began before the run that continues, and signed nothing since: it did nothing of the rest of that one. */
function isOverBefore(
  { time, at, signedAt = -Infinity }: Pick<EndedRun, 'time' | 'at' | 'signedAt'>,
  { entries: [begun] }: RunRecord,
): boolean {
  if (begun?.kind !== 'started' || signedAt > begun.time) return false;
  return time < begun.time || at < begun.at;
}

const laterMax = 100; // runs that are looked at

/** Whether a run of the playbook that has ended began later on some accounts, and wrote something. */
export function hasWrittenSince(
  { startedAt }: Pick<LeftAside, 'startedAt'>,
  playbook: string,
  isAmong: IsAmong,
  runs: AllRuns,
): boolean {
  const { headers } = newestOf(
    runs,
    ({ playbook: other, accounts, createdAt }) =>
      other === playbook && createdAt > startedAt && accounts.some(isAmong),
    laterMax,
  );
  return headers.some((header) => runs.ended.ended(header)?.signedAt !== undefined);
}

/** The doubts that runs of other playbooks left on some accounts, oldest run first. */
export async function readDoubtsBeside(
  playbook: string,
  isAmong: IsAmong,
  { runs: { names, others, ended: endedRuns }, keeps }: RecordOptions,
): Promise<readonly LeftByRun[]> {
  const isAsked = ({ playbook: other, accounts }: RunGroup): boolean =>
    other !== playbook && accounts.some(isAmong);
  const beside = others.filter((header) =>
    isAsked({ playbook: header.playbook, accounts: destinationsOf(header) }),
  );
  const headers = [...beside, ...endedRuns.listing.notable(isAsked, () => false)].toSorted(
    newestFirst,
  );
  const found: LeftByRun[] = [];
  for (const header of headers.toReversed()) {
    const { run } = header;
    if (endedRuns.ended(header) !== undefined) continue; // it left nothing
    const left = leftBy({ run, entries: await endedRuns.read(header) });
    const writes = left?.writes.filter((write) => write.isInDoubt && write.accounts.some(isAmong));
    if (left && writes && writes.length > 0) found.push({ ...left, writes });
  }
  if (keeps) endedRuns.keep(names);
  return found;
}
