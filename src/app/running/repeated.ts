/** Finds the other runs of a playbook that did the rest of a run, as far as the records here show. */
import { statSync } from 'node:fs';
import { day, type Millis } from '../../base/clock.ts';
import { plainText, shellWord } from '../../base/text.ts';
import { accountOf, destinationsOf } from '../../engine/journal/account.ts';
import type { Address, Entry } from '../../engine/journal/entry.ts';
import { undefinedWhenDamaged } from '../../engine/journal/error.ts';
import { provenAt, replay } from '../../engine/journal/replay.ts';
import type { Reused } from '../../engine/journal/reused.ts';
import type { RunRecord } from '../../engine/journal/run-record.ts';
import { listRuns } from '../../engine/journal/run-list.ts';
import { journalPath, readRun } from '../../engine/journal/runs.ts';
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
  return laterAmong({ run, entries }, await recordsSince(stateDir, new Set([run]), 0));
}

/** The later run among some records of the playbook, for a run that is not done. */
export function laterAmong(own: RunRecord, records: readonly RunRecord[]): string | undefined {
  const [started] = own.entries;
  if (started?.kind !== 'started') return undefined;
  const names = new Set(destinationsOf(started).map(accountOf));
  const known = replay(own.entries);
  const isLeft = (address: Address): boolean => provenAt(known, address).outcome?.kind !== 'done';
  return repeatedSince(own, records, (account) => names.has(accountOf(account)), isLeft);
}

/**
 * Refuses to send something again that another run already sent, which took over results of the same run: directly,
 * or those of a run that had taken them over. A run that was set aside counts, but for what it left in doubt.
 * @throws ReuseError with the run to go on from
 */
export async function refuseTaken(stateDir: string, reused: Reused): Promise<void> {
  const before = await runsBefore(stateDir, reused.run);
  const runs = new Set([...before, ...sourcesOf(reused)]);
  let last: { readonly run: string; readonly words: string } | undefined;
  for (const { run, entries } of await recordsSince(stateDir, runs, clocksApart)) {
    const [started] = entries;
    if (before.has(run) || started?.kind !== 'started' || started.reused === undefined) continue;
    if (!sourcesOf(started.reused).some((source) => runs.has(source))) continue;
    runs.add(run);
    const isAside = setAsideIn(entries) !== undefined;
    const all = createdBeside(keptOf(reused), entries);
    const sent = all.filter(({ isInDoubt }) => !isAside || !isInDoubt);
    if (sent.length > 0) last = { run, words: writeWords(sent) };
  }
  if (last === undefined) return;
  throw new ReuseError(
    `${plainText(last.run, 60)} already sent ${last.words} for the rest of ${plainText(reused.run, 60)}`,
    `go on from that run: --of ${shellWord(last.run)}`,
  );
}

/** The runs whose results a run takes over. */
function sourcesOf({ run, steps, items = [] }: Reused): readonly string[] {
  return [run, ...[...steps, ...items].map((each) => each.run)];
}

/** A run, the run whose results it took over, and so on. */
async function runsBefore(stateDir: string, last: string): Promise<ReadonlySet<string>> {
  const runs = new Set<string>();
  let next: string | undefined = last;
  while (next !== undefined && !runs.has(next)) {
    runs.add(next);
    const record: readonly Entry[] | undefined = await readRun(stateDir, next).catch(
      undefinedWhenDamaged,
    );
    const started: Entry | undefined = record?.[0];
    next = started?.kind === 'started' ? started.reused?.run : undefined;
  }
  return runs;
}

const clocksApart = day; // of the machines that began the runs

/** The records of some runs, and of the runs of their playbook that sent something since, oldest first. */
async function recordsSince(
  stateDir: string,
  runs: ReadonlySet<string>,
  margin: Millis,
): Promise<readonly RunRecord[]> {
  const all = await listRuns(stateDir);
  const own = all.findLast((header) => runs.has(header.run)); // the oldest
  const since = (own?.createdAt ?? 0) - margin;
  const records: RunRecord[] = [];
  const stored = new StoredView(stateDir);
  for (const header of all.toReversed()) {
    if (header.playbook !== own?.playbook) continue;
    const known = stored.find(header.run);
    if (known !== undefined && known.ended.signedAt === undefined) continue; // it sent nothing
    const isLater = header.createdAt >= since;
    if (!isLater && !hasContinuedSince(stateDir, header.run, since)) continue;
    const record = await readRun(stateDir, header.run).catch(undefinedWhenDamaged);
    if (record !== undefined) records.push({ run: header.run, entries: record });
  }
  return records;
}

/** Whether a run, whose record is on this machine, recorded something since a moment: an older one may have been resumed. */
function hasContinuedSince(stateDir: string, run: string, since: Millis): boolean {
  const file = statSync(journalPath(stateDir, run), { throwIfNoEntry: false });
  return file !== undefined && file.mtimeMs >= since;
}
