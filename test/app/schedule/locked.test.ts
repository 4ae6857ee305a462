/** Schedules whose lock another process holds, has left behind, or may hold somewhere out of sight. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { standingClock, type Millis } from '../../../src/base/clock.ts';
import { LockedError, lockName } from '../../../src/engine/journal/lock.ts';
import { noGuard } from '../../../src/base/lock/guard.ts';
import { thisKernel, type Kernel } from '../../../src/base/lock/kernel.ts';
import { localPlace } from '../../../src/app/schedule/place.ts';
import { schedulerOf } from '../../../src/app/schedule/scheduler.ts';
import type { ScheduleRecord } from '../../../src/app/schedule/decisions.ts';
import { filesOn, scheduleFor } from './world.ts';

const start = Date.parse('2026-11-20T01:00:30Z'); // the hour is due

/** A look at one schedule after a process took a lock and did not let it go. */
async function lookAfter(lock: string, change: Partial<Kernel>) {
  const stateDir = await mkdtemp(join(tmpdir(), 'schedule-'));
  onTestFinished(() => rm(stateDir, { recursive: true }));
  const kernel = { ...thisKernel(), ...change };
  await lockName(stateDir, lock, 'ladder', { kernel, guard: noGuard });
  const fired: Millis[] = [];
  const records: ScheduleRecord[] = [];
  const clock = standingClock(start);
  const scheduler = schedulerOf({
    place: { ...localPlace(stateDir), files: filesOn(new Map()) },
    clock,
    drain: new AbortController().signal,
    report: (record) => void records.push(record),
    fire: async (_schedule, occurrence) => {
      fired.push(occurrence);
      return { status: 'done', exit: 0 };
    },
  });
  const look = async (): Promise<void> => {
    await Promise.all(await scheduler.look([scheduleFor({ id: 's-1' })]));
  };
  return { look, fired, records, waited: () => clock.now() - start };
}

const elsewhere = { pid: 4_194_305, namespace: 'pid:[1]' };

test('the lock of an ended process is taken over, and the occurrence runs', async () => {
  const { look, fired } = await lookAfter('s-1', { pid: 4_194_305 });
  await look();
  expect(fired).toHaveLength(1);
});

test('a run in progress covers the occurrence', async () => {
  const { look, fired, records } = await lookAfter('s-1', {});
  await look();
  expect(fired).toEqual([]);
  expect(records).toMatchObject([{ kind: 'left', why: 'overlap' }]);
});

test.each(['s-1', 'schedule'])(
  'an unknown holder of %s is reported at once, and no occurrence is decided',
  async (name) => {
    const { look, fired, records, waited } = await lookAfter(name, elsewhere);
    const refusal = look();
    await expect(refusal).rejects.toBeInstanceOf(LockedError);
    await expect(refusal).rejects.toMatchObject({
      hint: expect.stringContaining(`deskhand runs unlock ${name} --comment`),
    });
    expect([fired, records, waited()]).toEqual([[], [], 0]);
  },
);
