/** The remains of earlier runs: locks of ended processes, runs in doubt, interrupted runs. */
import { count, plainText, shellWord } from '../../base/text.ts';
import type { RunHeader } from '../../engine/journal/header.ts';
import { locksIn, wordFor, type NamedLock } from '../../engine/journal/lock.ts';
import { leftWords, processOf, unlockCommand } from '../../engine/journal/locked.ts';
import { newestFirst } from '../../engine/journal/proved-runs.ts';
import { nameSet, newestOf, type readableRuns } from '../../engine/journal/run-list.ts';
import { besideTable } from '../../report/overview/beside-table.ts';
import { showCommand } from '../../report/next.ts';
import { isNotable, mayBeNotable } from '../../report/overview/notable.ts';
import { openOverviews, type KnownRun, type Overviews } from '../../report/overview/overviews.ts';
import type { Listing } from '../../stores/store.ts';
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

/** The runs of a state folder, as `readableRuns` lists them. */
type ListedRuns = Awaited<ReturnType<typeof readableRuns>>;

const shownMax = 50; // findings of single runs, the newest
const remarkedMin = 1_000; // runs; so many are read after an upgrade
export const newestMax = 200; // ended runs that are read although they left nothing

/**
 * @param all the runs as they were just listed
 * @param shared the runs that machines execute now, and the number of all, if the state is shared
 * @param note says what takes long
 */
export async function runs(
  stateDir: string,
  all: ListedRuns,
  { claims, count: inStore = 0 }: Listing,
  note: (message: string) => void,
): Promise<readonly Finding[]> {
  const held = (await locksIn(stateDir)).flatMap(({ life, record }) =>
    life.state === 'alive' && record ? [record.holder] : [],
  );
  const alive = new Set([...held, ...claims.map(({ run }) => run)]);
  const overviews = openOverviews(stateDir);
  const findings: Finding[] = [];
  const asked = mayNeedPerson(all, overviews);
  if (asked.length > remarkedMin)
    note(`reading the records of ${count(asked.length, 'run')}, once`);
  for (const header of asked) {
    const finding = runFinding(await overviews.read(header.run), header, alive);
    if (finding !== undefined) findings.push(finding);
  }
  overviews.keep(all.names, true);
  const unnamed = all.unnamed.map(({ because }) =>
    failure('runs', plainText(because), 'no run starts before it is restored or moved'),
  );
  const more = findings.length - shownMax;
  const words = `${count(more, 'older run')} in doubt, interrupted or damaged`;
  const others = more > 0 ? [warning('runs', words, 'deskhand runs list --status doubt')] : [];
  const found = [...unnamed, ...findings.slice(0, shownMax), ...others];
  if (found.length > 0) return found;
  const known = (await nameSet(stateDir)).size;
  if (known === 0) return [ok('runs', 'none yet')];
  if (known >= inStore) return [ok('runs', 'none in doubt or interrupted')];
  const some = `none in doubt or interrupted of the ${known} that this machine knows of ${inStore}; to read all: deskhand runs list --status doubt`;
  return [ok('runs', some)];
}

/**
 * The runs that are not known to have ended without a doubt, newest first, with the newest of the others:
 * those are read because a journal that was damaged lately matters most.
 */
function mayNeedPerson(all: ListedRuns, overviews: Overviews): readonly RunHeader[] {
  const { listing } = all.ended;
  const { ended, others } = listing.rows();
  const table = overviews.table();
  table.read(mayBeNotable);
  const names = new Set([...all.names, ...ended.map(({ run }) => run)]); // some only a store has
  const notable = new Set(besideTable(table, names).others);
  for (const place of table.places()) if (isNotable(table, place)) notable.add(table.runAt(place));
  const asked = ended.flatMap(({ run }) => (notable.has(run) ? [listing.headerOf(run)] : []));
  const newest = newestOf(all, () => true, newestMax).headers;
  const found = [...newest, ...all.others, ...others, ...asked];
  const byName = new Map(found.map((header) => [header.run, header]));
  return [...byName.values()].toSorted(newestFirst);
}

function runFinding(
  found: KnownRun | undefined,
  { run, playbook }: RunHeader,
  alive: ReadonlySet<string>,
): Finding | undefined {
  if (found?.kind === 'damaged')
    return failure('runs', found.error.message, showCommand(run).command);
  if (found?.kind !== 'read') return undefined;
  const name = `${run} (${plainText(playbook, 60)})`;
  const { status, asks: [asked] = [], setAside, doubts } = found.overview;
  const inDoubt = `${count(doubts, 'write')} in doubt`;
  if (setAside !== undefined) {
    if (doubts === 0) return undefined;
    return warning('runs', `${name} was set aside with ${inDoubt}`, showCommand(run).command);
  }
  if (status === 'doubt')
    return warning('runs', `${name} is in doubt`, `deskhand resume ${shellWord(run)}`);
  const isOpen = status === 'unfinished' || status === 'interrupted';
  if (!isOpen || alive.has(run)) return undefined;
  if (asked !== undefined) {
    const approve = `deskhand approve ${shellWord(run)} ${shellWord(asked.step)}`;
    return warning('runs', `${name} waits for approval of ${asked.step}`, approve);
  }
  const how = doubts > 0 ? `was interrupted with ${inDoubt}` : 'was interrupted';
  return warning('runs', `${name} ${how}`, `deskhand resume ${shellWord(run)}`);
}
