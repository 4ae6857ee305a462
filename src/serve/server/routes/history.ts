/** `GET /history`: the days and the last runs of a playbook or of a schedule, and those of a chosen time. */
import { integer, list, optional, record, text } from '../../../exchange/api/schema.ts';
import type { Millis } from '../../../base/clock.ts';
import { occurrencesWithin } from '../../../app/schedule/occurrences.ts';
import { axisTicksOf } from '../../../report/axis-ticks.ts';
import { daysOf, historyDay, within } from '../history/days.ts';
import {
  historyItem,
  occurrenceHappened,
  runHappened,
  type Happened,
  type HistoryItem,
} from '../history/item.ts';
import type { Desk } from '../desk.ts';
import { Refusal } from '../failure.ts';
import { pageOf } from '../paging.ts';
import { deskNamed } from '../route-context.ts';
import { exactRecord, parameter, reads, timeParameter } from '../route.ts';
import { scheduleNamed } from './schedules.ts';
import { pastOf } from '../schedules/view.ts';
import { moment } from '../shapes.ts';

const trendLength = 30; // runs: so many bars are still wide enough for a finger on a telephone

export const history = reads({
  title:
    'Show the history of a playbook or of a schedule: its days, its last runs, and those of a time',
  role: 'viewer',
  parameters: exactRecord({
    desk: optional(parameter('The desk, if there are several', 80)),
    playbook: optional(parameter('Its name', 80)),
    schedule: optional(parameter('Its id, instead of a playbook', 40)),
    days: optional(
      text({
        description:
          'Where days begin, and the last one ends: Unix milliseconds in order, with commas',
        pattern: '^[0-9]{1,15}(,[0-9]{1,15}){1,100}$',
        maxLength: 1_700,
      }),
    ),
    since: optional(timeParameter('Lists those at this time or later')),
    until: optional(timeParameter('Lists those before this time')),
    page: optional(text({ description: 'Default: 1', pattern: '^[1-9][0-9]{0,5}$', maxLength: 6 })),
  }),
  answer: record({
    days: list(historyDay, { description: 'The days that are not empty, in order' }),
    trend: list(historyItem, { description: `The last ${trendLength} runs, the newest last` }),
    ticks: list(record({ at: moment('A duration'), label: text() }), {
      description: 'Of an axis for the durations of the last runs',
    }),
    first: optional(moment('The first that is known')),
    listed: list(historyItem, { description: 'One page of those of the time, the newest first' }),
    page: integer({ minimum: 1 }),
    pages: integer({ minimum: 1 }),
  }),
  handle: async ({ parameters }, server) => {
    const desk = deskNamed(server, parameters.desk);
    const { all, timesIn } = await historyOf(parameters, desk);
    const { since, until } = parameters;
    const isListed = since !== undefined && until !== undefined;
    const matching = isListed ? within(all, Number(since), Number(until)) : [];
    const { page, pages, shown } = pageOf(matching, parameters.page);
    const first = all.at(-1);
    const trend = lastRuns(all);
    const longest = Math.max(1, ...trend.map(({ tookMs = 0 }) => tookMs));
    return {
      days: daysOf(all, (parameters.days ?? '').split(',').map(Number), timesIn),
      trend,
      ticks: axisTicksOf(longest).filter(({ at }) => at > 0),
      ...(first && { first: first.at }),
      listed: shown.map(({ item }) => item()),
      page,
      pages,
    };
  },
});

interface Known {
  /** The events, newest first. */
  readonly all: readonly Happened[];
  /** Counts the occurrences of a schedule from a time to another, both included. */
  readonly timesIn?: (from: Millis, to: Millis) => number;
}

/** @throws Refusal NotFoundError */
async function historyOf(
  { playbook, schedule }: { readonly playbook?: string; readonly schedule?: string },
  desk: Desk,
): Promise<Known> {
  if (schedule !== undefined) return historyOfSchedule(schedule, desk);
  if (playbook === undefined) throw new Refusal(400, 'usage', 'name a playbook or a schedule');
  const runs = desk.runs.select({ playbook });
  return { all: Array.from({ length: runs.length }, (_none, at) => runHappened(runs, at, desk)) };
}

async function historyOfSchedule(id: string, desk: Desk): Promise<Known> {
  const schedule = await scheduleNamed(desk, id);
  const { records = [] } = (await desk.board?.read()) ?? {};
  const all = pastOf(schedule, records).map((past) => occurrenceHappened(past, desk));
  return {
    all: all.toSorted((a, b) => b.at - a.at), // they are in the order of their ends
    timesIn: (from, to) => [...occurrencesWithin(schedule, { after: from - 1, until: to })].length,
  };
}

/** The last runs, the newest last. */
function lastRuns(all: readonly Happened[]): readonly HistoryItem[] {
  const runs: HistoryItem[] = [];
  for (const { item } of all) {
    const run = item();
    if (run.tookMs !== undefined) runs.push(run);
    if (runs.length === trendLength) break;
  }
  return runs.toReversed();
}
