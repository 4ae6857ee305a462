/** The process that `serve` starts for what is due: what is reported of its end. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { startDue } from '../../../src/serve/server/schedules/start-due.ts';
import { loadConfig } from '../../../src/app/config/load.ts';
import { machineId } from '../../../src/engine/journal/machine.ts';
import { thisKernel } from '../../../src/base/lock/kernel.ts';
import { ownerHere, type Owner } from '../../../src/base/lock/owner.ts';
import type { Departure } from '../../../src/app/schedule/elsewhere.ts';
import { scheduleFor } from '../../app/schedule/world.ts';
import { envOf, folderWith } from '../../cli/deskhand.ts';

/** The end of a process that was killed, beside a lock with its id and otherwise this owner. */
async function leftBeside(change: Partial<Owner>): Promise<Departure | undefined> {
  const cwd = folderWith();
  const config = await loadConfig({ cwd, env: envOf({ cwd }) });
  const { stateDir } = config;
  const owner = { ...ownerHere(await machineId(stateDir), thisKernel()), born: '1', ...change };
  const lock = { version: 2, ...owner, holder: 'r-1', nonce: 'n', inode: '1' };
  const path = join(stateDir, 'locks', 'run-r-1.lock');
  mkdirSync(join(path, '..'), { recursive: true });
  const program = join(cwd, 'program.cjs');
  writeFileSync(
    program,
    `const lock = ${JSON.stringify(lock)};
    lock.pid = process.pid;
    require('node:fs').writeFileSync(${JSON.stringify(path)}, JSON.stringify(lock) + '\\n', { mode: 0o600 });
    process.kill(process.pid, 'SIGKILL');`,
  );
  const start = startDue({
    program: { command: [process.execPath, program], env: process.env },
    desk: { name: 'desk', folder: cwd, config },
    drain: new AbortController().signal,
    onProcess: () => undefined,
    onRecord: () => undefined,
  });
  return start(scheduleFor({ id: 's-1' }));
}

test('a killed process left the run whose lock it has', async () => {
  expect(await leftBeside({})).toMatchObject({
    left: { run: 'r-1', hint: 'deskhand resume r-1', message: 'its process ended with SIGKILL' },
  });
});

test.each<[string, Partial<Owner>]>([
  ['on another machine', { host: 'elsewhere' }],
  ['on a copy of this machine', { machine: 'another' }],
  ['in another container', { namespace: 'another' }],
])('a process %s with the same id left nothing here', async (_where, change) => {
  const departure = await leftBeside(change);
  expect(departure?.left).not.toHaveProperty('run');
  expect(departure?.left.message).toBe('its process ended with SIGKILL');
});
