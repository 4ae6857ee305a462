/** The history of a playbook and of a schedule over the API: days in the zone of the reader, and the last runs. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { day, hour, standingClock } from '../../../src/base/clock.ts';
import { localPlace } from '../../../src/app/schedule/place.ts';
import { storeIn } from '../../../src/app/schedule/stored.ts';
import type { Entry } from '../../../src/engine/journal/entry.ts';
import type { AnswerOf, Routes } from '../../../src/serve/server/routes/index.ts';
import type { DeskServices } from '../../../src/serve/server/services.ts';
import { doneRun, doubtRun, resumedRun, stoppedRun } from '../../support/entries.ts';
import { recordRun } from '../../support/recorded.ts';
import { startOfRuns } from '../../support/tape.ts';
import { scheduleFor } from '../../app/schedule/world.ts';
import { served, type Served } from './desk.ts';

type History = AnswerOf<Routes['GET /history']>;

const midnight = startOfRuns - (startOfRuns % day); // in UTC, 41 minutes before the runs
const days = (...at: number[]): string => at.map((each) => midnight + each).join(',');

/** A run some time later. */
function later(entries: readonly Entry[], ms: number): readonly Entry[] {
  return entries.map((entry) => ({
    ...entry,
    at: entry.at + ms,
    ...('time' in entry && { time: entry.time + ms }),
    ...('signedAt' in entry && { signedAt: entry.signedAt + ms }),
  }));
}

async function historyOf({ get }: Pick<Served, 'get'>, query: string): Promise<History> {
  const response = await get(`/history?${query}`);
  expect([query, response.status]).toEqual([query, 200]);
  return (await response.json()) as History;
}

async function deskWithRuns(): Promise<Served> {
  const server = await served();
  const all = [doneRun(), stoppedRun(), doubtRun(), resumedRun()];
  for (const [number, entries] of all.entries()) {
    await recordRun(server.stateDir, later(entries, number * 10 * hour), `r-${number}`);
  }
  await server.poll();
  return server;
}

test('a day has what ended how, and where it begins is that of the reader', async () => {
  const server = await deskWithRuns();
  const utc = await historyOf(server, `playbook=desk-setup&days=${days(0, day, 2 * day)}`);
  expect(utc.days).toEqual([
    {
      at: midnight,
      states: [
        { state: 'doubt', n: 1 },
        { state: 'stopped', n: 1 },
        { state: 'done', n: 1 },
      ],
    },
    { at: midnight + day, states: [{ state: 'done', n: 1 }] },
  ]);
  const from = [-8 * hour, 16 * hour, 40 * hour]; // UTC+8
  const exchange = await historyOf(server, `playbook=desk-setup&days=${days(...from)}`);
  expect(exchange.days.map(({ states }) => states.map(({ n }) => n))).toEqual([
    [1, 1],
    [1, 1],
  ]);
  expect(utc.first).toBe(startOfRuns);
});

test('the last runs have their active duration, orders and rows, the newest last', async () => {
  const server = await deskWithRuns();
  const { trend } = await historyOf(server, 'playbook=desk-setup');
  expect(trend.map(({ run, state, orders, rows }) => [run, state, orders, rows])).toEqual([
    ['r-0', 'done', 5, 214],
    ['r-1', 'stopped', 4, 0],
    ['r-2', 'doubt', 2, 0],
    ['r-3', 'done', 5, 214],
  ]);
  expect(trend[3]?.tookMs).toBeLessThan(hour); // it waited an hour for a person
  expect((await historyOf(server, 'playbook=other')).trend).toEqual([]);
});

test('the runs of a chosen time are listed in pages, the newest first', async () => {
  const server = await served();
  for (let number = 0; number < 35; number++) {
    await recordRun(server.stateDir, later(doneRun(), number), `r-${number}`);
  }
  await server.poll();
  const query = `playbook=desk-setup&since=${midnight}&until=${midnight + day}`;
  const first = await historyOf(server, query);
  expect([first.listed[0]?.run, first.listed.length, first.pages]).toEqual(['r-34', 30, 2]);
  const last = await historyOf(server, `${query}&page=9`);
  expect([last.page, last.listed.length]).toEqual([2, 5]);
  expect((await historyOf(server, `playbook=desk-setup&since=0&until=1`)).listed).toEqual([]);
  expect(first.trend).toHaveLength(30);
});

test('the history of a schedule has how often it was missed on each day, and its runs as they are now', async () => {
  const stateDir = mkdtempSync(join(tmpdir(), 'history-'));
  const [place, clock] = [localPlace(stateDir), standingClock(startOfRuns)];
  const nightly = scheduleFor({ id: 's-1', playbook: 'nightly', writes: true });
  const services = {
    schedules: { find: async () => ({ schedules: [nightly], left: [] }), place: async () => place },
  } as unknown as DeskServices;
  const server = await served({ stateDir, services });
  await recordRun(stateDir, doubtRun(), 'r-night');
  await server.poll();
  const store = storeIn(place, clock);
  const missed = { kind: 'left', why: 'missed', count: 3 } as const;
  await store.record({ ...missed, from: midnight - 2 * day, to: midnight - 1 }, nightly);
  const end = { kind: 'ended', occurrence: midnight, run: 'r-night' } as const;
  await store.record({ ...end, status: 'stopped', exit: 1 }, nightly);
  const found = await historyOf(
    server,
    `schedule=s-1&days=${days(-3 * day, -2 * day, -day, 0, day)}`,
  );
  expect(found.days).toEqual([
    { at: midnight - 2 * day, states: [{ state: 'missed', n: 24 }] },
    { at: midnight - day, states: [{ state: 'missed', n: 24 }] },
    { at: midnight, states: [{ state: 'doubt', n: 1 }] },
  ]);
  expect(found.trend).toMatchObject([{ at: midnight, run: 'r-night', orders: 2 }]);
  const response = await server.get('/history?schedule=s-9');
  expect(response.status).toBe(404);
});

test('a history is of a playbook or of a schedule', async () => {
  const { get } = await served();
  expect((await get('/history')).status).toBe(400);
  expect((await get('/history?playbook=a&days=1')).status).toBe(400);
});
