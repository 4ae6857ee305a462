/** Two lives at once: another machine takes over from a process that is only suspended. */
import { describe, expect, test } from 'vitest';
import type { TestBackend, TestLife } from './backend.ts';
import type { Moment } from './outside.ts';
import { outputs, stageOf } from './stage.ts';

const moments: readonly Moment[] = [
  'before it is announced',
  'after it is announced',
  'before it is settled',
];

export function takeoverContract(name: string, open: NonNullable<TestBackend['openFenced']>): void {
  describe(`${name}: a process is suspended while another takes over`, () => {
    test.each(moments)('%s: a keyed effect is executed once', async (moment) => {
      const { outside, live, place } = await stageOf(open);
      const first = await live();
      const effect = (life: TestLife) => life.durable.start('a', 'keyed', { name: 'x' });
      await first.durable.all([first.durable.start('before', 'keyed', { name: 'before' })]);
      const { isSuspended, resume } = outside.suspend(moment);
      const late = first.durable.all([effect(first)]).catch(() => undefined);
      await isSuspended;
      const second = await live({ isTakeover: true });
      const ends = await second.durable.all([effect(second)]);
      expect(ends).toMatchObject([{ kind: 'done' }]);
      const stored = await place.stored();
      resume();
      await late;
      expect(outside.did).toEqual(['before', 'x']);
      expect(await place.stored(), 'it stores nothing any more').toEqual(stored);
      await first.durable.all([first.durable.start('b', 'keyed', { name: 'y' })]).catch(() => []);
      expect(outside.did, 'it sends nothing any more').toEqual(['before', 'x']);
      await second.durable.all([second.durable.start('b', 'keyed', { name: 'z' })]);
      await second.die();
      const third = await live();
      expect(outputs(await third.durable.all([effect(third)]))).toEqual(outputs(ends));
      expect(outside.did).toEqual(['before', 'x', 'z']);
    });

    test.each(moments)('%s: a once effect is executed at most once', async (moment) => {
      const { outside, live } = await stageOf(open);
      const first = await live();
      const effect = (life: TestLife) => life.durable.start('a', 'once', { name: 'x' });
      await first.durable.all([first.durable.start('before', 'keyed', { name: 'before' })]);
      const { isSuspended, resume } = outside.suspend(moment);
      const late = first.durable.all([effect(first)]).catch(() => undefined);
      await isSuspended;
      const second = await live({ isTakeover: true });
      const isAnnounced = moment !== 'before it is announced';
      const ends = await second.durable.all([effect(second)]);
      expect(ends).toMatchObject([{ kind: isAnnounced ? 'doubt' : 'done' }]);
      resume();
      await late;
      const times = outside.did.filter((each) => each === 'x').length;
      expect(times).toBeLessThanOrEqual(1);
      if (!isAnnounced) expect(times).toBe(1);
    });
  });
}
