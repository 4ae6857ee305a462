/** What a process printed is whole, whatever happens to its files meanwhile. */
import { existsSync, mkdtempSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { launch } from '../../src/server/actions/launch.ts';
import { jobLog } from '../../src/server/actions/presses.ts';

const mebibyte = 1024 * 1024;
/** Prints 2 MiB, and a last line when a file exists. */
const printing = `
const { existsSync, writeSync } = require('node:fs');
for (let part = 0; part < 32; part += 1) writeSync(1, 'x'.repeat(65536));
const wait = () => existsSync('end') ? writeSync(1, '\\nlast') : setTimeout(wait, 5);
wait();
`;

interface Printing {
  readonly folder: string;
  readonly log: string;
  readonly launched: ReturnType<typeof launch>;
}

/** A process that has printed all but its last line. */
async function begun(): Promise<Printing> {
  const folder = mkdtempSync(join(tmpdir(), 'launch-'));
  writeFileSync(join(folder, 'print.cjs'), printing);
  const program = {
    command: [process.execPath, join(folder, 'print.cjs')],
    env: process.env,
  } as const;
  const log = await jobLog(folder, 'a-running-process-of-the-page');
  const launched = launch(program, { folder, config: { stateDir: folder } as never }, ['run'], log);
  while (statSync(`${log}.out`).size < 2 * mebibyte) await sleep(5);
  return { folder, log, launched };
}

test.each([
  ['others are started', 10, true],
  ['so many are started that its files are removed', 900, false],
])('the output of a process is read whole when %s', async (_case, others, isKept) => {
  const { folder, log, launched } = await begun();
  const long = new Date(0);
  for (const file of [`${log}.out`, `${log}.err`]) utimesSync(file, long, long);
  for (let number = 0; number < others; number += 1)
    writeFileSync(join(folder, 'serve', 'jobs', `${number}.out`), '');
  await jobLog(folder, 'another-process-of-the-page');
  expect(existsSync(`${log}.out`)).toBe(isKept);
  writeFileSync(join(folder, 'end'), '');
  const { code, out, err } = await launched.ended;
  expect([code, err]).toEqual([0, '']);
  expect([out.length, out.slice(-5)]).toEqual([2 * mebibyte + 5, '\nlast']);
  if (isKept) expect(statSync(`${log}.out`).size).toBe(mebibyte); // of a long output, after it was read
});
