/** What shared files and locks must do, asked of every store that has them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { second, type Millis } from '../../../src/base/clock.ts';
import type { SharedFiles } from '../../../src/stores/shared/shared-files.ts';

export interface FilesWorld {
  connect(): SharedFiles;
  /** The time of the database passes. */
  advance(ms: Millis): Promise<void>;
  close(): Promise<void>;
}

export function sharedFilesContract(name: string, open: () => Promise<FilesWorld>): void {
  describe(`${name}: shared files`, () => {
    let world: FilesWorld;
    let one: SharedFiles;
    let two: SharedFiles;
    let count = 0;
    const fresh = (): string => `schedule/s-${++count}/file.json`;

    beforeAll(async () => {
      world = await open();
      [one, two] = [world.connect(), world.connect()];
    });
    afterAll(async () => {
      await Promise.all([one.close(), two.close()]);
      await world.close();
    });

    test('a file is created once, and by a repeated call', async () => {
      const path = fresh();
      expect(await one.read(path)).toBeUndefined();
      expect(await one.create(path, 'a')).toBe(true);
      expect(await one.create(path, 'a')).toBe(true);
      expect(await two.create(path, 'b')).toBe(false);
      expect(await two.read(path)).toBe('a');
    });

    test('of many that create a file at the same time, one does', async () => {
      const path = fresh();
      const all = Array.from({ length: 20 }, (_none, at) => (at % 2 ? one : two));
      const made = await Promise.all(all.map((files, at) => files.create(path, `by ${at}`)));
      expect(made.filter(Boolean)).toHaveLength(1);
      expect(await one.read(path)).toBe(`by ${made.indexOf(true)}`);
    });

    test('a file is replaced only if it still has the text that was read', async () => {
      const path = fresh();
      expect(await one.replace(path, 'a', undefined)).toBe(true);
      expect(await one.replace(path, 'a', undefined)).toBe(true); // repeated
      expect(await two.replace(path, 'b', undefined)).toBe(false);
      expect(await two.replace(path, 'b', 'a')).toBe(true);
      expect(await one.replace(path, 'c', 'a')).toBe(false);
      expect(await one.read(path)).toBe('b');
    });

    test('of many that replace the same text at the same time, one does', async () => {
      const path = fresh();
      await one.create(path, 'start');
      const all = Array.from({ length: 20 }, (_none, at) => (at % 2 ? one : two));
      const done = await Promise.all(
        all.map((files, at) => files.replace(path, `by ${at}`, 'start')),
      );
      expect(done.filter(Boolean)).toHaveLength(1);
      expect(await one.read(path)).toBe(`by ${done.indexOf(true)}`);
    });

    test('lines are appended in order, a repeated one once, and their bytes are counted', async () => {
      const path = fresh();
      expect(await one.append(path, 'ä', 'id 1')).toBe(3);
      expect(await one.append(path, 'ä', 'id 1')).toBe(3);
      expect(await two.append(path, 'ä', 'id 2')).toBe(6);
      expect(await one.append(path, 'c', 'id 3')).toBe(8);
      expect(await two.read(path)).toBe('ä\nä\nc\n');
      expect(await two.create(path, 'text')).toBe(false);
    });

    test('lines that are appended while the file is shortened stay', async () => {
      const path = fresh();
      await one.append(path, 'first', 'id 1');
      const before = await one.read(path);
      await two.append(path, 'second', 'id 2');
      expect(await one.replace(path, '', before)).toBe(false);
      expect(await one.replace(path, 'short\n', await one.read(path))).toBe(true);
      const ids = Array.from({ length: 20 }, (_none, at) => `id ${at + 3}`);
      await Promise.all([
        ...ids.map((id) => two.append(path, id, id)),
        ...ids.map(async () => {
          const text = (await one.read(path)) ?? '';
          await one.replace(path, `${text.trimEnd()} \n`, text);
        }),
      ]);
      const lines = (await one.read(path))?.split('\n').map((line) => line.trim()) ?? [];
      expect(lines.toSorted()).toEqual(['', 'short', ...ids].toSorted());
    });

    test('names are those of a folder alone, and a folder is removed with its contents', async () => {
      const folder = `schedule/of-${++count}`;
      for (const path of ['a/1', 'a/2', 'b', 'a%/1', 'a.x', 'b/x/1', 'b/x/2', 'b0'])
        await one.create(`${folder}/${path}`, path);
      await one.create(`${folder}0/other`, 'other');
      await one.create(`${folder}-a/other`, 'other');
      expect((await two.names(folder)).toSorted()).toEqual(['a', 'a%', 'a.x', 'b', 'b0']);
      expect(await two.names(`${folder}/none`)).toEqual([]);
      await one.remove(`${folder}/a`);
      expect((await two.names(folder)).toSorted()).toEqual(['a%', 'a.x', 'b', 'b0']);
      await one.remove(folder);
      expect(await two.names(folder)).toEqual([]);
      expect(await two.read(`${folder}0/other`)).toBe('other');
      expect(await two.read(`${folder}-a/other`)).toBe('other');
    });

    test('a lock has one holder, until it is released or its lease is over', async () => {
      const lock = `lock-${++count}`;
      expect(await one.lock(lock, 'a', 10 * second)).toBe(true);
      expect(await one.lock(lock, 'a', 10 * second)).toBe(true); // repeated
      expect(await two.lock(lock, 'b', 10 * second)).toBe(false);
      await two.unlock(lock, 'b');
      expect(await two.lock(lock, 'b', 10 * second)).toBe(false);
      await one.unlock(lock, 'a');
      expect(await two.lock(lock, 'b', 10 * second)).toBe(true);
      await world.advance(6 * second);
      await two.renew(lock, 'b', 10 * second);
      await world.advance(6 * second);
      expect(await one.lock(lock, 'a', 10 * second)).toBe(false);
      await world.advance(5 * second);
      expect(await one.lock(lock, 'a', 10 * second)).toBe(true);
      await two.renew(lock, 'b', 10 * second);
      await two.unlock(lock, 'b');
      expect(await two.lock(lock, 'b', 10 * second)).toBe(false);
    });

    test('a renewal after the release does not lock again', async () => {
      const lock = `lock-${++count}`;
      await one.lock(lock, 'a', 10 * second);
      await one.unlock(lock, 'a');
      await one.renew(lock, 'a', 10 * second);
      expect(await two.lock(lock, 'b', 10 * second)).toBe(true);
    });
  });
}
