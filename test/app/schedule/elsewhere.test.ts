/** A scheduler whose runs are in other processes: what is started, what counts meanwhile, and what is left. */
import { expect, test } from 'vitest';
import { hour, minute, standingClock, type Millis } from '../../../src/base/clock.ts';
import type { Departure } from '../../../src/app/schedule/elsewhere.ts';
import type { SchedulePlace } from '../../../src/app/schedule/place.ts';
import type { Ended, ScheduleRecord } from '../../../src/app/schedule/decisions.ts';
import type { Schedule } from '../../../src/app/schedule/schedule.ts';
import { schedulerOf } from '../../../src/app/schedule/scheduler.ts';
import { storeIn } from '../../../src/app/schedule/stored.ts';
import { filesOn, Locks, scheduleFor, type Disk } from './world.ts';

const start = Date.parse('2026-11-20T01:00:30Z'); // the hour is due
const first = Date.parse('2026-11-20T01:00:00Z');
const done: Ended = { status: 'done', exit: 0, run: 'r-1' };
const fine: Departure = { isFailed: false, left: { exit: 0, message: 'it ended' } };
const killed: Departure = {
  isFailed: true,
  left: { exit: 1, message: 'its process ended with SIGKILL' },
};

/** @param other what the started process does; it has its own lock, as another process has */
function server(
  other: (process: Other) => Promise<Departure | undefined>,
  change: Partial<Schedule> = {},
) {
  const disk: Disk = new Map();
  const locks = new Locks();
  const clock = standingClock(start);
  const schedule = scheduleFor({ id: 's-1', ...change });
  const place = (): SchedulePlace & { readonly die: () => void } => {
    const life = {};
    return {
      folder: '',
      files: filesOn(disk),
      lock: locks.of(life),
      die: () => locks.bury(life),
    };
  };
  const records: ScheduleRecord[] = [];
  const scheduler = schedulerOf({
    clock,
    drain: new AbortController().signal,
    place: place(),
    report: (record) => void records.push(record),
    start: async () => {
      const own = place();
      const fired: Millis[] = [];
      const stopping = new AbortController();
      const process = schedulerOf({
        clock,
        drain: stopping.signal,
        place: own,
        report: () => undefined,
        fire: async (_schedule, occurrence) => {
          fired.push(occurrence);
          return gate(occurrence, () => stopping.abort());
        },
      });
      const look = async (): Promise<void> => {
        await Promise.all(await process.look([schedule]));
      };
      return other({ look, die: own.die, fired });
    },
  });
  let gate = async (_occurrence: Millis, _stop: () => void): Promise<Ended> => done;
  return {
    records,
    look: async () => scheduler.look([schedule]),
    all: () => storeIn(place(), clock).records(),
    pass: (length: Millis) => clock.advance(length),
    fireAs: (fire: typeof gate) => {
      gate = fire;
    },
  };
}

interface Other {
  readonly look: () => Promise<void>;
  readonly die: () => void;
  readonly fired: readonly Millis[];
}

/** A promise, and what settles it. */
function promised<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

const kinds = (records: readonly ScheduleRecord[]) =>
  records.map((record) => [
    record.kind,
    'occurrence' in record ? record.occurrence : undefined,
    record.kind === 'ended' ? record.status : undefined,
  ]);

test('what is due runs once, in the process that was started, which records it', async () => {
  const fired: Millis[][] = [];
  const { look, all, records } = server(async (process) => {
    await process.look();
    fired.push([...process.fired]);
    return fine;
  });
  expect(await Promise.all(await look())).toEqual([[]]);
  expect(await Promise.all(await look())).toEqual([[]]);
  expect(fired).toEqual([[first]]);
  expect([records, kinds(await all())]).toEqual([
    [],
    [
      ['taken', first, undefined],
      ['ended', first, 'done'],
    ],
  ]);
});

test('a schedule counts as running from the start of its process, before that has the lock', async () => {
  const started = promised<void>();
  const { look, all, pass, records } = server(
    async (process) => {
      await started.promise;
      await process.look();
      return fine;
    },
    { lateMs: 2 * hour },
  );
  const first = await look();
  pass(hour);
  expect(await Promise.all(await look())).toEqual([[]]); // no second process
  expect(records).toMatchObject([{ kind: 'left', why: 'overlap' }]);
  started.resolve();
  await Promise.all(first);
  expect((await all()).filter(({ kind }) => kind === 'taken')).toHaveLength(1);
});

test('an occurrence whose process was killed during its run is recorded as interrupted, and not run again', async () => {
  let starts = 0;
  const { look, records, pass, fireAs } = server(async (process) => {
    starts += 1;
    void process.look();
    await began.promise;
    process.die();
    return { ...killed, left: { ...killed.left, run: 'r-7', hint: 'deskhand resume r-7' } };
  });
  const began = promised<void>();
  fireAs(() => {
    began.resolve();
    return new Promise(() => undefined);
  });
  const [ends] = await Promise.all(await look());
  const hint = 'deskhand resume r-7';
  expect(ends).toMatchObject([{ status: 'interrupted', run: 'r-7', hint, cause: 'crash' }]);
  expect(kinds(records)).toEqual([['ended', first, 'interrupted']]);
  pass(minute);
  await Promise.all(await look());
  expect(starts).toBe(1);
});

test('a process that fails before it claims uses the occurrence up, and the next one is tried', async () => {
  let starts = 0;
  const { look, records, pass, all } = server(async () => {
    starts += 1;
    return killed;
  });
  await Promise.all(await look());
  pass(minute);
  await Promise.all(await look());
  expect([starts, kinds(records)]).toEqual([
    1,
    [
      ['taken', first, undefined],
      ['ended', first, 'not-begun'],
    ],
  ]);
  pass(hour);
  await Promise.all(await look());
  expect([starts, (await all()).length]).toEqual([2, 4]);
});

test('a process that ends well without a claim leaves the occurrence to the next check', async () => {
  let starts = 0;
  const { look, all, pass } = server(async (process) => {
    starts += 1;
    if (starts === 2) await process.look();
    return fine;
  });
  await Promise.all(await look());
  expect(await all()).toEqual([]);
  pass(minute);
  await Promise.all(await look());
  expect(kinds(await all()).at(-1)).toEqual(['ended', first, 'done']);
});

test('a process that outlives the server keeps its lock, and its end is its own to record', async () => {
  const ended = promised<Ended>();
  let life: Promise<void> = Promise.resolve();
  const { look, all, records, fireAs, pass } = server(async (process) => {
    life = process.look();
    await began.promise;
    return undefined; // the server ends
  });
  const began = promised<void>();
  fireAs(() => {
    began.resolve();
    return ended.promise;
  });
  await Promise.all(await look());
  pass(hour);
  await Promise.all(await look()); // the next server
  expect(records).toMatchObject([{ kind: 'left', why: 'overlap' }]);
  ended.resolve(done);
  await life;
  expect(kinds(await all()).at(-1)).toEqual(['ended', first, 'done']);
});

test('a process that is stopped during its first run leaves the rest of its queue to the next check', async () => {
  let starts = 0;
  const { look, all, pass, fireAs } = server(
    async (process) => {
      starts += 1;
      if (starts > 1) await process.look();
      return starts === 2 ? { isFailed: true, left: { exit: 130, message: 'stopped' } } : fine;
    },
    { overlap: 'queue', missed: 'all' },
  );
  fireAs(async (_occurrence, stop) => {
    if (starts === 2) stop();
    return done;
  });
  await Promise.all(await look()); // the first one stays
  pass(hour);
  await Promise.all(await look()); // two wait, and the first is stopped
  expect(kinds(await all())).toHaveLength(2);
  pass(minute);
  await Promise.all(await look());
  expect(kinds(await all()).filter(([kind]) => kind === 'ended')).toEqual([
    ['ended', first, 'done'],
    ['ended', first + hour, 'done'],
  ]);
});
