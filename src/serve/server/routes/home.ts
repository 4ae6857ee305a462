/** `GET /home`: tasks for a person, runs in progress, and the last runs. */
import { choice, integer, list, optional, record, text } from '../../../exchange/api/schema.ts';
import { acknowledgedIn } from '../acknowledged.ts';
import { acknowledgedNeed, needs, needsOf, type Need } from '../needs.ts';
import { exactRecord, parameter, reads, timeParameter } from '../route.ts';
import { rowsIn, together, type Selected } from '../run-filter.ts';
import { rowStates, runRow, type RunRow } from '../run-row.ts';
import type { ServerContext } from '../route-context.ts';
import type { Desk } from '../desk.ts';
import { waitingJob, waitingOf, type WaitingJob } from '../desk-queue.ts';
import { pageIn, pageParameter } from '../paging.ts';
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
    moreNeeds: integer({
      description: 'Number of other needs: the list has the most urgent ones',
    }),
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
    const rows = inOrder(server.desks.flatMap(({ runs }) => runs.notable()));
    const plans = await Promise.all(server.desks.map((desk) => desk.plans.rows(now)));
    const matching = await matchingRuns(parameters, server);
    const running = inOrder(server.desks.flatMap(({ runs }) => runs.running()));
    const { page, pages, from, to } = pageIn(matching.length, parameters.page);
    const values = server.desks.map(({ runs }) => runs.values());
    return {
      ...(await openNeeds(needsOf(rows, plans.flat(), others.flat(), now), server)),
      waiting: server.desks.flatMap(waitingIn).slice(0, waitingMax),
      running,
      runs: runningFirst(matching, from, to),
      page,
      pages,
      matching: matching.length,
      all: server.desks.reduce((sum, { runs }) => sum + runs.select().length, 0),
      unread: server.desks.reduce((sum, { runs }) => {
        const { done, of } = runs.progress();
        return sum + Math.max(0, of - done);
      }, 0),
      playbooks: allOf(values.map(({ playbooks }) => playbooks)),
      accounts: allOf(values.map(({ accounts }) => accounts)),
      people: allOf(values.map(({ people }) => people)),
      desks: server.desks.map(({ name }) => name),
      next: next
        .flat()
        .toSorted((a, b) => (a.at ?? Infinity) - (b.at ?? Infinity))
        .slice(0, nextMax),
    };
  },
});

type Acknowledged = NonNullable<(typeof acknowledgedNeed)['infer']>;

interface OpenNeeds {
  readonly needs: readonly Need[];
  readonly moreNeeds: number;
  readonly acknowledged: readonly Acknowledged[];
}

/** The needs that nobody acknowledged in their present state, and the others. */
async function openNeeds(all: readonly Need[], { desks }: ServerContext): Promise<OpenNeeds> {
  const open: Need[] = [];
  const acknowledged: Acknowledged[] = [];
  for (const need of all.slice(0, readMax)) {
    const { desk, cause, title, label } = need;
    const place = desks.find(({ name }) => name === desk)?.config.stateDir;
    const said = place === undefined ? undefined : await acknowledgedIn(place, cause);
    if (said === undefined) open.push(need);
    else acknowledged.push({ desk, title, label, ...said });
  }
  const shown = open.slice(0, needsMax);
  return {
    needs: shown,
    moreNeeds: all.length - acknowledged.length - shown.length,
    acknowledged: acknowledged.slice(0, needsMax),
  };
}

const readMax = 500; // needs, with those that are acknowledged
const needsMax = 50; // more are not read one by one

/**
 * The waiting jobs of a desk, without those whose run is in progress: they are listed among the
 * runs.
 */
function waitingIn({ queue, runs }: Desk): readonly WaitingJob[] {
  const jobs = queue?.jobs() ?? [];
  return jobs.filter(({ job }) => runs.row(job)?.state !== 'running').map(waitingOf);
}

interface Wanted {
  readonly state?: RunRow['state'];
  readonly playbook?: string;
  readonly account?: string;
  readonly person?: string;
  readonly desk?: string;
  readonly since?: string;
  readonly until?: string;
  readonly text?: string;
}

/** Rows of several desks, newest first. */
function inOrder(rows: readonly RunRow[]): readonly RunRow[] {
  return rows.toSorted((a, b) => b.startedAt - a.startedAt);
}

/** Values that desks have, each once. */
export function allOf(values: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(values.flat())].toSorted();
}

/** The wanted runs of all desks, newest first. */
async function matchingRuns(wanted: Wanted, { desks }: ServerContext): Promise<Selected> {
  const { desk, since, until, text: words, ...same } = wanted;
  const filter = {
    ...same,
    ...(since !== undefined && { since: Number(since) }),
    ...(until !== undefined && { until: Number(until) }),
  };
  const asked = desks.filter(({ name }) => desk === undefined || desk === name);
  if (words === undefined) return together(asked.map(({ runs }) => runs.select(filter)));
  const lower = words.toLowerCase().split(/\s+/);
  return together(await Promise.all(asked.map(({ runs }) => runs.having(lower, filter))));
}

/** Some rows of the same runs with those in progress first. */
function runningFirst(all: Selected, from: number, to: number): readonly RunRow[] {
  const { running } = all;
  if (running.length === 0) return rowsIn(all, from, to);
  const found = running.slice(from, to);
  let place = running.length; // of the next one that is not in progress
  for (let at = 0; at < all.length && place < to; at++) {
    if (all.state(at) === 'running') continue;
    if (place++ >= from) found.push(all.row(at));
  }
  return found;
}
