/** Schedulers of two machines over Restate: what one that was stopped in its run says of its end. */
import { test } from 'vitest';
import { killedInItsRun, suspendedInItsRun } from '../cli/scheduling.ts';
import { folder } from '../postgres/desk.ts';
import { brief, restateDesk } from './desk.ts';

test('the run of a scheduler that was killed is not started again; any machine resumes it', async () => {
  const all = await restateDesk({ lease: brief });
  await killedInItsRun({ ...all, folder: () => folder(all), isLogShared: true });
});

test('a scheduler that was suspended in its run says how the run ended on another machine', async () => {
  const all = await restateDesk({ lease: brief });
  await suspendedInItsRun({ ...all, folder: () => folder(all), isLogShared: true });
});
