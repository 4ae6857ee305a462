/** Pauses: no scheduler starts what is paused, and nothing of a pause is caught up later. */
import { expect, test } from 'vitest';
import { hour, minute, standingClock, type Millis } from '../../../src/base/clock.ts';
import { pause, resume } from '../../../src/app/schedule/pause.ts';
import type { SchedulePlace } from '../../../src/app/schedule/place.ts';
import type { Schedule } from '../../../src/app/schedule/schedule.ts';
import { schedulerOf } from '../../../src/app/schedule/scheduler.ts';
import { storeIn } from '../../../src/app/schedule/stored.ts';
import { filesOn, Locks, scheduleFor, type Disk } from './world.ts';

const start = Date.parse('2026-11-20T00:30:00Z');
const ann = { name: 'nightly', who: 'ann', why: 'the desk is closed' };
const nightly = scheduleFor({ id: 's-1', playbook: 'nightly' });

/** A folder with schedulers, each of which looks once and waits for what it started. */
function desk() {
  const disk: Disk = new Map();
  const locks = new Locks();
  const clock = standingClock(start);
  const fired: string[] = [];
  const place = (): SchedulePlace => ({
    folder: '/state',
    files: filesOn(disk),
    lock: locks.of({}),
  });
  return {
    disk,
    clock,
    fired,
    place: place(),
    advance: (time: string) => clock.advance(Date.parse(`2026-11-20T${time}Z`) - clock.now()),
    look: async (
      schedules: readonly Schedule[] = [nightly],
      onRun: (occurrence: Millis) => Promise<void> = async () => undefined,
    ) => {
      const scheduler = schedulerOf({
        place: place(),
        clock,
        drain: new AbortController().signal,
        report: () => undefined,
        fire: async ({ id }, occurrence) => {
          fired.push(`${id} ${shown(occurrence)}`);
          await onRun(occurrence);
          return { status: 'done', exit: 0 };
        },
      });
      await Promise.all(await scheduler.look(schedules));
    },
    records: async () => {
      const all = await storeIn(place(), clock).records();
      return all.flatMap((record) => {
        if (record.kind !== 'left') return [];
        return `${record.why} ${shown(record.from)}-${shown(record.to)} ${record.count}`;
      });
    },
  };
}

function shown(at: Millis): string {
  return new Date(at).toISOString().slice(11, 16);
}

test('a paused schedule does not run, and runs again from the next occurrence after its resume', async () => {
  const { look, advance, fired, place, clock, records } = desk();
  await look();
  await pause(ann, place, clock);
  for (const time of ['01:00:05', '02:00:05']) {
    advance(time);
    await look();
  }
  expect(fired).toEqual([]);
  expect(await records()).toEqual(['paused 01:00-01:00 1', 'paused 02:00-02:00 1']);
  advance('02:30:00');
  await resume({ ...ann, why: '' }, place, clock);
  await look();
  advance('03:00:05');
  await look();
  expect(fired).toEqual(['s-1 03:00']);
});

test.each(['once', 'all', 'skip'] as const)(
  'a scheduler that did not run during the pause runs nothing of it, with missed: %s',
  async (missed) => {
    const { look, advance, fired, place, clock, records } = desk();
    const schedule = { ...nightly, missed, withinMs: 24 * hour };
    await look([schedule]);
    advance('01:30:00'); // 01:00 was missed
    await pause(ann, place, clock);
    advance('03:30:00');
    await resume(ann, place, clock);
    advance('03:40:00');
    await look([schedule]);
    expect(fired).toEqual([]);
    expect(await records()).toEqual(['missed 01:00-01:00 1', 'paused 02:00-03:00 2']);
    advance('05:59:00');
    await look([schedule]); // 04:00 and 05:00 were missed after the resume
    expect(fired.map((each) => each.slice(4))).toEqual(
      { once: ['05:00'], all: ['04:00', '05:00'], skip: [] }[missed],
    );
  },
);

test('the pause of a playbook holds for a schedule that was edited, and that of an id for no other', async () => {
  const { look, advance, fired, place, clock } = desk();
  const edited = scheduleFor({ id: 's-2', playbook: 'nightly', cron: '30 * * * *' });
  const other = scheduleFor({ id: 's-3', playbook: 'other' });
  await look([nightly, other]);
  await pause(ann, place, clock);
  advance('01:00:05');
  await look([edited, other]);
  advance('01:30:05');
  await look([edited, other]);
  expect(fired).toEqual(['s-3 01:00']);
  await resume(ann, place, clock);
  await pause({ ...ann, name: 's-2' }, place, clock);
  advance('02:00:05');
  await look([nightly, edited, other]);
  expect(fired.toSorted()).toEqual(['s-1 02:00', 's-3 01:00', 's-3 02:00']);
});

test('a pause during a run lets it end, and starts no occurrence that waits for it', async () => {
  const { look, advance, fired, place, clock, records } = desk();
  const queued = scheduleFor({ id: 's-1', playbook: 'nightly', overlap: 'queue' });
  await look([queued]);
  advance('01:00:05');
  await look([queued], async () => {
    advance('02:00:05');
    await look([queued]); // 02:00 waits
    await pause(ann, place, clock);
  });
  expect(fired).toEqual(['s-1 01:00']);
  clock.advance(minute);
  await look([queued]);
  expect(fired).toEqual(['s-1 01:00']);
  expect(await records()).toEqual(['paused 02:00-02:00 1']);
});

test('nothing runs while what is paused cannot be read', async () => {
  const { look, advance, fired, place, clock, disk } = desk();
  await look();
  await pause(ann, place, clock);
  disk.set('/state/schedule/paused.json', '{"version":1,"pauses":[{"name":"nightly"}]}');
  advance('01:00:05');
  await expect(look()).rejects.toThrow('/state/schedule/paused.json is damaged');
  expect(fired).toEqual([]);
});

test('a pause needs a reason and happens once, and only what is paused is resumed', async () => {
  const { place, clock } = desk();
  await expect(pause({ ...ann, why: ' ' }, place, clock)).rejects.toThrow('a pause needs a reason');
  await pause(ann, place, clock);
  await expect(pause({ ...ann, who: 'ben' }, place, clock)).rejects.toThrow(
    'nightly is paused already, by ann since 2026-11-20T00:30Z: the desk is closed',
  );
  await expect(resume({ ...ann, name: 'nightl' }, place, clock)).rejects.toThrow(
    'nightl is not paused',
  );
  expect(await resume(ann, place, clock)).toMatchObject({ who: 'ann', until: start });
});
