/** The page of plans reads the newest, and says how many it does not read. */
import { expect, test } from 'vitest';
import { savePlan } from '../../../src/engine/plan/file.ts';
import { sealed } from '../../../src/engine/plan/digest.ts';
import type { AnswerOf, Routes } from '../../../src/serve/server/routes/index.ts';
import { samplePlan } from '../../support/plans.ts';
import { served } from './desk.ts';

test('older saved plans are counted', async () => {
  const server = await served();
  const { id: _id, digest: _digest, ...bound } = samplePlan();
  for (let at = 0; at < 102; at++)
    await savePlan(server.stateDir, sealed({ ...bound, observedAt: bound.observedAt + at }));
  const answer = (await (await server.get('/plans')).json()) as AnswerOf<Routes['GET /plans']>;
  expect(answer.older).toBe(2);
});
