/** The judge of words finds what is untrue, and nothing in what is true. */
import { describe, expect, test } from 'vitest';
import type { Entry } from '../../src/engine/journal/entry.ts';
import { doubtRun, longRun } from '../support/entries.ts';
import { untrueIn, type Truth } from './judge.ts';

const said = (code: number, out: string, err = '') => ({
  words: ['resume', 'r-1'],
  code,
  out,
  err,
});

const truthOf = (entries: readonly Entry[], placed: number): Truth => ({
  run: 'r-1',
  total: 3,
  placed,
  entries,
});
const done = truthOf(longRun(3), 3);
const interrupted = truthOf(
  longRun(3).filter(({ kind }) => kind !== 'finished'),
  3,
);

describe('of a done run', () => {
  test.each([
    ['its summary', said(0, 'Done ✔ 3 of 3 orders placed')],
    ['its row', said(0, 'r-1  done  2026-11-20')],
  ])('%s is true', (_what, typed) => {
    expect(untrueIn(typed, done, true)).toEqual([]);
  });

  test.each([
    ['that nothing was sent', said(0, '', 'it is stale; nothing was sent')],
    ['fewer orders', said(0, '2 of 3 orders placed')],
    ['fewer writes', said(0, '', '2 writes sent')],
    ['that it is unfinished', said(0, 'r-1  unfinished  2026-11-20')],
    ['another exit code', said(1, '3 of 3 orders placed')],
    ['a doubt by its exit code', said(6, '')],
  ])('%s is untrue', (_what, typed) => {
    expect(untrueIn(typed, done, true)).not.toEqual([]);
  });
});

test('of a run without its end, done and held back are untrue', () => {
  expect(untrueIn(said(1, '', '3 writes sent; nothing more was sent'), interrupted, true)).toEqual(
    [],
  );
  expect(untrueIn(said(0, ''), interrupted, true)).not.toEqual([]);
  expect(untrueIn(said(5, ''), interrupted, true)).not.toEqual([]);
  expect(untrueIn(said(0, 'r-1  done  2026'), interrupted, false)).not.toEqual([]);
});

test('a doubt that is not said, and a journal that the books contradict, are found', () => {
  const known = doubtRun().filter(
    (entry) => entry.kind === 'intended' && entry.operation === 'futures/place-order',
  ).length;
  const truth = truthOf(doubtRun(), known);
  expect(untrueIn(said(6, ''), truth, true)).toEqual([]);
  expect(untrueIn(said(1, ''), truth, true)).not.toEqual([]);
  expect(untrueIn(said(6, ''), { ...truth, placed: known + 1 }, true)).not.toEqual([]);
});
