/** How many requests a run sent: their table also has the waits between them. */
import { expect, test } from 'vitest';
import type { AnswerOf, Routes } from '../../../src/serve/server/routes/index.ts';
import { doneRun } from '../../support/entries.ts';
import { recordRun } from '../../support/recorded.ts';
import { served } from './desk.ts';

test('the number of requests is the same in every place, without the waits', async () => {
  const server = await served();
  await recordRun(server.stateDir, doneRun());
  await server.poll();
  const [row] = ((await (await server.get('/home')).json()) as AnswerOf<Routes['GET /home']>).runs;
  const answer = await server.get(`/runs/${row?.run}`);
  const view = (await answer.json()) as AnswerOf<Routes['GET /runs/{run}']>;
  const [, said] = view.facts.find(([name]) => name === 'sent') ?? [];
  expect(said).toMatch(new RegExp(`^${view.sent} requests`));
  expect(view.requests?.rows.length).toBeGreaterThan(view.sent);
});
