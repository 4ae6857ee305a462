/** A process is asked to stop once, however many other files the server writes and removes. */
import { mkdirSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockRun } from '../../../src/engine/journal/lock.ts';
import { holderOf } from '../../../src/serve/server/actions/holder.ts';
import { jobLog } from '../../../src/serve/server/actions/presses.ts';
import { markStopped } from '../../../src/serve/server/actions/stop-marks.ts';

const other = { pid: 4_194_300, born: 'another' };

/** This process executes a run. */
async function executing() {
  const stateDir = mkdtempSync(join(tmpdir(), 'stop-'));
  const lock = await lockRun(stateDir, 'r-1');
  const holder = await holderOf(stateDir, 'r-1');
  if (holder === undefined) throw new Error('this process has the lock');
  return { stateDir, lock, mark: () => markStopped(stateDir, holder) };
}

/** Outputs of earlier processes; newer than all that is written now. */
function outputs(stateDir: string, count: number): string {
  const folder = join(stateDir, 'serve', 'jobs');
  mkdirSync(folder, { recursive: true });
  for (let n = 0; n < count; n++) {
    const path = join(folder, `press-${n}.json`);
    writeFileSync(path, '{}');
    utimesSync(path, 4_000_000_000, 4_000_000_000);
  }
  return folder;
}

test('a process is asked once, also after 1,000 later actions', async () => {
  const { stateDir, mark } = await executing();
  expect(await mark()).toBe(true);
  const folder = outputs(stateDir, 1_000);
  await jobLog(stateDir, 'press-next');
  expect(readdirSync(folder)).toHaveLength(800);
  expect(await mark()).toBe(false);
  await markStopped(stateDir, other);
  expect(await mark()).toBe(false);
});

test('the mark of a process is removed when it has no lock any more', async () => {
  const { stateDir, lock, mark } = await executing();
  await mark();
  await markStopped(stateDir, other);
  await lock.release();
  await markStopped(stateDir, { ...other, born: 'a third' });
  expect(readdirSync(join(stateDir, 'serve', 'stopped'))).toHaveLength(1);
});

test('no mark is removed while a lock cannot be read', async () => {
  const { stateDir, lock, mark } = await executing();
  await mark();
  await lock.release();
  writeFileSync(join(stateDir, 'locks', 'run-r-2.lock'), 'damaged');
  expect(await mark()).toBe(false);
});

test('servers that remove old outputs at the same time fail no action', async () => {
  const { stateDir } = await executing();
  const folder = outputs(stateDir, 900);
  const logs = await Promise.all(['a', 'b', 'c', 'd'].map((id) => jobLog(stateDir, id)));
  expect(logs).toEqual(['a', 'b', 'c', 'd'].map((id) => join(folder, id)));
  expect(readdirSync(folder)).toHaveLength(800);
});
