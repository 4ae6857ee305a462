/** What every implementation of SharedOutputs must do, beside machines that take runs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { partMax } from '../../../src/stores/outputs.ts';
import type { SharedOutputs } from '../../../src/stores/shared/output-copies.ts';
import type { SharedRuns } from '../../../src/stores/shared/shared-runs.ts';
import { batchOf, lease, requestOf, resumeOf, taken, type SharedWorld } from './contract.ts';

export interface OutputsWorld extends SharedWorld {
  outputs(): SharedOutputs;
}

const [first, second] = ['a'.repeat(64), 'b'.repeat(64)];
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

export function outputsContract(name: string, open: () => Promise<OutputsWorld>): void {
  describe(`files of runs: ${name}`, () => {
    let world: OutputsWorld;
    let one: SharedRuns;
    let two: SharedRuns;
    let outputs: SharedOutputs;
    let named = 0;
    const nextRun = (): string => `files-${++named}`;

    beforeAll(async () => {
      world = await open();
      [one, two, outputs] = [world.connect(), world.connect(), world.outputs()];
    });
    afterAll(async () => {
      await Promise.all([one.close(), two.close(), outputs.close()]);
      await world.close();
    });

    test('a file is read as it was stored, part by part, also if a part was stored again', async () => {
      const run = nextRun();
      const { holder } = await taken(one, requestOf(run));
      const large = new Uint8Array(partMax).map((_none, at) => at % 256);
      const file = { path: 'out/é "x".csv', sha256: first };
      expect(await outputs.list(run)).toEqual([]);
      expect(await outputs.part(run, file, 0)).toBeUndefined();
      for (const content of [bytes(1), large]) {
        expect(await outputs.keep(holder, { ...file, part: 0, content })).toBe(true);
      }
      expect(await outputs.keep(holder, { ...file, part: 1, content: bytes(7, 0, 255) })).toBe(
        true,
      );
      expect(await outputs.list(run)).toEqual([{ ...file, bytes: partMax + 3 }]);
      const read = await Promise.all([0, 1, 2].map((part) => outputs.part(run, file, part)));
      expect(Buffer.compare(read[0] ?? bytes(), large)).toBe(0);
      expect([...(read[1] ?? [])]).toEqual([7, 0, 255]);
      expect(read[2]).toBeUndefined();
      await one.release(holder);
    });

    test('another content of a path is another copy, until only one is kept', async () => {
      const [run, other] = [nextRun(), nextRun()];
      const { holder } = await taken(one, requestOf(run));
      const beside = await taken(one, requestOf(other));
      const [before, now, page] = [
        { path: 'out/a.csv', sha256: first },
        { path: 'out/a.csv', sha256: second },
        { path: 'out/page.html', sha256: first },
      ] as const;
      for (const file of [before, now, page]) {
        await outputs.keep(holder, { ...file, part: 0, content: bytes(1, 2) });
        await outputs.keep(beside.holder, { ...file, part: 0, content: bytes(3) });
      }
      expect(await outputs.keepOnly(holder, now)).toBe(true);
      const shown = [now, page].map((file) => ({ ...file, bytes: 2 }));
      expect(await outputs.list(run)).toEqual(shown);
      expect(await outputs.part(run, before, 0)).toBeUndefined();
      expect([...((await outputs.part(run, now, 0)) ?? [])]).toEqual([1, 2]);
      expect(await outputs.list(other)).toHaveLength(3);
      await outputs.keep(holder, { ...before, part: 0, content: bytes(9) });
      expect([...((await outputs.part(run, now, 0)) ?? [])]).toEqual([1, 2]);
      expect([...((await outputs.part(run, before, 0)) ?? [])]).toEqual([9]);
      await Promise.all([one.release(holder), one.release(beside.holder)]);
    });

    test('whoever has lost the run changes no file of it, and everyone reads them', async () => {
      const run = nextRun();
      const { holder } = await taken(one, requestOf(run));
      const file = { path: 'out/a.csv', sha256: first };
      const part = { ...file, part: 0, content: bytes(1) };
      expect(await one.keep(holder, batchOf(0, 'a\n'))).toBe(true);
      expect(await outputs.keep(holder, part)).toBe(true);
      await world.advance(lease + 1);
      const later = (await taken(two, resumeOf(run))).holder;
      const late = { ...file, sha256: second };
      expect(await outputs.keep(holder, { ...part, content: bytes(2) })).toBe(false);
      expect(await outputs.keepOnly(holder, late)).toBe(false);
      expect([...((await outputs.part(run, file, 0)) ?? [])]).toEqual([1]);
      expect(await outputs.keep(later, { ...late, part: 0, content: bytes(3) })).toBe(true);
      expect(await outputs.keepOnly(later, late)).toBe(true);
      expect(await two.release(later)).toBe(true);
      expect(await outputs.keep(later, { ...part, content: bytes(4) })).toBe(false);
      expect(await outputs.list(run)).toEqual([{ ...late, bytes: 1 }]);
    });

    test('files are stored while lines of the run are', async () => {
      const run = nextRun();
      const { holder } = await taken(one, requestOf(run));
      for (let at = 0; at < 20; at++) {
        const content = bytes(at);
        const both = await Promise.all([
          one.keep(holder, batchOf(at, `${at}\n`)),
          outputs.keep(holder, { path: `out/${at}`, sha256: first, part: 0, content }),
        ]);
        expect(both).toEqual([true, true]);
      }
      expect(await outputs.list(run)).toHaveLength(20);
      expect(await two.lines(run, 0)).toMatchObject({ count: 20 });
      await one.release(holder);
    });
  });
}
