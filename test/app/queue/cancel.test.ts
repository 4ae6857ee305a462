/** What a person who cancels a job can do next depends on what the job was. */
import { expect, test } from 'vitest';
import { standingClock } from '../../../src/base/clock.ts';
import { cancelJob } from '../../../src/app/queue/cancel.ts';
import { cancelWords } from '../../../src/serve/server/actions/cancel-words.ts';
import { jobOf, workerOf } from '../../stores/shared/queue-contract.ts';
import { SimulatedQueue } from '../../stores/shared/simulated-queue.ts';

const queueAgain = /deskhand run PLAN --queue/;
const resume = /deskhand resume r-1 --queue/;

test.each([
  ['that no worker had', 'run', 'queued', [queueAgain]],
  ['that a worker has', 'run', 'taken', [resume, queueAgain]],
  ['that a worker gave back', 'run', 'given back', [resume, queueAgain]],
  ['with the rest of a run', 'resume', 'queued', [resume, queueAgain]],
  ['for a plan', 'plan', 'queued', []],
  ['for a plan that a worker makes', 'plan', 'taken', []],
] as const)('a job %s', async (_what, kind, state, ways) => {
  const queue = new SimulatedQueue(standingClock(0)).connect();
  await queue.put(jobOf('r-1', { kind }));
  if (state !== 'queued') await queue.take(workerOf('one'), 1_000);
  if (state === 'given back') await queue.giveBack('one', 'r-1', 0);
  const done = await cancelJob(queue, 'r-1', 'ann');
  if (done === 'unknown') throw new Error('it is queued');
  const [first, ...others] = cancelWords('r-1', done);
  expect(first).toMatch(/^r-1 (?:is cancelled|stops)/);
  expect(others).toEqual(ways.map((way) => expect.stringMatching(way)));
});
