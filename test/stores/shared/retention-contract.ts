/** What every implementation of SharedRetention must do, beside machines that take runs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunEnd, SharedRetention } from '../../../src/stores/shared/retention.ts';
import type { Holder, SharedRuns } from '../../../src/stores/shared/shared-runs.ts';
import { batchOf, requestOf, resumeOf, taken, type SharedWorld } from './contract.ts';

export interface RetentionWorld extends SharedWorld {
  retention(): SharedRetention;
}

const batch = batchOf(0, 'a\n', 'b\nc\n');
const end: RunEnd = { lines: 3, link: batch.link };

export function retentionContract(name: string, open: () => Promise<RetentionWorld>): void {
  describe(`retention: ${name}`, () => {
    let world: RetentionWorld;
    let one: SharedRuns;
    let two: SharedRuns;
    let retention: SharedRetention;
    let named = 0;
    const nextRun = (): string => `old-${++named}`;

    beforeAll(async () => {
      world = await open();
      [one, two] = [world.connect(), world.connect()];
      retention = world.retention();
    });
    afterAll(async () => {
      await Promise.all([one.close(), two.close(), retention.close()]);
      await world.close();
    });

    const ended = async (run: string, plan?: string): Promise<Holder> => {
      const { holder } = await taken(one, requestOf(run, plan === undefined ? {} : { plan }));
      expect(await one.keep(holder, batch)).toBe(true);
      expect(await one.release(holder)).toBe(true);
      return holder;
    };
    const changedRuns = async (): Promise<readonly string[]> =>
      (await two.changed()).runs.map(({ run }) => run);

    test('a removed run is never taken again, its plan stays used, and nobody reads lines of it', async () => {
      const run = nextRun();
      const plan = `p-${run}`;
      const holder = await ended(run, plan);
      expect(await changedRuns()).toContain(run);
      expect(await retention.prune(run, end)).toBe('pruned');
      for (const work of [async () => undefined, () => retention.empty()]) {
        await work();
        expect(await two.take(resumeOf(run))).toEqual({ kind: 'pruned', run });
        expect(await two.take(resumeOf(run, { plan }))).toEqual({ kind: 'pruned', run });
        expect(await two.take(requestOf(run, { plan }))).toEqual({ kind: 'used', run });
        expect(await two.take(requestOf(nextRun(), { plan }))).toEqual({ kind: 'used', run });
        expect(await two.lines(run, 0)).toBeUndefined();
        expect(await two.lines(run, 1)).toBeUndefined();
        expect(await changedRuns()).not.toContain(run);
        expect(await one.keep(holder, batchOf(3, 'late\n'))).toBe(false);
        expect(await one.renew(holder)).toBe(false);
        expect(await retention.prune(run, end)).toBe('pruned');
      }
    });

    test('its account is free for other runs', async () => {
      const run = nextRun();
      await ended(run);
      await retention.prune(run, end);
      const { accounts } = requestOf(run);
      await taken(two, requestOf(nextRun(), { accounts }));
    });

    test('a run that a process has, and one with other lines, is kept', async () => {
      const run = nextRun();
      await ended(run);
      for (const other of [
        { ...end, lines: 2 },
        { ...end, link: 'other' },
      ]) {
        expect(await retention.prune(run, other)).toBe('changed');
      }
      const { holder } = await taken(two, resumeOf(run));
      expect(await retention.prune(run, end)).toBe('in-use');
      expect(await two.keep(holder, batchOf(3, 'd\n'))).toBe(true);
      expect(await two.release(holder)).toBe(true);
      expect(await retention.prune(run, end)).toBe('changed');
      await retention.empty();
      expect(await one.lines(run, 0)).toMatchObject({ count: 4, text: 'a\nb\nc\nd\n' });
    });

    test('the runs that the database has, or had, are known', async () => {
      const [stored, pruned, absent] = [nextRun(), nextRun(), nextRun()];
      await ended(stored);
      await ended(pruned);
      expect(await retention.prune(absent, end)).toBe('absent');
      await retention.prune(pruned, end);
      expect(Object.fromEntries(await retention.known([stored, pruned, absent]))).toEqual({
        [stored]: 'stored',
        [pruned]: 'pruned',
      });
    });

    test('of a removal and a resume at the same time exactly one succeeds', async () => {
      for (let round = 0; round < 20; round++) {
        const run = nextRun();
        await ended(run);
        const both = [() => retention.prune(run, end), () => two.take(resumeOf(run))] as const;
        const [first, second] = round % 2 === 0 ? both : [both[1], both[0]];
        const answers = await Promise.all([first(), second()]);
        const kinds = answers.map((answer) => (typeof answer === 'string' ? answer : answer.kind));
        expect([
          ['in-use', 'taken'],
          ['pruned', 'pruned'],
        ]).toContainEqual(kinds.toSorted());
      }
    });
  });
}
