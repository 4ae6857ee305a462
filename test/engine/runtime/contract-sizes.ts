/** Many keys, long lines, and lines of what ended before. */
import { describe, expect, test } from 'vitest';
import type { TestBackend, TestLife } from './backend.ts';
import { outputs, stageOf } from './stage.ts';

export function sizesContract(backend: TestBackend): void {
  const open = () => stageOf(() => backend.open());

  describe(`${backend.name}: what is stored`, () => {
    test('10,000 keys are each executed once', async () => {
      const { outside, live, isStored } = await open();
      const keys = Array.from({ length: 10_000 }, (_, at) => `key ${at}`);
      const all = ({ durable }: TestLife) =>
        durable.all(keys.map((key) => durable.start(key, 'mark', { name: key })));
      const one = await live();
      const ends = await all(one);
      await one.die();
      const two = await live();
      expect(outputs(await all(two))).toEqual(outputs(ends));
      expect(outside.did).toHaveLength(keys.length);
      await isStored();
    });

    test('lines of 1 MiB, and more of them at once than a store takes, are the same again', async () => {
      const { outside, live, place, isStored } = await open();
      const long = 'é€😀 "\\'.repeat(128 * 1024);
      const names = Array.from({ length: 12 }, (_, at) => `${at} ${long}`);
      const all = ({ durable }: TestLife) =>
        durable.all(names.map((name, at) => durable.start(`key ${at}`, 'keyed', { name })));
      const one = await live();
      const ends = await all(one);
      await one.die();
      await isStored();
      const intended = (await place.stored()).flatMap((entry) =>
        entry.kind === 'intended' ? [entry.input] : [],
      );
      expect(intended.map((input) => JSON.stringify(input).length)).toEqual(
        names.map((name) => JSON.stringify({ name }).length),
      );
      const two = await live();
      expect(outputs(await all(two)).every((out, at) => out === outputs(ends)[at])).toBe(true);
      expect(outside.did).toHaveLength(names.length);
    });

    test('what an effect announces after its end is stored, in order', async () => {
      const { outside, live, place, isStored } = await open();
      const one = await live();
      const names = ['c', 'a', 'b'];
      await one.durable.all(names.map((name) => one.durable.start(name, 'trail', { name })));
      for (const go of [...outside.letGo, ...outside.letGo.toReversed()]) go();
      await one.durable.all([one.durable.start('then', 'mark', { name: 'then' })]);
      await one.caughtUp();
      await isStored();
      await one.die();
      const opened = (await place.stored()).flatMap((entry) =>
        entry.kind === 'opened' ? [entry.step] : [],
      );
      expect(opened).toEqual([...names, ...names.toReversed()]);
    });

    test('a process that is gone announces nothing any more', async () => {
      const { outside, live, place } = await open();
      const one = await live();
      await one.durable.all([one.durable.start('a', 'trail', { name: 'a' })]);
      await one.die();
      const two = await live();
      for (const go of outside.letGo) go();
      await two.durable.all([two.durable.start('b', 'mark', { name: 'b' })]);
      await two.caughtUp();
      expect((await place.stored()).map(({ kind }) => kind)).not.toContain('opened');
    });
  });
}
