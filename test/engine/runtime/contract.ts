/** What every engine must keep, whatever it is made of: one suite, run against each backend. */
import { describe, expect, test } from 'vitest';
import { ReusedKeyError } from '../../../src/engine/runtime/reused.ts';
import {
  InterruptedError,
  type Body,
  type TaskEnd,
} from '../../../src/engine/interpreter/durable.ts';
import { wordIn, type TestBackend, type TestJobs, type TestLife } from './backend.ts';
import { keysContract } from './contract-keys.ts';
import { forgettingContract } from './contract-forgetting.ts';
import { silenceContract } from './contract-silence.ts';
import { sizesContract } from './contract-sizes.ts';
import { takeoverContract } from './contract-takeover.ts';
import { Dead } from './outside.ts';
import { done, outputs, stageOf } from './stage.ts';

export function backendContract(backend: TestBackend): void {
  const { name, openFenced, openForgetful, openSilent } = backend;
  const open = (body?: Body<TestJobs>) => stageOf(() => backend.open(), body);

  keysContract(backend);
  sizesContract(backend);
  if (openFenced) takeoverContract(name, openFenced);
  if (openForgetful) forgettingContract(name, openForgetful);
  if (openSilent) silenceContract(name, openSilent);

  describe(`${name} obeys the rules of an engine`, () => {
    test('a completed effect is found again and not executed again', async () => {
      const { outside, live } = await open();
      const one = await live();
      const first = await one.durable.all([one.durable.start('a', 'mark', { name: 'x' })]);
      await one.die();
      const two = await live();
      const again = await two.durable.all([two.durable.start('a', 'mark', { name: 'x' })]);
      expect(outputs(again)).toEqual(outputs(first));
      expect(outside.did).toEqual(['x']);
    });

    test('a failure is not final: the effect is started again', async () => {
      const { outside, live } = await open();
      for (let lives = 0; lives < 2; lives++) {
        const life = await live();
        const ends = await life.durable.all([life.durable.start('a', 'fail', { name: 'x' })]);
        expect(ends).toMatchObject([{ kind: 'failed', message: 'x' }]);
        await life.die();
      }
      expect(outside.did).toEqual(['x', 'x']);
    });

    test('a fan-out starts in order, and all returns the results in that order', async () => {
      const { outside, live } = await open();
      const { durable } = await live();
      const names = ['c', 'a', 'b', 'e', 'd'];
      const ends = await durable.all(
        names.map((each) => durable.start(`key ${each}`, 'keyed', { name: each })),
      );
      expect(outside.did).toEqual(names);
      expect(outputs(ends)).toEqual(names.map((each, place) => `${each} ${place + 1}`));
    });

    test('first returns the one that ended while others are pending', async () => {
      const { outside, live } = await open();
      const { durable } = await live();
      const slow = durable.start('slow', 'hang', { name: 's' });
      const quick = durable.start('quick', 'mark', { name: 'q' });
      expect(await durable.first([slow, quick])).toEqual(quick);
      for (const go of outside.letGo) go();
      expect(outputs(await durable.all([slow, quick]))).toEqual(['s 2', 'q 1']);
    });

    test('one key is one effect: started twice, it is executed once', async () => {
      const { outside, live } = await open();
      const { durable } = await live();
      const both = [1, 2].map(() => durable.start('a', 'mark', { name: 'x' }));
      expect(outputs(await durable.all(both))).toEqual(['x 1', 'x 1']);
      expect(outside.did).toEqual(['x']);
    });

    test.each(['in the same life', 'in a later life'])(
      'a key with another input stops the run, %s',
      async (when) => {
        const { outside, live } = await open();
        let { durable, die } = await live();
        await durable.all([durable.start('a', 'mark', { name: 'x' })]);
        if (when === 'in a later life') {
          await die();
          ({ durable, die } = await live());
        }
        const other = durable.start('a', 'mark', { name: 'y' });
        await expect(durable.all([other])).rejects.toThrow(ReusedKeyError);
        await expect(durable.all([durable.start('b', 'mark', { name: 'z' })])).rejects.toThrow();
        expect(outside.did.includes('y')).toBe(false);
      },
    );

    test.each([
      ['a function', { name: () => 'x' }],
      ['a moment', { name: new Date(0) }],
      ['no number', { name: Number.NaN }],
      ['nothing', { name: undefined }],
      ['a map', new Map([['name', 'x']])],
    ])('an input that is not JSON is refused: %s', async (_what, input) => {
      const { outside, live } = await open();
      const { durable } = await live();
      const start = (): unknown =>
        Reflect.apply(Reflect.get(durable, 'start'), durable, ['a', 'mark', input]);
      expect(start).toThrow(/not JSON/);
      expect(outside.did).toEqual([]);
    });

    test('a sleep keeps its duration across a crash', async () => {
      const { outside, live } = await open();
      const { clock } = outside;
      const began = clock.now();
      const one = await live();
      await one.durable.all([one.durable.now('nap')]);
      await one.die();
      clock.advance(40_000);
      const two = await live();
      await two.durable.all([two.durable.sleep('nap', 60_000)]);
      expect(clock.now() - began).toBe(60_000);
      await two.die();
      const three = await live();
      await three.durable.all([three.durable.sleep('nap', 60_000)]);
      expect(clock.now() - began).toBe(60_000);
    });

    test('a sleep that is over when the run resumes ends immediately', async () => {
      const { outside, live } = await open();
      const one = await live();
      await one.durable.all([one.durable.now('nap')]);
      await one.die();
      outside.clock.advance(3_600_000);
      const two = await live();
      await two.durable.all([two.durable.sleep('nap', 60_000)]);
      expect(outside.clock.monotonic()).toBe(3_600_000);
    });

    test('now is constant across crashes', async () => {
      const { outside, live } = await open();
      const one = await live();
      const then = outputs(await one.durable.all([one.durable.now('a')]));
      await one.die();
      outside.clock.advance(5_000);
      const two = await live();
      expect(outputs(await two.durable.all([two.durable.now('a')]))).toEqual(then);
      expect(outputs(await two.durable.all([two.durable.now('b')]))).toEqual([
        Number(then[0]) + 5_000,
      ]);
    });

    test.each(['before', 'after'])(
      'a signal delivered %s the run waits arrives once',
      async (when) => {
        const { live } = await open();
        const { durable, deliver } = await live();
        const waits = when === 'after' ? durable.signal('go') : undefined;
        await deliver('go', { by: 'a person' });
        await deliver('go', { by: 'somebody else' });
        const handle = waits ?? durable.signal('go');
        expect(outputs(await durable.all([handle]))).toEqual([{ by: 'a person' }]);
        expect(outputs(await durable.all([durable.signal('go')]))).toEqual([{ by: 'a person' }]);
      },
    );

    test('a signal survives the process it was delivered to', async () => {
      const { live } = await open();
      const one = await live();
      await one.deliver('go', 7);
      await one.die();
      const two = await live();
      await two.deliver('go', 8);
      expect(outputs(await two.durable.all([two.durable.signal('go')]))).toEqual([7]);
    });

    test('an announced once effect is in doubt and never started again', async () => {
      const { outside, live } = await open();
      outside.dieAfter('x');
      const one = await live();
      await expect(
        one.durable.all([one.durable.start('a', 'once', { name: 'x' })]),
      ).rejects.toThrow(Dead);
      await one.die();
      for (let lives = 0; lives < 2; lives++) {
        const life = await live();
        const ends = await life.durable.all([life.durable.start('a', 'once', { name: 'x' })]);
        expect(ends).toMatchObject([{ kind: 'doubt' }]);
        await life.die();
      }
      expect(outside.did).toEqual(['x']);
    });

    test('an announced keyed effect is looked up before it is started again', async () => {
      const { outside, live } = await open();
      outside.dieAfter('x');
      const one = await live();
      await expect(
        one.durable.all([one.durable.start('a', 'keyed', { name: 'x' })]),
      ).rejects.toThrow(Dead);
      await one.die();
      const two = await live();
      const ends = await two.durable.all([two.durable.start('a', 'keyed', { name: 'x' })]);
      expect(outputs(ends)).toEqual(['x found']);
      expect(outside.did).toEqual(['x']);
    });

    test('an attempt of an earlier process is ignored and does nothing more', async () => {
      const { outside, live } = await open();
      const one = await live();
      one.durable.start('a', 'hang', { name: 'zombie' });
      await one.die();
      const two = await live();
      for (const go of outside.letGo) go();
      await two.durable.all([two.durable.start('b', 'mark', { name: 'x' })]);
      expect(outside.did).toEqual(['x']);
      await two.die();
      const three = await live();
      expect(
        outputs(await three.durable.all([three.durable.start('b', 'mark', { name: 'x' })])),
      ).toEqual(['x 1']);
    });

    test('an error that breaks a run is reported after all its tasks have ended', async () => {
      const { outside, live } = await open();
      const { durable } = await live();
      const hangs = durable.start('slow', 'hang', { name: 's' });
      durable.start('a', 'mark', { name: 'x' });
      const ended = durable.all([hangs, durable.start('a', 'mark', { name: 'y' })]).catch(() => {
        expect(outside.did).toContain('s');
        return 'ended';
      });
      await new Promise((resolve) => setImmediate(resolve));
      for (const go of outside.letGo) go();
      expect(await ended).toBe('ended');
    });

    test('after a stop nothing starts, and waiting tasks are released', async () => {
      const drain = new AbortController();
      const { outside, live } = await open();
      const { durable } = await live({ drain: drain.signal });
      const waits = durable.signal('never');
      drain.abort();
      const begun = durable.start('a', 'mark', { name: 'x' });
      expect(outputs(await durable.all([waits, begun]))).toEqual(['interrupted', 'interrupted']);
      expect(outside.did).toEqual([]);
    });

    test('an interrupted effect is started again by the next process', async () => {
      const { outside, live } = await open();
      const broken = {
        class: 'read',
        execute: () => Promise.reject(new InterruptedError()),
      } as const;
      const effects = { ...outside.effects, mark: broken };
      const one = await live({ effects });
      expect(
        outputs(await one.durable.all([one.durable.start('a', 'mark', { name: 'x' })])),
      ).toEqual(['interrupted']);
      await one.die();
      const two = await live();
      expect(
        outputs(await two.durable.all([two.durable.start('a', 'mark', { name: 'x' })])),
      ).toEqual(['x 1']);
    });

    test('crashing at every storage action, repeatedly, everything is done once', async () => {
      const body: Body<TestJobs> = async (durable, _plan, input) => {
        const handles = ['k', 'l'].map((key) =>
          durable.start(key, 'keyed', { name: `${wordIn(input)} ${key}` }),
        );
        return done(outputs(await durable.all(handles)).length);
      };
      const whole = async ({ durable }: TestLife): Promise<readonly TaskEnd[]> => {
        await durable.all([durable.now('t')]);
        const fan = ['1', '2', '3'].map((key) => durable.start(key, 'keyed', { name: key }));
        await durable.all([...fan, durable.child('c', 'p', 'c'), durable.child('d', 'p', 'd')]);
        await durable.all([durable.sleep('nap', 1_000)]);
        return durable.all([durable.start('once', 'once', { name: 'once' })]);
      };
      const names = ['1', '2', '3', 'c k', 'c l', 'd k', 'd l', 'once'];
      for (let step = 1; step <= 4; step++) {
        const { outside, live, isStored } = await open(body);
        let ends: readonly TaskEnd[] | undefined;
        let lives = 0;
        for (let diesAt = 1; ends === undefined; diesAt += step) {
          expect(++lives, 'it continues permanently').toBeLessThan(60);
          const life = await live({ diesAt }).catch(() => undefined);
          ends = life && (await whole(life).catch(() => undefined));
          await life?.die();
          await isStored();
        }
        expect(lives).toBeGreaterThan(2);
        const twice = outside.did.filter((one, place) => outside.did.indexOf(one) !== place);
        expect(twice, `deaths ${step} acts later each time`).toEqual([]);
        const [end] = ends;
        const isThere = outside.did.includes('once');
        expect(end?.kind === 'doubt' || (end?.kind === 'done' && isThere)).toBe(true);
        expect(names.filter((one) => one !== 'once' && !outside.did.includes(one))).toEqual([]);
      }
    });
  });
}
