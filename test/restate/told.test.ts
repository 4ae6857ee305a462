/** What people are told of runs that one machine could not do or not continue, over Restate. */
import { test } from 'vitest';
import {
  approvalsTravel,
  cancelledIsQueuedAgain,
  halfDone,
  holderGoesFirst,
  oneBadMachine,
} from '../postgres/told.ts';
import { brief, restateDesk } from './desk.ts';

test('a half-done run that no machine may continue says what was sent and what is in doubt', async () => {
  await halfDone(await restateDesk({ lease: brief }));
});

test('a job waits for the run that has its account, says so, and the resume of that run goes first', async () => {
  await holderGoesFirst(await restateDesk({ lease: brief }));
});

test('a machine that cannot do a job leaves it to a healthy one, and the plan can be queued again', async () => {
  await oneBadMachine(await restateDesk({ lease: brief }));
});

test('a run that was cancelled before it began is queued again', async () => {
  await cancelledIsQueuedAgain(await restateDesk());
});

test('the rest of an approved run is continued with the approvals that it began with', async () => {
  await approvalsTravel(await restateDesk({ lease: brief }));
});
