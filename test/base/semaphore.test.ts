/** Work that waits for a place, and leaves its place in the queue. */
import { expect, test } from 'vitest';
import { semaphore } from '../../src/base/semaphore.ts';

const options = { atOnce: 1, waiting: 2, full: () => new Error('full') };

test('work that is aborted while it waits is not done, and gives its place to others', async () => {
  const turn = semaphore(options);
  const done: string[] = [];
  let end = (): void => undefined;
  const first = turn(() => new Promise<void>((resolve) => (end = resolve)));
  const stop = new AbortController();
  const work = (name: string) => async (): Promise<void> => void done.push(name);
  const second = turn(work('second'), stop.signal);
  const third = turn(work('third'));
  await expect(turn(work('fourth'))).rejects.toThrow('full');
  stop.abort(new Error('cancelled'));
  await expect(second).rejects.toThrow('cancelled');
  const fifth = turn(work('fifth'));
  end();
  await Promise.all([first, third, fifth]);
  stop.abort();
  await expect(turn(work('sixth'), stop.signal)).rejects.toThrow('cancelled');
  expect(done).toEqual(['third', 'fifth']);
});
