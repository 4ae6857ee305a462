/** Which live workers can take a job, in words. */
import { expect, test } from 'vitest';
import { unserved } from '../../../src/app/queue/available.ts';

const worker = (name: string, profiles: readonly string[], format = 2) => ({
  name,
  profiles,
  format,
});

test.each([
  [[worker('a', ['main'])], undefined],
  [[worker('a', ['spot']), worker('b', ['spot', 'main'])], undefined],
  [[], 'no worker is running, and this needs one that serves main'],
  [
    [worker('a', ['spot', 'hedge']), worker('b', ['spot'])],
    'no live worker serves main; live workers serve hedge and spot',
  ],
  [
    [worker('a', ['main'], 1), worker('b', ['spot'])],
    'the workers that serve main are of an older version of deskhand: a',
  ],
])('workers %j: %s', (live, words) => {
  expect(unserved({ profiles: ['main'], format: 2 }, live)).toBe(words);
});

test('a job of two profiles needs one worker that serves both', () => {
  const live = [worker('a', ['main']), worker('b', ['hedge'])];
  expect(unserved({ profiles: ['main', 'hedge'], format: 1 }, live)).toBe(
    'no live worker serves main and hedge; live workers serve hedge and main',
  );
});
