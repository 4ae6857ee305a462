/** Which runs a machine fetches for a list. */
import { expect, test } from 'vitest';
import { hour, minute } from '../../../src/base/clock.ts';
import { newestRunsOf } from '../../../src/stores/shared/newest.ts';
import type { Newest, NewestAsked } from '../../../src/stores/shared/shared-runs.ts';

interface Begun {
  readonly since: number;
  readonly ended: number | null;
}

/** A database with some runs, and what it was asked. */
function databaseWith(begun: readonly Begun[]) {
  const asked: NewestAsked[] = [];
  const newest = async (wanted: NewestAsked): Promise<Newest> => {
    asked.push(wanted);
    const rows = begun.map((one, nth) => ({ run: `r-${nth}`, lines: 1, link: '', ...one }));
    const open = rows.filter(({ ended }) => ended === null);
    const ended = rows.filter((row) => (row.ended ?? -Infinity) >= (wanted.endedSince ?? 0));
    const page = ended.toSorted((a, b) => Number(b.ended) - Number(a.ended)).slice(0, wanted.max);
    return { runs: [...open, ...page], count: rows.length, hasMore: false };
  };
  return { asked, newest };
}

/** The runs that began last. */
const newestIn = (begun: readonly Begun[], max: number): readonly string[] =>
  [...begun.keys()]
    .toSorted((a, b) => (begun[b]?.since ?? 0) - (begun[a]?.since ?? 0))
    .slice(0, max)
    .map((nth) => `r-${nth}`);

const short = Array.from({ length: 1_000 }, (_none, nth) => ({
  since: nth * hour,
  ended: nth * hour + minute,
}));

test('of short runs twice as many as are listed are selected', async () => {
  const { asked, newest } = databaseWith(short);
  const found = await newestRunsOf({ newest }, { max: 50 });
  expect(asked).toEqual([{ max: 100 }]);
  expect(found?.runs).toHaveLength(100);
});

test('runs that began last are among the selected ones, also if longer ones ended after them', async () => {
  const long = Array.from({ length: 300 }, (_none, nth) => ({
    since: nth * minute,
    ended: 2_000 * hour + nth,
  }));
  const begun = [...short, ...long, { since: 5, ended: null }];
  const { asked, newest } = databaseWith(begun);
  const runs = (await newestRunsOf({ newest }, { max: 50 }))?.runs.map(({ run }) => run);
  expect(asked.map(({ max }) => max)).toEqual([100, 400]);
  expect(newestIn(begun, 50).filter((run) => runs?.includes(run) !== true)).toEqual([]);
  expect(runs).toContain('r-1300');
});

test('runs since a time, and those of a playbook, are selected by the database', async () => {
  const { asked, newest } = databaseWith(short);
  await newestRunsOf({ newest }, { max: 50, playbook: 'ladder', since: 990 * hour });
  expect(asked).toEqual([{ max: 100, playbook: 'ladder', endedSince: 990 * hour - minute }]);
});

test('a database that cannot select runs is asked for all of them', async () => {
  expect(await newestRunsOf({}, { max: 50 })).toBe(undefined);
});
