/** What belongs to a run, over the API: its inputs, the runs beside it, and comparisons. */
import { expect, test } from 'vitest';
import type { AnswerOf, Routes } from '../../../src/serve/server/routes/index.ts';
import type { Entry } from '../../../src/engine/journal/entry.ts';
import { runDiff } from '../../../src/report/run-diff.ts';
import { doneRun, stoppedRun } from '../../support/entries.ts';
import { recordRun } from '../../support/recorded.ts';
import { served } from './desk.ts';

type Related = AnswerOf<Routes['GET /runs/{run}/related']>;
type Compared = AnswerOf<Routes['GET /runs/{run}/compared']>;

test('a run leads to its inputs as they are typed, and to the runs of its playbook before and after it', async () => {
  const { stateDir, poll, get } = await served();
  const inputs = { symbol: 'BTCUSDT', sizes: ['1', '2'], none: null };
  const shifted = (later: number) =>
    doneRun().map((entry) => ({
      ...entry,
      at: entry.at + later,
      ...(entry.kind === 'started' && { inputs }),
    }));
  for (const [at, run] of ['r-a', 'r-b', 'r-c'].entries()) {
    await recordRun(stateDir, shifted(at * 60_000), run);
  }
  await poll();
  const related = (await (await get('/runs/r-b/related')).json()) as Related;
  expect(related).toMatchObject({ before: 'r-a', after: 'r-c' });
  expect(related.siblings.map(({ run }) => run)).toEqual(['r-c', 'r-a']);
  expect(related.inputs).toEqual([
    { name: 'symbol', value: 'BTCUSDT' },
    { name: 'sizes', value: '["1","2"]' },
  ]);
  expect([related.file, related.plan]).toEqual([undefined, undefined]); // neither is here any more
  expect((await get('/runs/r-none/related')).status).toBe(404);
});

test('a run leads to the run whose results it took over, while that run is here', async () => {
  const { stateDir, poll, get } = await served();
  const reusing = (of: string): Entry[] =>
    doneRun().map((entry) =>
      entry.kind === 'started'
        ? { ...entry, reused: { run: of, from: ['verify'], journal: '0'.repeat(64), steps: [] } }
        : entry,
    );
  await recordRun(stateDir, doneRun(), 'r-a');
  await recordRun(stateDir, reusing('r-a'), 'r-b');
  await recordRun(stateDir, reusing('r-pruned'), 'r-c');
  await poll();
  const reusedBy = async (run: string): Promise<unknown> =>
    ((await (await get(`/runs/${run}/related`)).json()) as Related).reused;
  expect(await Promise.all(['r-a', 'r-b', 'r-c'].map(reusedBy))).toEqual([
    undefined,
    'r-a',
    undefined,
  ]);
});

test('two runs are compared as `runs diff` compares them', async () => {
  const { stateDir, poll, get } = await served();
  await recordRun(stateDir, doneRun());
  await recordRun(stateDir, stoppedRun());
  await poll();
  const compared = (await (await get('/runs/r-8p0a/compared?with=r-7k2m')).json()) as Compared;
  expect(compared).toEqual({ version: 1, ...runDiff(doneRun(), stoppedRun()) });
  expect((await get('/runs/r-8p0a/compared?with=r-none')).status).toBe(404);
  expect((await get('/runs/r-8p0a/compared')).status).toBe(400);
});
