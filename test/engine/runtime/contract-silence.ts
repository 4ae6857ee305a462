/** A store that gives no answer for a time, or none at all. */
import { describe, expect, test } from 'vitest';
import type { Silence, TestBackend, TestLife } from './backend.ts';
import { stageOf } from './stage.ts';

type Open = NonNullable<TestBackend['openSilent']>;
const forms: readonly Silence[] = ['unreachable', 'answer-lost'];

export function silenceContract(name: string, open: Open): void {
  const send = ({ durable }: TestLife, key: string, kind: 'keyed' | 'once' = 'keyed') =>
    durable.all([durable.start(key, kind, { name: key })]);

  describe(`${name}: the store gives no answer`, () => {
    test.each(forms)(
      '%s, then it does: each line is there once, and so is each effect',
      async (how) => {
        const { outside, live, place, isStored } = await stageOf(open);
        const one = await live();
        await send(one, 'a');
        place.silence(how, 3);
        const ends = await send(one, 'b').catch(() => undefined);
        if (place.isPatient) expect(ends).toMatchObject([{ kind: 'done' }]);
        await one.die();
        place.silence(how, 0);
        await isStored();
        const two = await live();
        for (const key of ['a', 'b', 'c']) {
          expect(await send(two, key)).toMatchObject([{ kind: 'done' }]);
        }
        expect(outside.did).toEqual(['a', 'b', 'c']);
        await isStored();
      },
    );

    test.each(forms)('%s, permanently: nothing is executed, until it answers', async (how) => {
      const { outside, live, place, isStored } = await stageOf(open);
      const one = await live();
      await send(one, 'a');
      place.silence(how, Infinity);
      await send(one, 'b').catch(() => undefined);
      await send(one, 'c', 'once').catch(() => undefined);
      expect(outside.did).toEqual(['a']);
      await one.die();
      place.silence(how, 0);
      await isStored();
      const two = await live();
      expect(await send(two, 'b')).toMatchObject([{ kind: 'done' }]);
      expect(await send(two, 'a')).toMatchObject([{ kind: 'done' }]);
      expect(outside.did).toEqual(['a', 'b']);
    });
  });
}
