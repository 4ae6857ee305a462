/** Children, their keys, and what a body may not do. */
import { describe, expect, test } from 'vitest';
import {
  InterruptedError,
  type Body,
  type TaskEnd,
} from '../../../src/engine/interpreter/durable.ts';
import { ReusedKeyError } from '../../../src/engine/runtime/reused.ts';
import { ConfigError } from '../../../src/base/error.ts';
import { wordIn, type TestBackend, type TestJobs, type TestLife } from './backend.ts';
import { Dead } from './outside.ts';
import { done, outputs, stageOf } from './stage.ts';

export function keysContract(backend: TestBackend): void {
  const open = (body?: Body<TestJobs>) => stageOf(() => backend.open(), body);

  describe(`${backend.name}: keys and children`, () => {
    const tasks = {
      'an effect': ({ durable }: TestLife) => durable.start('a', 'mark', { name: 'x' }),
      'another effect': ({ durable }: TestLife) => durable.start('a', 'keyed', { name: 'x' }),
      'a child': ({ durable }: TestLife) => durable.child('a', 'plan', 'input'),
      'a child with another input': ({ durable }: TestLife) => durable.child('a', 'plan', 'other'),
      'a child with another plan': ({ durable }: TestLife) => durable.child('a', 'other', 'input'),
      'a sleep': ({ durable }: TestLife) => durable.sleep('a', 1_000),
    };
    test.each(
      (
        [
          ['an effect', 'another effect'],
          ['an effect', 'a child'],
          ['an effect', 'a sleep'],
          ['a child', 'an effect'],
          ['a child', 'a child with another input'],
          ['a child', 'a child with another plan'],
          ['a child', 'a sleep'],
          ['a sleep', 'an effect'],
          ['a sleep', 'a child'],
        ] as const
      ).flatMap(([first, then]) => [
        [first, then, 'in the same life'] as const,
        [first, then, 'in a later life'] as const,
      ]),
    )('a key of %s does not become %s, %s', async (first, then, when) => {
      const { outside, live } = await open(async (_durable, plan) => done(plan));
      let life = await live();
      await life.durable.all([tasks[first](life)]);
      const did = [...outside.did];
      if (when === 'in a later life') {
        await life.die();
        life = await live();
      }
      await expect(life.durable.all([tasks[then](life)])).rejects.toThrow(ReusedKeyError);
      expect(outside.did).toEqual(did);
    });

    test('a child has its own keys, and its result is recorded', async () => {
      const { outside, live } = await open(async (durable, plan, input) => {
        const ends = await durable.all([durable.start('a', 'mark', { name: wordIn(input) })]);
        return done([plan, durable.runId, ...outputs(ends)]);
      });
      const one = await live();
      const { runId } = one.durable;
      const family = (life: TestLife): Promise<readonly TaskEnd[]> =>
        life.durable.all([
          life.durable.child('left', 'plan', 'l'),
          life.durable.child('right', 'plan', 'r'),
          life.durable.start('a', 'mark', { name: 'own' }),
        ]);
      const ends = outputs(await family(one));
      expect(
        ends.slice(0, 2).map((end) => Reflect.apply(Array.prototype.slice, end, [0, 2])),
      ).toEqual([
        ['plan', `${runId}/left`],
        ['plan', `${runId}/right`],
      ]);
      await one.die();
      const two = await live();
      expect(outputs(await family(two))).toEqual(ends);
      expect(outside.did.toSorted()).toEqual(['l', 'own', 'r']);
    });

    test('a completed child is not executed again', async () => {
      let times = 0;
      const { live } = await open(async () => done(++times));
      for (let lives = 0; lives < 2; lives++) {
        const life = await live();
        const ends = await life.durable.all([life.durable.child('c', 'plan', null)]);
        expect(outputs(ends)).toEqual([1]);
        await life.die();
      }
    });

    test('a child of a child has its own keys, across deaths anywhere', async () => {
      const body: Body<TestJobs> = async (durable, plan, input) => {
        const own = durable.start('a', 'keyed', { name: wordIn(input) });
        if (plan !== 'parent') return done(outputs(await durable.all([own])));
        const under = ['b', 'c'].map((key) => durable.child(key, 'leaf', `${wordIn(input)}${key}`));
        return done([durable.runId, ...outputs(await durable.all([own, ...under]))]);
      };
      const { outside, live, isStored } = await open(body);
      let ends: readonly TaskEnd[] | undefined;
      let runId = '';
      for (let diesAt = 2; ends === undefined; diesAt += 3) {
        const life = await live({ diesAt }).catch(() => undefined);
        ends = await life?.durable
          .all([life.durable.child('p', 'parent', 'p'), life.durable.child('q', 'parent', 'q')])
          .catch(() => undefined);
        runId = life?.durable.runId ?? runId;
        await life?.die();
        await isStored();
        expect(diesAt, 'it continues permanently').toBeLessThan(120);
      }
      expect(outside.did.toSorted()).toEqual(['p', 'pb', 'pc', 'q', 'qb', 'qc']);
      expect(JSON.stringify(outputs(ends))).toContain(`${runId}/q`);
    });

    test('a body that fails has a failed child, which is executed again', async () => {
      let times = 0;
      const { live } = await open(async () => {
        times += 1;
        if (times < 3) throw new ConfigError('not yet');
        return done(times);
      });
      const ends: unknown[] = [];
      for (let lives = 0; lives < 4; lives++) {
        const life = await live();
        const [end] = await life.durable.all([life.durable.child('c', 'plan', null)]);
        ends.push(end?.kind);
        await life.die();
      }
      expect([ends, times]).toEqual([['failed', 'failed', 'done', 'done'], 3]);
    });

    test('a defect in a body ends the run after its tasks; nothing of the child is settled', async () => {
      let isBroken = true;
      const { outside, live, place } = await open(async () => {
        if (isBroken) throw new TypeError('a defect');
        return done('whole');
      });
      const one = await live();
      const handles = [
        one.durable.start('h', 'hang', { name: 'h' }),
        one.durable.child('c', 'plan', null),
      ];
      const ended = one.durable.all(handles).catch((error: unknown) => {
        expect(outside.did).toEqual(['h']);
        return error;
      });
      await new Promise((resolve) => setImmediate(resolve));
      for (const go of outside.letGo) go();
      expect(await ended).toBeInstanceOf(TypeError);
      await one.die();
      const settled = (await place.stored()).flatMap((entry) =>
        entry.kind === 'settled' ? [entry.address] : [],
      );
      expect(settled).toEqual(['h']);
      isBroken = false;
      const two = await live();
      expect(outputs(await two.durable.all([two.durable.child('c', 'plan', null)]))).toEqual([
        'whole',
      ]);
    });

    test.each([true, false])(
      'a run that is stopped during a lookup settles nothing; the next life does (done: %s)',
      async (isDone) => {
        const { outside, live, place } = await open();
        const effect = ({ durable }: TestLife) =>
          durable.all([durable.start('a', 'keyed', { name: 'x' })]);
        const one = await live();
        if (isDone) {
          outside.dieAfter('x');
          await expect(effect(one)).rejects.toThrow(Dead);
        } else {
          const { isSuspended } = outside.suspend('after it is announced');
          effect(one).catch(() => undefined);
          await isSuspended;
        }
        await one.die();
        const drain = new AbortController();
        outside.stopAtLook(() => drain.abort(new InterruptedError()));
        const two = await live({ drain: drain.signal });
        expect(outputs(await effect(two))).toEqual(['interrupted']);
        await two.die();
        expect((await place.stored()).filter(({ kind }) => kind === 'settled')).toEqual([]);
        const three = await live();
        expect(outputs(await effect(three))).toEqual([isDone ? 'x found' : 'x 1']);
        expect(outside.looked).toEqual(['x', 'x']);
        expect(outside.did).toEqual(['x']);
      },
    );
  });
}
