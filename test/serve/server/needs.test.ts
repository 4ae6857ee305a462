/** What needs a person: one line for each cause, which leaves the list with a reason. */
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { keepDrifts } from '../../../src/engine/plan/drift-record.ts';
import type { AnswerOf, Routes } from '../../../src/serve/server/routes/index.ts';
import { doneRun, doubtRun, killedRun } from '../../support/entries.ts';
import { continueRun, recordRun } from '../../support/recorded.ts';
import { startOfRuns, tape } from '../../support/tape.ts';
import { served, type Served } from './desk.ts';

type Home = AnswerOf<Routes['GET /home']>;

async function homeOf(server: Served): Promise<Home> {
  await server.poll();
  return (await (await server.get('/home')).json()) as Home;
}

test('a need has its age and action, and leaves the list when a person acknowledges it', async () => {
  const server = await served();
  await recordRun(server.stateDir, doubtRun());
  const [need] = (await homeOf(server)).needs;
  expect(need).toMatchObject({ kind: 'doubt', run: 'r-9d1f', action: 'Settle' });
  expect(need?.at).toBeGreaterThan(startOfRuns);
  const body = { press: 'a-press-of-a-button', cause: need?.cause, reason: 'known since noon' };
  expect((await server.post('/needs/acknowledge', { ...body, reason: ' ' })).status).toBe(400);
  expect((await server.post('/needs/acknowledge', body)).status).toBe(200);
  const after = await homeOf(server);
  expect(after.needs).toEqual([]);
  expect(after.acknowledged).toMatchObject([
    { title: need?.title, label: '1 in doubt', who: 'ann', reason: 'known since noon' },
  ]);
  expect(after.runs[0]).toMatchObject({ state: 'doubt', doubts: 1 });
});

test('an acknowledged need returns when its run changes', async () => {
  const server = await served();
  await recordRun(server.stateDir, doubtRun());
  const [need] = (await homeOf(server)).needs;
  const body = { press: 'a-press-of-a-button', cause: need?.cause, reason: 'known' };
  await server.post('/needs/acknowledge', body);
  const { entries } = tape(doubtRun()).wait(1_000).add({ kind: 'resumed' });
  await continueRun(server.stateDir, 'r-9d1f', entries.slice(-1));
  for (let n = 0; n < 10; n++) await server.poll(); // a tenth of the runs that ended each time
  const [again] = (await homeOf(server)).needs;
  expect(again).toMatchObject({ run: 'r-9d1f' });
});

test('of many needs the most urgent are listed, and the others counted', async () => {
  const server = await served();
  for (let run = 0; run < 53; run++) await recordRun(server.stateDir, doubtRun(), `r-${run}`);
  await recordRun(server.stateDir, killedRun());
  const { needs, moreNeeds, acknowledged } = await homeOf(server);
  expect([needs.length, moreNeeds, acknowledged]).toEqual([50, 4, []]);
  expect(new Set(needs.map(({ kind }) => kind))).toEqual(new Set(['doubt']));
  const body = { press: 'a-press-of-a-button', cause: needs[0]?.cause, reason: 'known' };
  await server.post('/needs/acknowledge', body);
  const after = await homeOf(server);
  expect([after.needs.length, after.moreNeeds]).toEqual([50, 3]);
});

test('a doubt of a listed run is no drift in addition', async () => {
  const server = await served();
  await recordRun(server.stateDir, doubtRun());
  await recordRun(server.stateDir, doneRun());
  const { runs } = await homeOf(server);
  const { playbook = '', profile = '' } = runs.find(({ run }) => run === 'r-9d1f') ?? {};
  const drift = { playbook, file: 'a.yaml', profile, at: startOfRuns, compared: 3 };
  await keepDrifts(server.stateDir, [{ ...drift, differences: 1, inDoubt: 1 }]);
  expect((await homeOf(server)).needs.map(({ kind }) => kind)).toEqual(['doubt']);
  await keepDrifts(server.stateDir, [{ ...drift, differences: 2, inDoubt: 1 }]);
  const [, found] = (await homeOf(server)).needs;
  expect(found).toMatchObject({ kind: 'drift', text: expect.stringMatching(/^1 difference/) });
});

test('long answers are compressed for a browser that takes it, and streams are not', async () => {
  const server = await served();
  for (let n = 0; n < 3; n++) await recordRun(server.stateDir, doneRun().map(renamed(`r-${n}`)));
  await server.poll();
  const plain = await server.get('/home');
  const packed = await server.get('/home', { 'accept-encoding': 'gzip, br' });
  expect(packed.headers.get('content-encoding')).toBe('gzip');
  const text = gunzipSync(Buffer.from(await packed.arrayBuffer())).toString('utf8');
  expect(text).toBe(await plain.text());
  const events = await server.get('/events', { 'accept-encoding': 'gzip' });
  expect(events.headers.get('content-encoding')).toBeNull();
  await events.body?.cancel();
  server.close();
});

function renamed(run: string) {
  return <E extends { readonly kind: string }>(entry: E): E =>
    entry.kind === 'started' ? { ...entry, run } : entry;
}
