/** What the record of an occurrence says of its run: how that stands, and how it ended elsewhere. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { minute, standingClock } from '../../../src/base/clock.ts';
import type { SchedulePlace } from '../../../src/app/schedule/place.ts';
import type { Ended } from '../../../src/app/schedule/decisions.ts';
import { schedulerOf } from '../../../src/app/schedule/scheduler.ts';
import { storeIn } from '../../../src/app/schedule/stored.ts';
import { standingOf } from '../../../src/app/running/occurrence.ts';
import { localStore } from '../../../src/stores/local.ts';
import type { Claim, StateStore } from '../../../src/stores/store.ts';
import { doneRun, doubtRun, killedRun, stoppedRun } from '../../support/entries.ts';
import { recordRun } from '../../support/recorded.ts';
import { filesOn, Locks, scheduleFor, type Disk } from './world.ts';

const clock = standingClock(Date.parse('2026-11-20T00:30:00Z'));

test.each([
  ['done', doneRun, { status: 'done', exit: 0 }],
  ['stopped', stoppedRun, { status: 'stopped', exit: 1 }],
  ['in doubt', doubtRun, { status: 'doubt', exit: 6 }],
  [
    'killed while an order was on its way',
    killedRun,
    {
      status: 'doubt',
      exit: 6,
      cause: 'crash',
      message: expect.stringMatching(/^it did not end; /),
      hint: expect.stringMatching(/^deskhand resume r-/),
    },
  ],
])('a run that is %s is recorded so', async (_what, entries, wanted) => {
  const stateDir = mkdtempSync(join(tmpdir(), 'standing-'));
  const run = await recordRun(stateDir, entries());
  const store = localStore(stateDir);
  expect(await standingOf(run, { stateDir, store }, { clock })).toMatchObject({ ...wanted, run });
});

test('a run that another machine has is unfinished, whatever is on its way', async () => {
  const stateDir = mkdtempSync(join(tmpdir(), 'standing-'));
  const run = await recordRun(stateDir, killedRun());
  const claim: Claim = {
    run,
    playbook: 'ladder',
    accounts: [],
    host: 'desk-2',
    machine: '',
    nonce: 'n',
    since: clock.now(),
    until: clock.now() + minute,
  };
  const store: StateStore = { ...localStore(stateDir), sync: async () => [claim] };
  expect(await standingOf(run, { stateDir, store }, { clock })).toMatchObject({
    status: 'unfinished',
    message: 'it is in progress on desk-2',
    hint: `deskhand runs logs -f ${run}`,
  });
});

test('a record follows its run, once for three schedulers, until the run is done', async () => {
  const disk: Disk = new Map();
  const locks = new Locks();
  const own = standingClock(Date.parse('2026-11-20T00:59:00Z'));
  const hourly = scheduleFor({ id: 's-1', playbook: 'nightly' });
  let now: Ended = { status: 'doubt', exit: 6, run: 'r-1' };
  let asked = 0;
  const place = (): SchedulePlace => ({
    folder: '/state',
    files: filesOn(disk),
    lock: locks.of({}),
  });
  const look = async (): Promise<void> => {
    const scheduler = schedulerOf({
      place: place(),
      clock: own,
      drain: new AbortController().signal,
      report: () => undefined,
      fire: async () => now,
      standing: {
        ofRun: async () => {
          asked += 1;
          return now;
        },
        ofOccurrence: async () => {
          throw new Error('each has its end');
        },
      },
    });
    await Promise.all(await scheduler.look([hourly]));
  };
  const ends = async (): Promise<readonly string[]> => {
    const records = await storeIn(place(), own).records();
    return records.flatMap((record) => (record.kind === 'ended' ? [record.status] : []));
  };
  await look();
  own.advance(minute);
  await look();
  expect(await ends()).toEqual(['doubt']);
  await Promise.all([look(), look(), look()]);
  expect(await ends()).toEqual(['doubt']);
  now = { status: 'unfinished', exit: 1, run: 'r-1' };
  await Promise.all([look(), look(), look()]);
  now = { status: 'done', exit: 0, run: 'r-1' };
  await Promise.all([look(), look(), look()]);
  expect(await ends()).toEqual(['doubt', 'unfinished', 'done']);
  const before = asked;
  await look();
  expect(asked).toBe(before);
});

test('an occurrence whose scheduler died gets its outcome once nobody has its lock', async () => {
  const disk: Disk = new Map();
  const locks = new Locks();
  const own = standingClock(Date.parse('2026-11-20T00:59:00Z'));
  const hourly = scheduleFor({ id: 's-1', playbook: 'nightly' });
  const place = (): SchedulePlace => ({
    folder: '/state',
    files: filesOn(disk),
    lock: locks.of({}),
  });
  const asked: number[] = [];
  const look = async (fire: () => Promise<Ended>): Promise<readonly Promise<unknown>[]> => {
    const scheduler = schedulerOf({
      place: place(),
      clock: own,
      drain: new AbortController().signal,
      report: () => undefined,
      fire,
      standing: {
        ofRun: async (run) => ({ status: 'done', exit: 0, run }),
        ofOccurrence: async (_, occurrence) => {
          asked.push(occurrence);
          return { status: 'doubt', exit: 6, run: 'r-1', cause: 'crash' };
        },
      },
    });
    return scheduler.look([hourly]);
  };
  const kinds = async (): Promise<readonly string[]> => {
    const records = await storeIn(place(), own).records();
    return records.map((record) => (record.kind === 'ended' ? record.status : record.kind));
  };
  await Promise.all(await look(unused));
  own.advance(minute);
  let die: (error: Error) => void = () => undefined;
  const [dying] = await look(() => new Promise((_, reject) => (die = reject)));
  while (!(await kinds()).includes('taken')) await setImmediate();
  await Promise.all(await look(unused)); // another scheduler, while it lives
  expect([await kinds(), asked]).toEqual([['taken'], []]);
  die(new Error('killed'));
  await expect(dying).rejects.toThrow('killed');
  for (const both of await Promise.all([look(unused), look(unused)])) await Promise.all(both);
  expect(asked).toEqual([Date.parse('2026-11-20T01:00:00Z')]);
  expect(await kinds()).toEqual(['taken', 'doubt', 'done']);
});

test('an occurrence that waited for an approval gets the outcome of the run that a person started for it', async () => {
  const disk: Disk = new Map();
  const locks = new Locks();
  const own = standingClock(Date.parse('2026-11-20T00:59:00Z'));
  const hourly = scheduleFor({ id: 's-1', playbook: 'nightly' });
  const place = (): SchedulePlace => ({
    folder: '/state',
    files: filesOn(disk),
    lock: locks.of({}),
  });
  let standing: Ended = { status: 'not-begun', exit: 1 };
  const look = async (): Promise<void> => {
    const scheduler = schedulerOf({
      place: place(),
      clock: own,
      drain: new AbortController().signal,
      report: () => undefined,
      fire: async () => ({ status: 'not-begun', exit: 5, awaits: 'approval' }),
      standing: { ofRun: async () => standing, ofOccurrence: async () => standing },
    });
    await Promise.all(await scheduler.look([hourly]));
  };
  const ends = async (): Promise<readonly string[]> => {
    const records = await storeIn(place(), own).records();
    return records.flatMap((record) => (record.kind === 'ended' ? [record.status] : []));
  };
  await look();
  own.advance(minute);
  await look();
  await look();
  expect(await ends()).toEqual(['not-begun']);
  standing = { status: 'doubt', exit: 6, run: 'r-1' };
  await look();
  standing = { status: 'done', exit: 0, run: 'r-1' };
  await look();
  await look();
  expect(await ends()).toEqual(['not-begun', 'doubt', 'done']);
});

async function unused(): Promise<Ended> {
  throw new Error('nothing is due');
}
