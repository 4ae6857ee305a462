/** What may wait for a later sync, and what must not. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { standingClock } from '../../../src/base/clock.ts';
import type { Effect } from '../../../src/engine/effects/effect.ts';
import type { AppendFile } from '../../../src/engine/journal/file.ts';
import { emptyJournal, journalOver } from '../../../src/engine/journal/journal.ts';
import { embeddedEngine } from '../../../src/engine/runtime/embedded.ts';

const nothing = (): void => undefined;
const disk = { text: '', synced: '', isFailing: false, duringSync: nothing };

function engine() {
  Object.assign(disk, { text: '', synced: '', isFailing: false, duringSync: nothing });
  const file: AppendFile = {
    write: async (text) => void (disk.text += text),
    sync: async () => {
      if (disk.isFailing) throw new Error('EIO');
      disk.synced = disk.text;
      disk.duringSync();
      await setImmediate();
    },
    close: async () => undefined,
  };
  const seen: string[] = [];
  const effect: Effect<null> = {
    class: 'read',
    execute: async (_input, { key }) => {
      seen.push(`${key}: ${disk.synced.split('\n').length - 1}`);
      return { kind: 'done', output: null, evidence: 'answered' };
    },
  };
  const clock = standingClock(0);
  const never = new AbortController().signal;
  const { durable, caughtUp, entries } = embeddedEngine({
    runId: 'r-1',
    journal: journalOver(file, clock, emptyJournal),
    earlier: [],
    effects: { read: { ...effect, isSyncedLater: () => true }, file: effect },
    body: () => Promise.reject(new Error('no child')),
    clock,
    time: async () => 0,
    drain: never,
    halt: never,
    onEntry: () => undefined,
  });
  const one = (key: string, name: 'read' | 'file') => durable.all([durable.start(key, name, null)]);
  return { one, durable, seen, caughtUp, entries };
}

test('reads wait for no sync; before anything else what they returned is on the disk', async () => {
  const { one, seen, caughtUp, entries } = engine();
  await one('a', 'read');
  await one('b', 'read');
  await one('c', 'file');
  await one('d', 'read');
  expect(seen).toEqual(['a: 0', 'b: 0', 'c: 2', 'd: 3']);
  expect(entries).toHaveLength(3);
  await caughtUp();
  expect(entries).toHaveLength(4);
});

test('a disk that fails ends the run, also after the last entry that waits', async () => {
  const { one, caughtUp } = engine();
  await one('a', 'read');
  disk.isFailing = true;
  await expect(one('b', 'file')).rejects.toThrow('could not be written');
  await expect(caughtUp()).rejects.toThrow('could not be written');
});

test('what a parallel step records during the sync is not waited for: nobody may sync it', async () => {
  const { durable, caughtUp, entries } = engine();
  durable.emit({ kind: 'opened', step: 'a' });
  disk.duringSync = () => {
    disk.duringSync = nothing;
    durable.emit({ kind: 'opened', step: 'b' });
  };
  await caughtUp();
  expect(entries).toMatchObject([{ step: 'a' }]);
  await caughtUp();
  expect(entries).toMatchObject([{ step: 'a' }, { step: 'b' }]);
});
