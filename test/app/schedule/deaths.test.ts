/** A scheduler that dies at any of its writes: no time is ever run twice. */
import { describe, expect, test } from 'vitest';
import { hour, minute, standingClock, type Millis } from '../../../src/base/clock.ts';
import type { Schedule } from '../../../src/app/schedule/schedule.ts';
import { schedulerOf } from '../../../src/app/schedule/scheduler.ts';
import { storeIn } from '../../../src/app/schedule/stored.ts';
import type { StateFiles } from '../../../src/stores/small-files.ts';
import { Dead, filesOn, Locks, mortalFiles, scheduleFor, type Death, type Disk } from './world.ts';

const start = Date.parse('2026-11-20T00:30Z');

interface Story {
  readonly disk: Disk;
  /** What was begun, in order: it stays done whoever dies. */
  readonly fired: Millis[];
}

/** One process that looks once, three hours and a bit after the first time; it may die on the way. */
async function live(
  { disk, fired }: Story,
  schedule: Schedule,
  { now, files, isMortal }: { now: Millis; files: StateFiles; isMortal?: boolean },
): Promise<void> {
  const life = {};
  const clock = standingClock(now);
  const scheduler = schedulerOf({
    place: { folder: '/state', files, lock: new Locks().of(life) },
    clock,
    drain: new AbortController().signal,
    report: () => undefined,
    fire: async (_schedule, occurrence) => {
      fired.push(occurrence);
      return { status: 'done', exit: 0, run: `r-${occurrence}` };
    },
  });
  try {
    await Promise.all(await scheduler.look([schedule]));
  } catch (error) {
    if (!(error instanceof Dead) || isMortal !== true) throw error;
  }
  expect(disk.size).toBeGreaterThan(0);
}

/** First seen at 00:30, off until 03:40, then looked at by lives of which some die. */
async function story(
  schedule: Schedule,
  deaths: readonly Death[],
): Promise<Story & { writes: number }> {
  const history: Story = { disk: new Map(), fired: [] };
  await live(history, schedule, { now: start, files: filesOn(history.disk) });
  let writes = 0;
  for (const [index, death] of [...deaths, undefined].entries()) {
    const files = mortalFiles(history.disk, death);
    const now = start + 3 * hour + (10 + index) * minute;
    await live(history, schedule, { now, files, isMortal: true });
    writes = files.writes();
  }
  await live(history, schedule, {
    now: start + 3 * hour + 14 * minute,
    files: filesOn(history.disk),
  });
  return { ...history, writes };
}

const all = scheduleFor({ id: 's-all', missed: 'all', withinMs: 24 * hour, writes: true });
const hours = [1, 2, 3].map((at) => Date.parse(`2026-11-20T0${at}:00Z`));

async function deathsOf(schedule: Schedule): Promise<readonly Death[]> {
  const { writes } = await story(schedule, []);
  return Array.from({ length: writes }, (_, index) => index + 1).flatMap((nth) =>
    (['before', 'during', 'after'] as const).map((when) => ({ nth, when })),
  );
}

describe('a scheduler that crashes at any write', () => {
  test('without a crash runs every occurrence once, in order', async () => {
    expect((await story(all, [])).fired).toEqual(hours);
  });

  test('runs each occurrence at most once, and loses only one that it had claimed', async () => {
    const deaths = await deathsOf(all);
    expect(deaths.length).toBeGreaterThan(30);
    for (const death of deaths) {
      const { fired } = await story(all, [death]);
      expect(new Set(fired).size, JSON.stringify(death)).toBe(fired.length);
      expect(fired.length, JSON.stringify(death)).toBeGreaterThanOrEqual(2);
    }
  });

  test('twice still runs none twice', async () => {
    const deaths = await deathsOf(all);
    for (const first of deaths) {
      for (const second of deaths) {
        const { fired } = await story(all, [first, second]);
        expect(new Set(fired).size, JSON.stringify([first, second])).toBe(fired.length);
        expect(fired.length, JSON.stringify([first, second])).toBeGreaterThanOrEqual(1);
      }
    }
  });

  test('reports an occurrence that was claimed and never ran', async () => {
    const stories = await Promise.all((await deathsOf(all)).map((death) => story(all, [death])));
    const lost = stories.filter(({ fired }) => fired.length < hours.length);
    expect(lost.length).toBeGreaterThan(0);
    for (const { disk } of lost) {
      const place = { folder: '/state', files: filesOn(disk) };
      const records = await storeIn(place, standingClock(0)).records();
      const begun = records.filter(({ kind }) => kind === 'taken').length;
      const ended = records.filter(({ kind }) => kind === 'ended').length;
      expect(records.some(({ kind }) => kind === 'gone') || begun > ended).toBe(true);
    }
  });
});

describe('when the clock is set back by two hours', () => {
  /** Looks on time at 01:00 and 02:00, then at both again. */
  async function again(change: (files: StateFiles) => StateFiles): Promise<readonly Millis[]> {
    const history: Story = { disk: new Map(), fired: [] };
    const files = change(filesOn(history.disk));
    const [one = 0, two = 0] = hours;
    for (const now of [start, one, two, one - hour, one, two]) {
      await live(history, all, { now, files });
    }
    return history.fired;
  }

  test('no occurrence runs again', async () => {
    expect(await again((files) => files)).toEqual(hours.slice(0, 2));
  });

  test('one would run again if claims were not recorded', async () => {
    const careless = (files: StateFiles): StateFiles => ({ ...files, create: async () => true });
    expect((await again(careless)).length).toBe(4);
  });
});
