/** Two months of schedules: changes of clocks, machines that are off, and two schedulers at once. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { day, hour, minute, second, type Clock, type Millis } from '../../../src/base/clock.ts';
import type { Schedule } from '../../../src/app/schedule/schedule.ts';
import { schedulerOf, type Scheduler } from '../../../src/app/schedule/scheduler.ts';
import { minutesDue, minutesIn } from './minutes.ts';
import { expected, type Look } from './oracle.ts';
import { filesOn, Locks, scheduleFor, type Disk } from './world.ts';

const start = Date.parse('2026-10-01T00:00Z');
const end = start + 62 * day; // the clocks of all three zones are changed in them

const schedules = [
  scheduleFor({ id: 's-nightly', cron: '30 2 * * *', timezone: 'Europe/Berlin' }),
  scheduleFor({
    id: 's-trading',
    cron: '15,45 1-3 * * *',
    timezone: 'America/New_York',
    missed: 'skip',
    writes: true,
  }),
  scheduleFor({
    id: 's-hourly',
    cron: '0 * * * *',
    missed: 'all',
    withinMs: 6 * hour,
    overlap: 'queue',
  }),
  scheduleFor({
    id: 's-weekly',
    cron: '10 2 * * 0',
    timezone: 'Australia/Lord_Howe',
    delayMs: 7 * minute + 20 * second,
    withinMs: 2 * day,
  }),
  scheduleFor({ id: 's-long', cron: '*/30 * * * *', timezone: '+05:30', missed: 'skip' }),
] as const;

/** Some runs continue for longer than the time to the next. */
function lastsFor(schedule: Schedule): (occurrence: Millis) => Millis {
  const usual: Readonly<Record<string, Millis>> = { 's-hourly': 25 * minute, 's-long': 4 * minute };
  return (occurrence) => {
    const isLong = Math.floor(occurrence / hour) % 29 === 0;
    return (usual[schedule.id] ?? minute) + (isLong ? 2 * hour + 10 * minute : 0) + second;
  };
}

/** When a machine is off: by day of the two months. */
type Off = readonly (readonly [from: number, to: number])[];
const offs: readonly Off[] = [
  [
    [3.1, 3.9],
    [10, 14.3],
    [23.9, 24.2],
    [31, 31.5],
    [45, 46],
  ],
  [
    [3.4, 5],
    [12, 20],
    [24.05, 24.3],
    [31.2, 33],
    [50, 55.55],
  ],
];

/** The clock on the wall is set wrong for a while: two hours ahead, half an hour back. */
function wallAt(real: Millis): Millis {
  const days = (real - start) / day;
  if (days > 27.3 && days < 27.6) return real + 2 * hour;
  if (days > 38.2 && days < 38.9) return real - 30 * minute;
  return real;
}

function looksOf(machine: number, every: Millis, from: Millis): readonly Look[] {
  const looks: Look[] = [];
  for (let real = start + from; real < end; real += every) {
    const days = (real - start) / day;
    if (offs[machine]?.some(([off, on]) => days >= off && days < on)) continue;
    looks.push({ real, wall: wallAt(real) });
  }
  return looks;
}

interface Event extends Look {
  readonly machine: number;
}

const events: readonly Event[] = [
  looksOf(0, 14 * minute, 5 * second),
  looksOf(1, 37 * minute, 3 * minute + 7 * second),
]
  .flatMap((looks, machine) => looks.map((look) => ({ ...look, machine })))
  .sort((a, b) => a.real - b.real);

interface Run {
  readonly endsAt: Millis;
  readonly end: () => void;
}

test('the occurrences that run follow the rules, by a search of every minute and check', async () => {
  const disk: Disk = new Map();
  const files = { ...filesOn(disk), append: async () => 0 }; // what happened is told to the test
  const locks = new Locks();
  const fired = new Map<string, Millis[]>(schedules.map(({ id }) => [id, []]));
  const left = new Map<string, Record<string, number>>(schedules.map(({ id }) => [id, {}]));
  const under: Run[] = [];
  let real = start;
  const clock: Clock = {
    now: () => wallAt(real),
    monotonic: () => real,
    sleep: () => turn(), // for a lock: no time goes by
  };
  const machine = (life: object): Scheduler =>
    schedulerOf({
      place: { folder: '/state', files, lock: locks.of(life) },
      clock,
      drain: new AbortController().signal,
      report: (record, schedule) => {
        if (record.kind !== 'left') return;
        const counts = left.get(schedule?.id ?? '') ?? {};
        counts[record.why] = (counts[record.why] ?? 0) + record.count;
      },
      fire: (schedule, occurrence) => {
        fired.get(schedule.id)?.push(occurrence);
        return new Promise((resolve) => {
          under.push({
            endsAt: real + lastsFor(schedule)(occurrence),
            end: () => resolve({ status: 'done', exit: 0 }),
          });
        });
      },
    });
  const machines = [machine({}), machine({})];
  /** Lets runs end up to a moment, each at its own. */
  const goOnTo = async (moment: Millis): Promise<void> => {
    for (;;) {
      under.sort((a, b) => a.endsAt - b.endsAt);
      const [next] = under;
      if (next === undefined || next.endsAt > moment) break;
      under.shift();
      real = next.endsAt;
      next.end();
      await settled();
    }
    real = moment;
  };
  for (const event of events) {
    await goOnTo(event.real);
    void machines[event.machine]?.look(schedules);
    await settled();
  }
  const span = { after: start - day, until: end + day };
  for (const schedule of schedules) {
    const due = minutesDue(schedule.cron, minutesIn(schedule.timezone, span));
    const wanted = expected(schedule, due, events, lastsFor(schedule));
    const ran = fired.get(schedule.id) ?? [];
    expect(shown(ran), schedule.id).toEqual(shown(wanted.fired));
    expect(left.get(schedule.id), schedule.id).toEqual(wanted.left);
    expect(new Set(ran).size).toBe(ran.length);
  }
  // The two months hold what they were made for.
  const reasons = new Set([...left.values()].flatMap((counts) => Object.keys(counts)));
  expect([...reasons].sort()).toEqual(['covered', 'missed', 'overlap', 'too-old']);
  expect(Math.min(...[...fired.values()].map((occurrences) => occurrences.length))).toBeGreaterThan(
    5,
  );
});

/** Everything that can continue now has continued. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 4; turns++) await turn();
}

function shown(moments: readonly Millis[]): string[] {
  return moments.map((moment) => new Date(moment).toISOString().slice(0, 16));
}
