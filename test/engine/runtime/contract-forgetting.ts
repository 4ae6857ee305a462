/** A store that lacks the last lines it confirmed, as a copy of it does. */
import { describe, expect, test } from 'vitest';
import type { TaskEnd } from '../../../src/engine/interpreter/durable.ts';
import type { TestBackend, TestLife } from './backend.ts';
import { stageOf } from './stage.ts';

type Open = NonNullable<TestBackend['openForgetful']>;

export function forgettingContract(name: string, open: Open): void {
  describe(`${name}: the store forgot its last lines`, () => {
    const whole = async ({ durable }: TestLife): Promise<readonly TaskEnd[]> => {
      const fan = ['1', '2'].map((key) => durable.start(key, 'keyed', { name: key }));
      await durable.all([durable.now('t'), ...fan]);
      return durable.all([durable.start('once', 'once', { name: 'once' })]);
    };

    test('of every number of lines: nothing is executed twice, and once is in doubt', async () => {
      let count = 1;
      for (let lines = 1; lines <= count; lines++) {
        const { outside, live, place } = await stageOf(open);
        const one = await live();
        expect(await whole(one)).toMatchObject([{ kind: 'done' }]);
        await one.die();
        count = (await place.stored()).length;
        await place.forget(lines);
        expect(await place.stored()).toHaveLength(count - lines);
        const two = await live();
        expect(await whole(two), `${lines} lines`).toMatchObject([{ kind: 'doubt' }]);
        expect(outside.did, `${lines} lines`).toEqual(['1', '2', 'once']);
      }
      expect(count).toBe(8);
    });

    test('what was never announced is looked up before it is executed, once is not', async () => {
      const { outside, live, place } = await stageOf(open);
      const one = await live();
      await one.durable.all([one.durable.start('1', 'keyed', { name: '1' })]);
      await one.die();
      await place.forget(1);
      const two = await live();
      expect(await whole(two)).toMatchObject([{ kind: 'doubt' }]);
      expect(outside.looked).toEqual(['1', '2']);
      expect(outside.did).toEqual(['1', '2']);
    });

    test('what was recorded before is not executed again, nor looked up', async () => {
      const { outside, live, place } = await stageOf(open);
      const one = await live();
      for (const key of ['1', '2']) {
        await one.durable.all([one.durable.start(key, 'keyed', { name: key })]);
      }
      await one.die();
      await place.forget(1);
      const two = await live();
      await whole(two);
      expect(outside.looked).toEqual(['2']);
      expect(outside.did).toEqual(['1', '2']);
    });

    test('what was refused first, and executed in a forgotten attempt, is looked up', async () => {
      const { outside, live, place } = await stageOf(open);
      const send = ({ durable }: TestLife) =>
        durable.all([durable.start('1', 'keyed', { name: '1' })]);
      outside.refuseNext();
      const one = await live();
      expect(await send(one)).toMatchObject([{ kind: 'refused' }]);
      await one.die();
      const two = await live();
      expect(await send(two)).toMatchObject([{ kind: 'done' }]);
      await two.die();
      await place.forget(2);
      const three = await live();
      expect(await send(three)).toMatchObject([{ kind: 'done', evidence: 'looked-up' }]);
      expect(outside.did).toEqual(['1']);
    });

    test('the life after that looks up again what the one before has not ended', async () => {
      const { outside, live, place } = await stageOf(open);
      const one = await live();
      await whole(one);
      await one.die();
      await place.forget(5);
      const two = await live();
      await two.durable.all([two.durable.now('t')]);
      await two.die();
      const three = await live();
      expect(await whole(three)).toMatchObject([{ kind: 'doubt' }]);
      expect(outside.did).toEqual(['1', '2', 'once']);
    });
  });
}
