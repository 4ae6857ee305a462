/** The remains of earlier runs: locks of ended processes, runs in doubt, interrupted runs. */
import { plainText, shellWord } from '../../base/text.ts';
import type { RunHeader } from '../../engine/journal/header.ts';
import { JournalError } from '../../engine/journal/error.ts';
import { locksIn, wordFor, type NamedLock } from '../../engine/journal/lock.ts';
import { leftWords, processOf, unlockCommand } from '../../engine/journal/locked.ts';
import { newestOf, readableRuns } from '../../engine/journal/run-list.ts';
import { readRun } from '../../engine/journal/runs.ts';
import { summaryOf } from '../../report/summary.ts';
import { failure, ok, warning, type Finding } from './finding.ts';

export async function locks(stateDir: string): Promise<readonly Finding[]> {
  const found = await locksIn(stateDir);
  if (found.length === 0) return [ok('locks', 'none')];
  return found.map(lockFinding);
}

function lockFinding(found: NamedLock): Finding {
  const { file, name, record, life } = found;
  if (record === undefined) {
    const fix = `if deskhand is not running on this state folder: rm ${shellWord(file)}`;
    return failure('locks', `${file} is damaged: it has no holder`, fix);
  }
  const lock = `${name}: ${plainText(record.holder, 60)} (${processOf(record)})`;
  switch (life.state) {
    case 'alive':
      return ok('locks', `${lock} is running`);
    case 'dead':
      return ok('locks', `${lock} ${leftWords(1)}`);
    case 'unknown':
      return warning(
        'locks',
        `${lock} may be running: ${life.because}`,
        `if it is gone permanently: ${unlockCommand(wordFor(found))}`,
      );
  }
}

const runsMax = 200; // newest runs; each requires reading its journal

/** @param live runs that hold a lock: they are in progress */
export async function runs(stateDir: string): Promise<readonly Finding[]> {
  const alive = new Set(
    (await locksIn(stateDir)).flatMap(({ life, record }) =>
      life.state === 'alive' && record ? [record.holder] : [],
    ),
  );
  const all = await readableRuns(stateDir);
  const { headers } = newestOf(all, () => true, runsMax);
  const findings = all.unnamed.map(({ because }) =>
    failure('runs', plainText(because), 'no run starts before it is restored or moved'),
  );
  for (const header of headers) {
    const finding = await runFinding(header, stateDir, alive);
    if (finding !== undefined) findings.push(finding);
  }
  if (findings.length > 0) return findings;
  return [ok('runs', headers.length === 0 ? 'none yet' : 'none in doubt or interrupted')];
}

async function runFinding(
  { run, playbook }: RunHeader,
  stateDir: string,
  alive: ReadonlySet<string>,
): Promise<Finding | undefined> {
  const name = `${run} (${plainText(playbook, 60)})`;
  try {
    const entries = await readRun(stateDir, run);
    const status = entries.length === 0 ? 'empty' : summaryOf(entries).status;
    if (status === 'doubt') {
      return warning('runs', `${name} is in doubt`, `deskhand resume ${shellWord(run)}`);
    }
    if (status === 'unfinished' && !alive.has(run)) {
      return warning('runs', `${name} was interrupted`, `deskhand resume ${shellWord(run)}`);
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return failure('runs', error.message, `deskhand runs show ${shellWord(run)}`);
  }
}
