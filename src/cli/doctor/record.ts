/** What earlier runs left behind: locks of the dead, runs in doubt, runs that were cut off. */
import { hostname } from 'node:os';
import { plainText } from '../../base/text.ts';
import { JournalError } from '../../journal/journal.ts';
import { locksIn, type FoundLock } from '../../journal/lock.ts';
import { listRuns, readRun, unnamedRuns, type RunHeader } from '../../journal/runs.ts';
import { summaryOf } from '../../report/summary.ts';
import { failure, ok, warning, type Finding } from './finding.ts';

export async function locks(stateDir: string): Promise<readonly Finding[]> {
  const found = await locksIn(stateDir);
  if (found.length === 0) return [ok('locks', 'none')];
  return found.map(lockFinding);
}

function lockFinding({ file, state, owner }: FoundLock): Finding {
  const who = owner
    ? `${plainText(owner.run, 60)}, process ${owner.pid} on ${plainText(owner.host, 60)}`
    : 'somebody who cannot be read';
  switch (state) {
    case 'live':
      return ok('locks', `held by ${who}`);
    case 'dead':
      return ok('locks', `left by ${who}, which is gone; the next run takes it over`);
    case 'foreign':
      return warning(
        'locks',
        `held by ${who}; from ${hostname()} nobody can see whether it is alive`,
        `when that machine is gone for good: rm ${file}`,
      );
    case 'unreadable':
      return failure('locks', `${file} says nothing`, `when no run goes on: rm ${file}`);
  }
}

const runsMax = 200; // newest; each costs reading its journal

/** @param live runs that hold a lock: they are on their way */
export async function runs(stateDir: string): Promise<readonly Finding[]> {
  const alive = new Set(
    (await locksIn(stateDir)).flatMap(({ state, owner }) =>
      state === 'live' && owner ? [owner.run] : [],
    ),
  );
  const headers = (await listRuns(stateDir)).slice(0, runsMax);
  const findings = (await unnamedRuns(stateDir)).map(({ because }) =>
    failure('runs', plainText(because), 'no run begins before it is restored or moved elsewhere'),
  );
  for (const header of headers) {
    const finding = await runFinding(header, stateDir, alive);
    if (finding !== undefined) findings.push(finding);
  }
  if (findings.length > 0) return findings;
  return [ok('runs', headers.length === 0 ? 'none yet' : 'none in doubt, none cut off')];
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
      return warning('runs', `${name} is in doubt`, `deskhand resume ${run}`);
    }
    if (status === 'unfinished' && !alive.has(run)) {
      return warning('runs', `${name} was cut off`, `deskhand resume ${run}`);
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return failure('runs', error.message, `deskhand runs verify ${run}`);
  }
}
