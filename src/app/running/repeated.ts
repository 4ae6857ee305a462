/** Finds the later runs of a playbook that did the rest of a run, as far as the records here show. */
import { day, type Millis } from '../../base/clock.ts';
import { plainText, shellWord } from '../../base/text.ts';
import { accountOf, destinationsOf } from '../../engine/journal/account.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { undefinedWhenDamaged } from '../../engine/journal/error.ts';
import type { RunRecord } from '../../engine/journal/ledger.ts';
import type { Reused } from '../../engine/journal/reused.ts';
import { listRuns } from '../../engine/journal/run-list.ts';
import { readRun } from '../../engine/journal/runs.ts';
import { StoredView } from '../../engine/journal/stored-view.ts';
import { repeatedSince, setAsideIn } from '../../engine/journal/unfinished.ts';
import { writeWords } from '../../engine/plan/reused-step.ts';
import { ReuseError } from '../../engine/plan/reuse-error.ts';
import { createdBeside, keptOf } from '../../engine/runtime/written-by.ts';

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
  const { run } = started;
  const names = new Set(destinationsOf(started).map(accountOf));
  const records = await recordsSince(stateDir, run, 0);
  return repeatedSince({ run, entries }, records, (account) => names.has(accountOf(account)));
}

/**
 * Refuses to send something of a run again that another run already sent, which took over its results, or those of
 * such a run.
 * @throws ReuseError with the run to go on from
 */
export async function refuseTaken(stateDir: string, reused: Reused): Promise<void> {
  const { run } = reused;
  const runs = new Set([run]);
  let last: { readonly run: string; readonly words: string } | undefined;
  for (const { run: later, entries } of await recordsSince(stateDir, run, clocksApart)) {
    const [started] = entries;
    if (started?.kind !== 'started' || !runs.has(started.reused?.run ?? '')) continue;
    runs.add(later);
    const sent = setAsideIn(entries) === undefined ? createdBeside(keptOf(reused), entries) : [];
    if (sent.length > 0) last = { run: later, words: writeWords(sent) };
  }
  if (last === undefined) return;
  throw new ReuseError(
    `${plainText(last.run, 60)} already sent ${last.words} for the rest of ${plainText(run, 60)}`,
    `go on from that run: --of ${shellWord(last.run)}`,
  );
}

const clocksApart = day; // of the machines that began the runs

/** The records of a run and of the later runs of its playbook that sent something, oldest first. */
async function recordsSince(
  stateDir: string,
  run: string,
  margin: Millis,
): Promise<readonly RunRecord[]> {
  const all = await listRuns(stateDir);
  const own = all.find((header) => header.run === run);
  const since = (own?.createdAt ?? 0) - margin;
  const records: RunRecord[] = [];
  const stored = new StoredView(stateDir);
  for (const header of all.toReversed()) {
    if (header.playbook !== own?.playbook || header.createdAt < since) continue;
    const known = stored.find(header.run);
    if (known !== undefined && known.ended.signedAt === undefined) continue; // it sent nothing
    const record = await readRun(stateDir, header.run).catch(undefinedWhenDamaged);
    if (record !== undefined) records.push({ run: header.run, entries: record });
  }
  return records;
}
