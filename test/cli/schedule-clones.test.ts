/** A scheduler of one clone that was killed in its run: its state is shared in Git, and another clone does the rest. */
import { test } from 'vitest';
import { afterLease, clone, fleet } from './fleet.ts';
import { killedInItsRun } from './scheduling.ts';

test('the run of a scheduler that was killed is not started again; any clone resumes it', async () => {
  const at = await fleet();
  const { exchange, env: keys } = at;
  await killedInItsRun({
    exchange,
    keys,
    isLogShared: false,
    folder: () => clone(at),
    endLeases: () => afterLease(at),
  });
});
