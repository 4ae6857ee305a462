/** Schedulers of several machines: each occurrence runs once, or is reported. */
import { setImmediate as idle } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hour, second, standingClock, type Clock, type Millis } from '../../../src/base/clock.ts';
import { schedulerOf } from '../../../src/app/schedule/scheduler.ts';
import { watch } from '../../../src/app/schedule/watch.ts';
import { sharedCoordination } from '../../../src/stores/shared/coordination.ts';
import { SimulatedFiles, type FileDefect } from '../../stores/shared/simulated-files.ts';
import { storyOf, type Story } from './schedulers.ts';
import { scheduleFor } from './world.ts';

/** What must not happen, with its time. */
function brokenIn({ occurrences, fired, records }: Story): readonly string[] {
  return occurrences.flatMap((occurrence) => {
    const at = new Date(occurrence).toISOString();
    const about = records.filter((record) =>
      record.kind === 'left'
        ? record.from <= occurrence && occurrence <= record.to
        : 'occurrence' in record && record.occurrence === occurrence,
    );
    const kinds = about.map(({ kind }) => kind);
    const times = fired.get(occurrence) ?? 0;
    const isGoneAfterEnd = kinds.lastIndexOf('gone') > kinds.indexOf('ended');
    return [
      ...(times > 1 ? [`${at} was run ${times} times`] : []),
      ...(times === 0 && about.length === 0 ? [`${at} was not run, and is not reported`] : []),
      ...(kinds.includes('ended') && isGoneAfterEnd
        ? [`${at} is reported as lost after its end`]
        : []),
    ];
  });
}

const seeds = fc.integer({ min: 1, max: 2 ** 31 });

test.each(['all', 'once', 'skip'] as const)(
  'of 200 occurrences with missed: %s none runs twice, and each that does not run is reported',
  async (missed) => {
    let deaths = 0;
    await fc.assert(
      fc.asyncProperty(seeds, async (seed) => {
        const story = await storyOf(seed, { missed });
        deaths += story.deaths;
        expect(story.occurrences.length).toBeGreaterThan(200);
        expect(story.fired.size).toBeGreaterThan(100);
        expect(brokenIn(story)).toEqual([]);
      }),
      { numRuns: 6, endOnFailure: true },
    );
    expect(deaths).toBeGreaterThan(300);
  },
);

test.each<FileDefect>(['create-overwrites', 'no-comparison'])(
  'a store with the defect %s is noticed',
  async (defect) => {
    const stories = await Promise.all(
      [1, 2, 3, 4, 5].map((seed) => storyOf(seed, { missed: 'all', defect })),
    );
    expect(stories.flatMap(brokenIn)).not.toEqual([]);
  },
);

test.each([-hour, -20, 20, hour])(
  'a machine whose clock is %s ms off runs occurrences when they are due by the shared clock',
  async (skew) => {
    const clock = standingClock(Date.parse('2026-11-20T00:00:30Z'));
    const own: Clock = {
      ...clock,
      now: () => clock.now() + skew,
      sleep: async (ms, signal) => {
        await idle(); // what is due has run before the time passes
        await clock.sleep(ms, signal);
      },
    };
    const stopping = new AbortController();
    const late: Millis[] = [];
    const shared = new SimulatedFiles(clock).connect();
    const scheduler = schedulerOf({
      place: { ...sharedCoordination({ shared, lease: 3 * second, clock: own }), folder: '' },
      clock: own,
      drain: stopping.signal,
      report: () => undefined,
      fire: async (_schedule, occurrence) => {
        late.push(clock.now() - occurrence);
        if (late.length === 5) stopping.abort();
        return { status: 'done', exit: 0 };
      },
    });
    const minutely = scheduleFor({ id: 's-1', cron: '* * * * *' });
    await watch({
      scheduler,
      clock: own,
      schedules: async () => [minutely],
      onError: (error) => {
        throw error;
      },
      drain: stopping.signal,
    });
    expect(late.slice(1).every((ms) => ms >= 0 && ms < second)).toBe(true); // the first was due before
  },
);
