/** Locks on systems without /proc: on macOS a dead owner is proved, on Windows nobody is, so a lock is never taken over. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stateFolder } from '../../../src/app/doctor/machine.ts';
import { stopRun } from '../../../src/serve/server/actions/stop-run.ts';
import { Refusal } from '../../../src/serve/server/failure.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { lockAccount, lockRun, type AccountLock } from '../../../src/engine/journal/lock.ts';
import { noGuard } from '../../../src/base/lock/guard.ts';
import { kernelOn, type Ask, type Kernel } from '../../../src/base/lock/kernel.ts';

const destination = { profile: 'main', target: 'sandbox', host: 'in-process' } as const;
const deadPid = 4_194_305; // above what Linux gives
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const taking = (run: string, kernel: Kernel): Promise<AccountLock> =>
  lockAccount(folder, destination, run, { kernel, guard: noGuard });

/** sysctl and ps of macOS, with the start of this process. */
const macOs =
  (boot = '6E1D2F30-0A4B-4C5D-8E9F-001122334455', start = 'Fri Nov 20 04:00:00 2026'): Ask =>
  (program) =>
    program.endsWith('sysctl') ? `${boot}\n` : `${start}    \n`;

const mac = (change: Partial<Kernel> = {}, asking = macOs()): Kernel => ({
  ...kernelOn('darwin', asking),
  ...change,
});
const windows = (change: Partial<Kernel> = {}): Kernel => ({
  ...kernelOn('win32', () => ''),
  ...change,
});

test.each([
  ['macOS', mac],
  ['Windows', windows],
])('on %s a lock is held by one process at a time', async (_name, kernel) => {
  const lock = await taking('r-1', kernel());
  await expect(taking('r-2', kernel())).rejects.toThrow(/^run r-1 \(process \d+ on .+\)/);
  await lock.release();
  await (await taking('r-2', kernel())).release();
});

test('on macOS the lock of an ended process is taken over', async () => {
  await taking('r-1', mac({ pid: deadPid }));
  await (await taking('r-2', mac())).release();
});

test('on macOS the lock of a process whose id another one has now is taken over', async () => {
  await taking('r-1', mac({ born: 'Thu Nov 19 23:59:59 2026' }));
  await (await taking('r-2', mac())).release();
});

const noBoot = macOs('unknown oid');
const noStart = macOs(undefined, 'ps: not permitted');
const restarted = macOs('00000000-0000-4000-8000-000000000001');
test.each<[string, Ask, Ask]>([
  ['after a restart', macOs(), restarted],
  ['without a boot id', noBoot, noBoot],
])('on macOS the lock of an ended process %s is not taken over', async (_name, before, now) => {
  await taking('r-1', mac({ pid: deadPid }, before));
  await expect(taking('r-2', mac({}, now))).rejects.toThrow('run r-1');
});

test('on macOS a start in an unknown form proves nothing', async () => {
  await taking('r-1', mac());
  await expect(taking('r-2', mac({}, noStart))).rejects.toThrow('run r-1');
});

test('on macOS a start that ps does not print proves nothing', async () => {
  await taking('r-1', mac());
  const silent = mac({}, macOs(undefined, ''));
  await expect(taking('r-2', silent)).rejects.toThrow('run r-1');
});

test('on Windows the lock of an ended process stays, and says why', async () => {
  await taking('r-1', windows({ pid: deadPid }));
  const error: unknown = await taking('r-2', windows()).catch((reason: unknown) => reason);
  expect(String(error)).toContain('run r-1');
  expect(error).toMatchObject({ hint: expect.stringContaining('unlock') });
});

test('on Windows a run cannot be asked to stop from the page', async () => {
  const run = 'r-aaaaaaaaaaaa';
  const lock = await lockRun(folder, run);
  const stopping = stopRun(folder, run, 'win32');
  await expect(stopping).rejects.toThrow(Refusal);
  await expect(stopping).rejects.toThrow('on Windows every signal ends a process at once');
  await lock.release();
});

test('on Windows doctor says that nobody checked who may read the files', async () => {
  const findings = await stateFolder(folder, systemClock, 'win32');
  expect(findings.find(({ what }) => what === 'permissions')).toMatchObject({
    status: 'unknown',
    message: expect.stringContaining('icacls'),
  });
  const here = await stateFolder(folder, systemClock, 'linux');
  expect(here.find(({ what }) => what === 'permissions')).toMatchObject({ status: 'ok' });
});
