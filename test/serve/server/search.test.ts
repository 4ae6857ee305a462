/** The search in the events of all runs: what it finds, and how far one call goes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { day } from '../../../src/base/clock.ts';
import { journalPath } from '../../../src/engine/journal/runs.ts';
import type { Role } from '../../../src/app/config/role.ts';
import { routes, type AnswerOf, type Routes } from '../../../src/serve/server/routes/index.ts';
import type { Session } from '../../../src/serve/server/session.ts';
import { doneRun, doubtRun, longRun, resumedRun, stoppedRun } from '../../support/entries.ts';
import { recordRun } from '../../support/recorded.ts';
import { startOfRuns } from '../../support/tape.ts';
import { served, type Served } from './desk.ts';

type Found = AnswerOf<Routes['GET /search']>;

async function find({ get }: Pick<Served, 'get'>, query: string): Promise<Found> {
  const response = await get(`/search?${query}`);
  expect([query, response.status]).toEqual([query, 200]);
  return (await response.json()) as Found;
}

async function deskWithRuns(): Promise<Served> {
  const server = await served();
  for (const entries of [doneRun(), doubtRun(), stoppedRun(), resumedRun()]) {
    await recordRun(server.stateDir, entries);
  }
  await server.poll();
  return server;
}

const places = ({ events }: Found): readonly string[] =>
  events.map(({ run, seq }) => `${run} ${seq}`);

test('events are found by words, kind, run, playbook and account, each with its run', async () => {
  const server = await deskWithRuns();
  const refused = await find(server, 'kind=refused');
  const place = { run: 'r-8p0a', desk: 'desk', playbook: 'desk-setup', word: 'refused' };
  expect(refused.events).toMatchObject([
    { ...place, address: 'ladder', tone: 'bad' },
    { ...place, address: 'ladder[60500.0]', text: expect.stringContaining('40762') },
  ]);
  const words = await find(server, 'text=LADDER%20429');
  expect(new Set(words.events.map(({ run }) => run))).toEqual(new Set(['r-7k2m']));
  expect((await find(server, 'text=429%20nowhere')).events).toEqual([]);
  const ofRun = await find(server, 'run=r-9d&kind=in%20doubt');
  expect(new Set(ofRun.events.map(({ run }) => run))).toEqual(new Set(['r-9d1f']));
  expect(ofRun.events.length).toBeGreaterThan(0);
  expect((await find(server, 'playbook=other')).events).toEqual([]);
  const onAccount = await find(server, 'account=mm-main&kind=started');
  expect(new Set(onAccount.events.map(({ run }) => run))).toEqual(new Set(['r-9d1f']));
});

test('events are found by their own time, also of runs that began before it', async () => {
  const server = await deskWithRuns();
  const late = startOfRuns + 1_800_000; // a run was resumed an hour after its start
  const after = await find(server, `since=${late}`);
  expect(new Set(after.events.map(({ run }) => run)).size).toBe(1);
  expect(after.read).toBe(1); // the others ended before
  expect(after.events.map(({ word }) => word)).toContain('resumed');
  const before = await find(server, `until=${late}&run=${after.events[0]?.run}`);
  expect(before.events.map(({ word }) => word)).not.toContain('resumed');
  expect((await find(server, `since=${startOfRuns + day}`)).read).toBe(0);
});

test('a call reads a bounded number of runs, and the next ones find the rest, each once', async () => {
  const server = await served();
  for (let number = 0; number < 250; number++) {
    const entries = doneRun().map((entry) => ({ ...entry, at: entry.at + number }));
    await recordRun(server.stateDir, entries, `r-${number}`);
  }
  await server.poll();
  const none = await find(server, 'text=nothing-has-this');
  expect([none.events.length, none.read]).toEqual([0, 100]);
  expect(none.back).toBe(startOfRuns + 150);
  const all: string[] = [];
  let query = 'kind=wrote';
  for (let calls = 0; calls < 10; calls++) {
    const found = await find(server, query);
    all.push(...places(found));
    if (found.next === undefined) break;
    query = `kind=wrote&next=${encodeURIComponent(found.next)}`;
  }
  expect([all.length, new Set(all).size]).toEqual([250, 250]);
  expect(all[0]).toMatch(/^r-249 /);
});

test('a run with more events than one answer goes on in the next, the newest first', async () => {
  const server = await served();
  await recordRun(server.stateDir, longRun(250));
  await server.poll();
  const first = await find(server, 'kind=sent');
  const second = await find(server, `kind=sent&next=${encodeURIComponent(first.next ?? '')}`);
  const third = await find(server, `kind=sent&next=${encodeURIComponent(second.next ?? '')}`);
  const seqs = [first, second, third].flatMap(({ events }) => events.map(({ seq }) => seq));
  expect(seqs).toHaveLength(250);
  expect(seqs).toEqual(seqs.toSorted((a, b) => b - a));
  expect(third.next).toBeUndefined();
});

test('a viewer cannot find out the folder of the machine by searching for it', async () => {
  const server = await served();
  const entries = stoppedRun().map((entry) =>
    entry.kind === 'settled' && entry.outcome.kind === 'refused'
      ? { ...entry, outcome: { ...entry.outcome, message: `no file ${server.stateDir}/x` } }
      : entry,
  );
  await recordRun(server.stateDir, entries);
  await server.poll();
  const route = routes['GET /search'];
  const findAs = async (role: Role, text: string): Promise<readonly string[]> => {
    const session = { who: 'ann', role } as Session;
    const request = { parameters: { text }, session } as Parameters<typeof route.handle>[0];
    return (await route.handle(request, server.server)).events.map((event) => event.text);
  };
  expect(await findAs('viewer', server.stateDir)).toEqual([]);
  expect(await findAs('viewer', 'state/x')).toEqual([expect.stringContaining('desk/state/x')]);
  expect(await findAs('operator', server.stateDir)).toHaveLength(1);
});

test('a run whose record is damaged is named', async () => {
  const server = await deskWithRuns();
  const journal = journalPath(server.stateDir, 'r-8p0a');
  const lines = readFileSync(journal, 'utf8').split('\n');
  writeFileSync(journal, `${lines.with(-3, '{"damaged":true}').join('\n')}\n`);
  const found = await find(server, 'kind=started');
  expect(found.damages).toEqual([expect.stringContaining('r-8p0a')]);
  expect(found.events.length).toBeGreaterThan(0);
});

test('a place that no answer named is refused, or is that of the next older run', async () => {
  const server = await deskWithRuns();
  expect((await server.get('/search?next=1:2')).status).toBe(400);
  expect((await find(server, `kind=started&next=${startOfRuns + day}:0:4:r-nodesk`)).read).toBe(4);
  expect((await find(server, 'next=1:0:4:r-nodesk')).read).toBe(0);
});
