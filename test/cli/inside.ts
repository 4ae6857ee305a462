/** Whole command lines in this process, on their own day, as a terminal of some width sees them. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { PassThrough } from 'node:stream';
import { day, systemClock, type Clock } from '../../src/base/clock.ts';
import { executeLine } from '../../src/cli/main.ts';
import { terminalOver } from '../../src/cli/screens/terminal.ts';
import type { Ended } from './deskhand.ts';

export interface Inside {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** So many days after the first. */
  readonly days?: number;
  /** Both streams are a terminal of this width; absent, they are pipes. */
  readonly columns?: number;
}

/** It moves as the machine's does: a screen that waits for its next moment must not turn in a circle. */
const clockAfter = (days: number): Clock => ({
  ...systemClock,
  now: () => start + days * day + Math.floor(systemClock.monotonic() - begun),
});
const start = Date.parse('2026-11-20T12:00:00Z');
const begun = systemClock.monotonic();

/** Executes one line to its end. Never two at a time: the folder is that of the process. */
export async function inside(words: readonly string[], given: Inside): Promise<Ended> {
  const { cwd, env = {}, days = 0, columns } = given;
  const [stdout, stderr] = [streamOf(columns), streamOf(columns)];
  const terminal = terminalOver({
    stdin: () => new PassThrough(),
    stdout,
    stderr,
    env: {
      PATH: process.env['PATH'],
      HOME: cwd,
      TMPDIR: tmpdir(),
      XDG_CONFIG_HOME: join(cwd, '.config'),
      LANG: 'C.UTF-8',
      ...env,
    },
    wantsColour: false,
    wantsInput: false,
  });
  const before = process.cwd();
  process.chdir(cwd);
  try {
    const code = await executeLine(words, { terminal, clock: clockAfter(days) });
    return { code, stdout: written(stdout), stderr: written(stderr) };
  } finally {
    process.chdir(before);
  }
}

function streamOf(columns: number | undefined): PassThrough {
  const stream = new PassThrough({ highWaterMark: 64 * 1024 * 1024 });
  return columns === undefined ? stream : Object.assign(stream, { isTTY: true, columns });
}

/** All that was written; one read gives no more than a piece from Node 26 on. */
export function written(stream: PassThrough): string {
  let text = '';
  for (let piece = stream.read(); piece !== null; piece = stream.read()) text += String(piece);
  return text;
}
