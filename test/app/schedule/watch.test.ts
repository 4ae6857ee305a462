/** The scheduler that stays: it wakes when something is due, and outlives what goes wrong. */
import { expect, test } from 'vitest';
import { hour, minute, second, standingClock, type Millis } from '../../../src/base/clock.ts';
import type { ScheduleRecord } from '../../../src/app/schedule/decisions.ts';
import type { StateFiles } from '../../../src/stores/small-files.ts';
import type { Schedule } from '../../../src/app/schedule/schedule.ts';
import { schedulerOf } from '../../../src/app/schedule/scheduler.ts';
import { watch } from '../../../src/app/schedule/watch.ts';
import { filesOn, Locks, scheduleFor } from './world.ts';

const start = Date.parse('2026-11-20T00:30:00Z');
const at = (time: string): Millis => Date.parse(`2026-11-20T${time}:00Z`);

interface Given {
  /** The schedules as they are at a moment; may throw. */
  readonly schedules: (now: Millis) => readonly Schedule[];
  readonly until: Millis;
  /** What a run does with the clock's time; ends at once when absent. */
  readonly run?: (occurrence: Millis, stop: () => void) => Promise<void>;
  /** Its standing can never be written down. */
  readonly broken?: Schedule;
  /** Milliseconds the wall clock is put forward by at a moment. */
  readonly jump?: { readonly at: Millis; readonly by: Millis };
}

/** Watches on a clock that a sleep moves; returns what it did and when. */
async function watched({ schedules, until, run, broken, jump }: Given) {
  const standing = standingClock(start);
  let put = 0;
  const clock = { ...standing, now: () => standing.now() + put };
  const stopping = new AbortController();
  const seen = {
    fired: [] as Millis[],
    ended: [] as Millis[],
    looks: [] as Millis[],
    errors: [] as string[],
    records: [] as ScheduleRecord[],
    next: [] as (Millis | undefined)[],
  };
  const scheduler = schedulerOf({
    place: { folder: '/state', files: filesBut(broken), lock: new Locks().of({}) },
    clock,
    drain: stopping.signal,
    report: (record) => void seen.records.push(record),
    fire: async (_schedule, occurrence) => {
      seen.fired.push(occurrence);
      await run?.(occurrence, () => stopping.abort());
      seen.ended.push(occurrence);
      return { status: 'done', exit: 0, run: `r-${occurrence}` };
    },
  });
  await watch({
    scheduler,
    clock,
    schedules: async () => {
      const now = clock.now();
      if (jump !== undefined && put === 0 && now >= jump.at) put = jump.by;
      seen.looks.push(now);
      if (now >= until || seen.looks.length > 1_000) stopping.abort();
      return schedules(now);
    },
    onNext: (next) => void seen.next.push(next?.at),
    onError: (error) => seen.errors.push(String(error)),
    drain: stopping.signal,
  });
  return seen;
}

function filesBut(broken: Schedule | undefined): StateFiles {
  const files = filesOn(new Map());
  return {
    ...files,
    replace: (path, text, before) => {
      if (broken !== undefined && path.includes(broken.id)) throw new Error('it is read-only');
      return files.replace(path, text, before);
    },
  };
}

const hourly = scheduleFor({ id: 's-hourly' });

test('every occurrence runs in its minute, and none twice', async () => {
  const { fired, looks, errors, next } = await watched({
    schedules: () => [hourly],
    until: at('04:30'),
  });
  expect(fired).toEqual(['01:00', '02:00', '03:00', '04:00'].map(at));
  expect(next).toEqual(['01:00', '02:00', '03:00', '04:00', '05:00'].map(at)); // each told once
  expect(errors).toEqual([]);
  const gaps = looks.slice(1).map((look, index) => look - (looks[index] ?? 0));
  expect(Math.max(...gaps)).toBeLessThan(minute + second); // the clock may be set meanwhile
  expect(looks.filter((look) => look >= at('03:00') && look < at('03:00') + second)).not.toEqual(
    [],
  );
});

test('an edited schedule applies immediately, and a removed one no longer', async () => {
  const half = scheduleFor({ id: 's-half', cron: '30 * * * *' });
  const { fired } = await watched({
    schedules: (now) => (now < at('02:10') ? [hourly] : now < at('04:10') ? [half] : []),
    until: at('06:00'),
  });
  expect(fired).toEqual(['01:00', '02:00', '02:30', '03:30'].map(at));
});

test('a failed check is reported and repeated', async () => {
  const { fired, errors } = await watched({
    schedules: (now) => {
      if (now >= at('00:59') && now < at('01:02')) throw new Error('the folder cannot be read');
      return [hourly];
    },
    until: at('02:10'),
  });
  expect(errors.length).toBeGreaterThan(0);
  expect(new Set(errors)).toEqual(new Set(['Error: the folder cannot be read']));
  expect(fired).toEqual(['01:00', '02:00'].map(at));
});

test('a failed run is reported and does not stop the others', async () => {
  const { fired, errors } = await watched({
    schedules: () => [hourly, scheduleFor({ id: 's-other', cron: '5 * * * *' })],
    until: at('02:30'),
    run: async (occurrence) => {
      if (occurrence === at('01:00')) throw new Error('out of memory');
    },
  });
  expect(errors).toEqual(['Error: out of memory']);
  expect(fired).toEqual(['01:00', '01:05', '02:00', '02:05'].map(at));
});

test('a schedule that cannot be checked is reported and does not block the others', async () => {
  const broken = scheduleFor({ id: 's-broken' });
  const { fired, errors } = await watched({
    schedules: () => [hourly, broken],
    until: at('03:10'),
    broken,
  });
  expect(fired).toEqual(['01:00', '02:00', '03:00'].map(at));
  expect(new Set(errors)).toEqual(new Set(['Error: it is read-only']));
});

test('after a stop nothing new starts, and running ones are awaited', async () => {
  const { fired, ended } = await watched({
    schedules: () => [hourly],
    until: at('09:00'),
    run: async (_tick, stop) => {
      stop();
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    },
  });
  expect(fired).toEqual([at('01:00')]);
  expect(ended).toEqual(fired);
});

test('a wall clock that is set forward is reported, and missed occurrences run once', async () => {
  const { fired, records } = await watched({
    schedules: () => [hourly],
    until: at('07:10'),
    jump: { at: at('01:10'), by: 4 * hour },
  });
  expect(fired).toEqual(['01:00', '05:00', '06:00', '07:00'].map(at));
  expect(records.filter(({ kind }) => kind === 'clock')).toEqual([
    expect.objectContaining({ ms: 4 * hour }),
  ]);
});
