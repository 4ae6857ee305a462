/** State of schedules that cannot be read or written: what and where is said, and nothing runs twice. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hour, standingClock, type Millis } from '../../../src/base/clock.ts';
import { stateFiles } from '../../../src/app/schedule/state-files.ts';
import type { ScheduleEvent, ScheduleRecord } from '../../../src/app/schedule/decisions.ts';
import { schedulerOf } from '../../../src/app/schedule/scheduler.ts';
import { storeIn } from '../../../src/app/schedule/stored.ts';
import { filesOn, Locks, scheduleFor, type Disk } from './world.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deskhand-schedule-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('an object in place of a file is reported with its path', async () => {
  const path = join(folder, 'file');
  mkdirSync(path);
  const said = (act: string, where: string) => ({
    code: 'disk',
    message: expect.stringContaining(`cannot ${act} ${where}`),
  });
  await expect(stateFiles.read(path)).rejects.toMatchObject(said('read', path));
  await expect(stateFiles.append(path, 'line')).rejects.toMatchObject(said('write', path));
  const other = join(folder, 'other');
  writeFileSync(other, '');
  const below = join(other, 'below');
  await expect(stateFiles.read(below)).rejects.toMatchObject(said('read', below));
  await expect(stateFiles.names(other)).rejects.toMatchObject(said('read', other));
  await expect(stateFiles.names(join(folder, 'none'))).resolves.toEqual([]);
  await expect(stateFiles.read(join(folder, 'none'))).resolves.toBeUndefined();
});

const schedule = scheduleFor({ id: 's-1' });
const start = Date.parse('2026-11-20T00:30:00Z');

async function look(disk: Disk, now: Millis) {
  const records: ScheduleRecord[] = [];
  const fired: Millis[] = [];
  const scheduler = schedulerOf({
    place: { folder: '/state', files: filesOn(disk), lock: new Locks().of({}) },
    clock: standingClock(now),
    drain: new AbortController().signal,
    report: (record) => void records.push(record),
    fire: async (_schedule, occurrence) => {
      fired.push(occurrence);
      return { status: 'done', exit: 0 };
    },
  });
  await Promise.all(await scheduler.look([schedule]));
  return { fired, kinds: records.map(({ kind }) => kind) };
}

test.each([
  '',
  '{',
  '[]',
  '{"until":"x","waiting":[]}',
  '{"until":-1e300,"waiting":[]}',
  '{"until":1795135800000,"waiting":[1e300]}',
  '{"until":1795135800000}',
])('a schedule record of %j is reported, and the schedule counts from now', async (text) => {
  const disk: Disk = new Map();
  await look(disk, start);
  const name = '/state/schedule/s-1/standing.json';
  expect(disk.has(name)).toBe(true);
  disk.set(name, text);
  expect(await look(disk, start + 3 * hour)).toEqual({ fired: [], kinds: ['forgotten'] });
  const next = await look(disk, start + 3.5 * hour);
  expect(next).toEqual({ fired: [start + 3.5 * hour], kinds: ['taken', 'ended'] });
});

test('records of version 0.1 are read with the current names', async () => {
  const of = { version: 1, at: start, schedule: 's-1' };
  const lines = [
    { ...of, kind: 'taken', tick: start },
    { ...of, kind: 'ended', tick: start, status: 'stopped', exit: 1, says: 'it stopped' },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const disk: Disk = new Map([['/state/schedule/record.ndjson', text]]);
  const store = storeIn({ folder: '/state', files: filesOn(disk) }, standingClock(start));
  expect(await store.records()).toEqual([
    { ...of, kind: 'taken', occurrence: start },
    { ...of, kind: 'ended', occurrence: start, status: 'stopped', exit: 1, message: 'it stopped' },
  ]);
});

const moment = start;
const whole: readonly ScheduleEvent[] = [
  { kind: 'taken', occurrence: moment },
  { kind: 'ended', occurrence: moment, status: 'done', exit: 0, run: 'r-1' },
  { kind: 'gone', occurrence: moment, message: 'another process has it' },
  { kind: 'left', why: 'missed', from: moment, to: moment, count: 1 },
  { kind: 'forgotten' },
  { kind: 'paused', name: 'nightly', who: 'ann', why: 'closed' },
  { kind: 'resumed', name: 'nightly', who: 'ann', why: '' },
  { kind: 'clock', ms: -3_600_000 },
  { kind: 'unheard', message: 'no answer' },
];

test('every field of a record with another value makes its line unreadable, and no other', async () => {
  const of = { version: 1, at: start, host: 'h', schedule: 's-1', playbook: 'p', profile: 'main' };
  const disk: Disk = new Map();
  const store = storeIn({ folder: '/state', files: filesOn(disk) }, standingClock(start));
  const read = (lines: readonly object[]): ReturnType<typeof store.log> => {
    disk.set(
      '/state/schedule/record.ndjson',
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
    return store.log();
  };
  const intact = whole.map((event) => ({ ...of, ...event }));
  expect(await read(intact)).toEqual({ records: intact, unreadable: 0 });
  const damaged = intact.flatMap((record) =>
    Object.keys(record).flatMap((field) =>
      [null, {}, [], true, 9e15, -1, 0.5].flatMap((value) => {
        const isAllowed =
          field === 'ms' ? value === -1 || value === 9e15 : field === 'count' && value === 9e15;
        return isAllowed ? [] : [{ ...record, [field]: value }];
      }),
    ),
  );
  expect(damaged.length).toBeGreaterThan(400);
  expect(await read([...damaged, ...intact])).toEqual({
    records: intact,
    unreadable: damaged.length,
  });
});
