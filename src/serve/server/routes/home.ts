/** `GET /home`: tasks for a person, runs in progress, and the last runs. */
import { choice, integer, list, optional, record, text } from '../../../exchange/api/schema.ts';
import { acknowledgedIn } from '../acknowledged.ts';
import { acknowledgedNeed, needs, needsOf, type Need } from '../needs.ts';
import { exactRecord, parameter, reads, timeParameter } from '../route.ts';
import { rowStates, runRow, type RunRow } from '../run-row.ts';
import type { ServerContext } from '../route-context.ts';
import type { Desk } from '../desk.ts';
import { waitingJob, waitingOf, type WaitingJob } from '../desk-queue.ts';
import { pageOf, pageParameter } from '../paging.ts';
import { nextOccurrence, nextOf } from '../schedules/next.ts';
import { deskNeeds } from '../desk-needs.ts';

const waitingMax = 50; // jobs; `deskhand workers` lists all
const nextMax = 8; // schedules; their page has all

export const home = reads({
  title: 'Show what needs a person, what is running, and the last runs',
  role: 'viewer',
  parameters: exactRecord({
    state: optional(choice(rowStates)),
    playbook: optional(parameter('Its name', 80)),
    account: optional(parameter('The profile', 60)),
    person: optional(parameter('Who approved its plan or recorded an outcome', 100)),
    desk: optional(parameter('The desk', 80)),
    since: optional(timeParameter('Started at this time or later')),
    until: optional(timeParameter('Started before this time')),
    text: optional(parameter('Text in it, such as a clientOid or a symbol')),
    page: pageParameter,
  }),
  answer: record({
    needs: list(needs),
    acknowledged: list(acknowledgedNeed, { description: 'Needs that a person acknowledged' }),
    running: list(runRow),
    waiting: list(waitingJob, {
      description: 'Jobs that no worker executes yet, the oldest first',
    }),
    runs: list(runRow, {
      description: 'One page of those that match: those in progress first, then the newest',
    }),
    page: integer({ minimum: 1 }),
    pages: integer({ minimum: 1 }),
    matching: integer({ description: 'Number of all runs that match' }),
    all: integer({ description: 'Number of all runs' }),
    unread: integer({ description: 'Number of runs that were not read yet' }),
    playbooks: list(text()),
    accounts: list(text()),
    people: list(text()),
    desks: list(text()),
    next: list(nextOccurrence, { description: 'The next occurrences of the schedules' }),
  }),
  handle: async ({ parameters }, server) => {
    const now = server.clock.now();
    const others = await Promise.all(server.desks.map((desk) => deskNeeds(desk, now)));
    const next = await Promise.all(server.desks.map((desk) => nextOf(desk, now)));
    const rows = rowsOf(server);
    const plans = await Promise.all(server.desks.map((desk) => desk.plans.rows(now)));
    const matching = rows.filter((row) => fits(row, parameters, server));
    const running = rows.filter(isRunning);
    const first = [...matching.filter(isRunning), ...matching.filter((row) => !isRunning(row))];
    const { page, pages, shown } = pageOf(first, parameters.page);
    const valuesOf = (values: readonly string[]): readonly string[] =>
      [...new Set(values)].filter((value) => value !== '').toSorted();
    return {
      ...(await openNeeds(needsOf(rows, plans.flat(), others.flat(), now), server)),
      waiting: server.desks.flatMap(waitingIn).slice(0, waitingMax),
      running,
      runs: shown,
      page,
      pages,
      matching: matching.length,
      all: rows.length,
      unread: server.desks.reduce((sum, { runs }) => {
        const { done, of } = runs.progress();
        return sum + Math.max(0, of - done);
      }, 0),
      playbooks: valuesOf(rows.map(({ playbook }) => playbook)),
      accounts: valuesOf(rows.flatMap(accountsOf)),
      people: valuesOf(rows.flatMap(({ people }) => people)),
      desks: server.desks.map(({ name }) => name),
      next: next
        .flat()
        .toSorted((a, b) => (a.at ?? Infinity) - (b.at ?? Infinity))
        .slice(0, nextMax),
    };
  },
});

type Acknowledged = NonNullable<(typeof acknowledgedNeed)['infer']>;

/** The needs that nobody acknowledged in their present state, and the others. */
async function openNeeds(
  all: readonly Need[],
  { desks }: ServerContext,
): Promise<{ readonly needs: readonly Need[]; readonly acknowledged: readonly Acknowledged[] }> {
  const open: Need[] = [];
  const acknowledged: Acknowledged[] = [];
  for (const need of all) {
    const { desk, cause, title, label } = need;
    const place = desks.find(({ name }) => name === desk)?.config.stateDir;
    const said = place === undefined ? undefined : await acknowledgedIn(place, cause);
    if (said === undefined) open.push(need);
    else acknowledged.push({ desk, title, label, ...said });
  }
  return { needs: open.slice(0, needsMax), acknowledged: acknowledged.slice(0, needsMax) };
}

const needsMax = 50; // more are not read one by one; the filter finds them

/**
 * The waiting jobs of a desk, without those whose run is in progress: they are listed among the
 * runs.
 */
function waitingIn({ queue, runs }: Desk): readonly WaitingJob[] {
  const jobs = queue?.jobs() ?? [];
  return jobs.filter(({ job }) => runs.row(job)?.state !== 'running').map(waitingOf);
}

interface Wanted {
  readonly state?: string;
  readonly playbook?: string;
  readonly account?: string;
  readonly person?: string;
  readonly desk?: string;
  readonly since?: string;
  readonly until?: string;
  readonly text?: string;
}

/** The runs of all desks, newest first. */
export function rowsOf({ desks }: ServerContext): readonly RunRow[] {
  const [only, ...others] = desks.map(({ runs }) => runs.rows());
  if (only !== undefined && others.length === 0) return only;
  return [only ?? [], ...others].flat().toSorted((a, b) => b.startedAt - a.startedAt);
}

const isRunning = ({ state }: RunRow): boolean => state === 'running';

export function accountsOf({ profile, otherAccounts = [] }: RunRow): readonly string[] {
  return [profile, ...otherAccounts];
}

function fits(row: RunRow, wanted: Wanted, { desks }: ServerContext): boolean {
  const { state, playbook, account, person, desk, since, until } = wanted;
  const isSame = (value: string | undefined, own: string): boolean =>
    value === undefined || value === own;
  if (!isSame(state, row.state) || !isSame(playbook, row.playbook)) return false;
  if (!isSame(desk, row.desk)) return false;
  if (account !== undefined && !accountsOf(row).includes(account)) return false;
  if (person !== undefined && !row.people.includes(person)) return false;
  if (since !== undefined && row.startedAt < Number(since)) return false;
  if (until !== undefined && row.startedAt >= Number(until)) return false;
  if (wanted.text === undefined) return true;
  const words = wanted.text.toLowerCase().split(/\s+/);
  const own = desks.find(({ name }) => name === row.desk);
  return words.every((word) => own?.runs.hasText(row.run, word) === true);
}
