/** `GET /search`: events in the journals of all runs, as much of them as is read at once. */
import { plainText } from '../../../base/text.ts';
import { integer, list, optional, record, text } from '../../../exchange/api/schema.ts';
import { eventFields } from '../event-rows.ts';
import type { ServerContext } from '../route-context.ts';
import { exactRecord, parameter, reads, timeParameter } from '../route.ts';
import { search, type Place } from '../search.ts';
import { together, type Selected } from '../run-filter.ts';
import { shownTo } from '../shown-to.ts';
import { moment } from '../shapes.ts';
import { allOf } from './home.ts';

const placePattern = '^[0-9]{1,15}:[0-9]{1,9}:[0-9]{1,3}:.+$';

export const searchEvents = reads({
  title: 'Find events in the journals of all runs; each call reads some, the newest first',
  role: 'viewer',
  parameters: exactRecord({
    text: optional(parameter('Words that are in the event')),
    kind: optional(parameter('What happened, such as `refused`', 40)),
    run: optional(parameter('The run, or the beginning of its name', 64)),
    playbook: optional(parameter('Its name', 80)),
    account: optional(parameter('The profile', 60)),
    desk: optional(parameter('The desk', 80)),
    since: optional(timeParameter('Recorded at this time or later')),
    until: optional(timeParameter('Recorded before this time')),
    next: optional(
      text({ description: 'As the last answer named it', pattern: placePattern, maxLength: 1_000 }),
    ),
  }),
  answer: record({
    events: list(record({ ...eventFields, run: text(), desk: text(), playbook: text() }), {
      description: 'Runs are in the order of their start, the newest first; events as well',
    }),
    read: integer({ description: 'Number of runs whose journals were read now' }),
    back: optional(moment('All that started since then was searched')),
    next: optional(
      text({ description: 'Where the search continues; absent when all was searched' }),
    ),
    damages: list(text(), { description: 'Runs whose record could not be read' }),
    unread: integer({ description: 'Number of runs that the server does not know yet' }),
    playbooks: list(text()),
    accounts: list(text()),
    desks: list(text()),
  }),
  handle: async ({ parameters, session }, server) => {
    const { text: words = '', kind, account, since, until, next } = parameters;
    const sought = {
      words: words.toLowerCase().split(/\s+/).filter(Boolean),
      ...(kind !== undefined && { kind: kind.toLowerCase() }),
      ...(account !== undefined && { account }),
      ...(since !== undefined && { since: Number(since) }),
      ...(until !== undefined && { until: Number(until) }),
    };
    const searching = {
      runs: wantedRuns(parameters, server),
      desks: new Map(server.desks.map((desk) => [desk.name, desk])),
      shown: <E>(event: E): E => shownTo(session, event, server),
    };
    const found = await server.actions.searches.take(() =>
      search(sought, searching, placeIn(next)),
    );
    return {
      events: found.events.map(({ row: { run, desk, playbook }, ...event }) => ({
        ...event,
        run,
        desk,
        playbook,
      })),
      read: found.read,
      ...(found.back !== undefined && { back: found.back }),
      ...(found.next && { next: placeText(found.next) }),
      damages: found.damages.map((damage) => plainText(damage, 300)),
      unread: unreadIn(server),
      playbooks: allOf(server.desks.map(({ runs }) => runs.values().playbooks)),
      accounts: allOf(server.desks.map(({ runs }) => runs.values().accounts)),
      desks: server.desks.map(({ name }) => name),
    };
  },
});

interface Wanted {
  readonly run?: string;
  readonly playbook?: string;
  readonly account?: string;
  readonly desk?: string;
}

function wantedRuns({ run, playbook, account, desk }: Wanted, { desks }: ServerContext): Selected {
  const filter = {
    ...(run !== undefined && { prefix: run }),
    ...(playbook !== undefined && { playbook }),
    ...(account !== undefined && { account }),
  };
  const asked = desks.filter(({ name }) => desk === undefined || desk === name);
  return together(asked.map(({ runs }) => runs.select(filter)));
}

/** A place as text: the length of the run's name says where that of the desk begins. */
function placeText({ startedAt, before = 0, run, desk }: Place): string {
  return `${startedAt}:${before}:${run.length}:${run}${desk}`;
}

function placeIn(text: string | undefined): Place | undefined {
  const [, startedAt, before, length, names = ''] =
    /^(\d+):(\d+):(\d+):(.+)$/.exec(text ?? '') ?? [];
  if (startedAt === undefined) return undefined;
  return {
    startedAt: Number(startedAt),
    run: names.slice(0, Number(length)),
    desk: names.slice(Number(length)),
    ...(before !== '0' && { before: Number(before) }),
  };
}

function unreadIn({ desks }: ServerContext): number {
  return desks.reduce((sum, { runs }) => {
    const { done, of } = runs.progress();
    return sum + Math.max(0, of - done);
  }, 0);
}
