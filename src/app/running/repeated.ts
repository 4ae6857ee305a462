/** Finds the later run of a playbook that did the rest of a run, as far as the records here show. */
import { accountOf } from '../../engine/journal/account.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { undefinedWhenDamaged } from '../../engine/journal/error.ts';
import type { RunRecord } from '../../engine/journal/ledger.ts';
import { listRuns } from '../../engine/journal/run-list.ts';
import { readRun } from '../../engine/journal/runs.ts';
import { StoredView } from '../../engine/journal/stored-view.ts';
import { repeatedSince } from '../../engine/journal/unfinished.ts';
import { destinationsOf } from '../../engine/journal/account.ts';

/** The later run; undefined if the run is done or may continue. Runs with damaged records are left out. */
export async function laterRun(
  stateDir: string,
  entries: readonly Entry[],
): Promise<string | undefined> {
  const [started] = entries;
  const last = entries.at(-1);
  if (started?.kind !== 'started' || (last?.kind === 'finished' && last.status === 'done')) {
    return undefined;
  }
  const { run, playbook } = started;
  const names = new Set(destinationsOf(started).map(accountOf));
  const all = await listRuns(stateDir);
  const since = all.find((header) => header.run === run)?.createdAt ?? 0;
  const records: RunRecord[] = [];
  const stored = new StoredView(stateDir);
  for (const header of all.toReversed()) {
    if (header.playbook !== playbook.name || header.createdAt < since) continue;
    const known = stored.find(header.run);
    if (known !== undefined && known.ended.signedAt === undefined) continue; // it sent nothing
    const record = await readRun(stateDir, header.run).catch(undefinedWhenDamaged);
    if (record !== undefined) records.push({ run: header.run, entries: record });
  }
  return repeatedSince({ run, entries }, records, (account) => names.has(accountOf(account)));
}
