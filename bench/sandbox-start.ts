/** Starting the sandbox: from the spawned process to the ready file, next to a Node that does nothing. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { median, middle } from './figures/median.ts';

const rounds = 25;
const launcher = join(import.meta.dirname, '..', 'bin', 'deskhand.js');
const folder = mkdtempSync(join(tmpdir(), 'deskhand-bench-'));

const took = { sandbox: [] as number[], nothing: [] as number[] };
for (let round = -2; round < rounds; round++) {
  const measured = { nothing: await nothing(), sandbox: await sandbox(round) };
  if (round < 0) continue; // the files are in memory now
  took.sandbox.push(measured.sandbox);
  took.nothing.push(measured.nothing);
}
const ratios = took.sandbox.map((ms, round) => ms / (took.nothing[round] ?? NaN));
console.log(
  `ready after ${median(took.sandbox).toFixed(0)} ms, quickest ${Math.min(...took.sandbox).toFixed(0)} ms; ` +
    `node -e 0 ends after ${median(took.nothing).toFixed(0)} ms, quickest ${Math.min(...took.nothing).toFixed(0)} ms; ` +
    `median ${median(ratios).toFixed(2)} ×, middle half ${middle(ratios)}`,
);
rmSync(folder, { recursive: true });

/** Milliseconds until a Node with no program has ended. */
async function nothing(): Promise<number> {
  const start = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
  return performance.now() - start;
}

/** Milliseconds until the sandbox says that it listens, which it does once the file is written. */
async function sandbox(round: number): Promise<number> {
  const ready = join(folder, `ready-${round}.json`);
  const start = performance.now();
  const child = spawn(
    process.execPath,
    [launcher, '--dir', folder, 'sandbox', 'start', '--port', '0', '--ready-file', ready],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(child.stdout, 'data');
  const ms = performance.now() - start;
  if (!existsSync(ready)) throw new Error('it said it was ready before the file was there');
  child.kill('SIGTERM');
  await once(child, 'exit');
  return ms;
}
