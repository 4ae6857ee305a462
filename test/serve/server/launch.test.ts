/** What a process printed is whole, whatever happens to its files meanwhile. */
import { existsSync, mkdtempSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { launch } from '../../../src/serve/server/actions/launch.ts';
import { jobLog } from '../../../src/serve/server/actions/presses.ts';

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
  onTestFinished(() => writeFileSync(join(folder, 'end'), ''));
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

function age(path: string): void {
  utimesSync(path, 0, 0);
}

test.each([
  ['others are started', 10, true],
  ['so many are started that its files are removed', 900, false],
])('the output of a process is read whole when %s', async (_case, others, isKept) => {
  const { folder, log, launched } = await begun();
  if (!isKept) for (const ending of ['out', 'err']) age(`${log}.${ending}`);
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

test('of an output that its server did not live to read, 1 MiB is kept a day later', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'launch-'));
  const [long, recent, inputs] = await Promise.all(
    ['long.out', 'recent.err', 'long.inputs'].map(async (name) => {
      const path = await jobLog(folder, name);
      writeFileSync(path, 'x'.repeat(2 * mebibyte));
      return path;
    }),
  );
  age(String(long));
  age(String(inputs));
  await jobLog(folder, 'another-process-of-the-page');
  expect([long, recent, inputs].map((path) => statSync(String(path)).size / mebibyte)).toEqual([
    1, 2, 2,
  ]);
});
