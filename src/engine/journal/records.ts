/** The runs of a playbook for its ledger: their journals, or what their digests keep of them. */
import { essential, readEssential } from './digest.ts';
import type { RunHeader } from './header.ts';
import type { RunRecord } from './ledger.ts';
import { withLost } from './lost.ts';
import { everyRun, type ShownRuns } from './run-list.ts';
import { readRun } from './runs.ts';
import { createdBy, leftBy, type IsAmong, type LeftByRun } from './unfinished.ts';

/** Whose runs are read. */
export interface LedgerScope {
  readonly playbook: string;
  /** Runs of other playbooks, too: what they set on an account, or created that is unique there. */
  readonly isWide: boolean;
}

function isInScope({ playbook }: RunHeader, scope: LedgerScope): boolean {
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

/**
 * The same for the ledger of another run, without entries that only the run itself uses: the journals are
 * read and checked in full, and need not all be in memory at once.
 * @param known the run itself when it continues, as it was read
 */
export async function readForLedger(
  stateDir: string,
  scope: LedgerScope,
  known?: RunRecord,
): Promise<readonly RunRecord[]> {
  const headers = (await everyRun(stateDir)).filter((header) => isInScope(header, scope));
  const records: RunRecord[] = [];
  for (const { run } of headers.toReversed()) {
    if (run === known?.run) {
      records.push(known);
      continue;
    }
    const entries = await withLost(stateDir, run, await readRun(stateDir, run));
    const created = known && { createdOn: createdBy({ run, entries }) };
    records.push({ run, entries: essential(entries, run), ...created });
  }
  return records;
}

/**
 * What runs of other playbooks left in doubt on some accounts, oldest run first. It warns, and a guard may
 * block a run because of it, so digests are enough.
 */
export async function readDoubtsBeside(
  stateDir: string,
  playbook: string,
  isAmong: IsAmong,
  { runs: { headers, index }, keeps }: Pick<EssentialOptions, 'runs' | 'keeps'>,
): Promise<readonly LeftByRun[]> {
  const found: LeftByRun[] = [];
  for (const header of headers.toReversed()) {
    const { run, destination, accounts = [] } = header;
    if (header.playbook === playbook || ![destination, ...accounts].some(isAmong)) continue;
    const entries = await readEssential(stateDir, header, { keeps, index, asked: 'doubts' });
    const left = leftBy({ run, entries });
    const writes = left?.writes.filter((write) => write.isInDoubt && write.accounts.some(isAmong));
    if (left && writes && writes.length > 0) found.push({ ...left, writes });
  }
  if (keeps) index.keep();
  return found;
}

/** Of a plan that is only shown. */
export interface EssentialOptions {
  /** As `everyRunToShow` returns them. */
  readonly runs: ShownRuns;
  /** The run that is read in full: the one that the plan is of. */
  readonly whole: string;
  /** Whether digests and the index of runs may be written. */
  readonly keeps: boolean;
}

/**
 * The same for a plan that is only shown: without what is done once per run, and with digests where
 * they are true.
 */
export async function readEssentials(
  stateDir: string,
  scope: LedgerScope,
  { runs: { headers: all, index }, whole, keeps }: EssentialOptions,
): Promise<readonly RunRecord[]> {
  const headers = all.filter((header) => isInScope(header, scope));
  const records: RunRecord[] = [];
  for (const header of headers.toReversed()) {
    const { run } = header;
    const isWhole = run === whole;
    const entries = await (isWhole
      ? readRun(stateDir, run)
      : readEssential(stateDir, header, { keeps, index }));
    records.push({ run, entries });
  }
  if (keeps) index.keep();
  return records;
}
