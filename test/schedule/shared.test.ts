/** Schedulers of several machines: each occurrence runs once, or is reported. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FileDefect } from '../state-store/shared/simulated-files.ts';
import { storyOf, type Story } from './schedulers.ts';

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
      { numRuns: 10, endOnFailure: true },
    );
    expect(deaths).toBeGreaterThan(500);
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
