/** Runs command lines in this process, with a fixed date and a terminal of some width. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { PassThrough } from 'node:stream';
import { day, systemClock, type Clock } from '../../src/base/clock.ts';
import { executeLine } from '../../src/cli/main.ts';
import { terminalOver } from '../../src/report/terminal/terminal.ts';
import type { Ended } from './deskhand.ts';

export interface Inside {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Days after the first day. */
  readonly days?: number;
  /** Width of a terminal for both streams; absent: pipes. */
  readonly columns?: number;
}

/** It advances like the machine's: a screen that waits must not loop forever. */
function clockAfter(days: number): Clock {
  const now = (): number => start + days * day + Math.floor(systemClock.monotonic() - begun);
  const clock = clocks.get(days) ?? { ...systemClock, now };
  clocks.set(days, clock);
  return clock;
}
/** One for each date, because commands of one clock share their connections. */
const clocks = new Map<number, Clock>();
const start = Date.parse('2026-11-20T12:00:00Z');
const begun = systemClock.monotonic();

/** Executes one command line to its end. Never two at a time: they share the working directory. */
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

/** All output; from Node 26 on, one read returns only a chunk. */
export function written(stream: PassThrough): string {
  let text = '';
  for (let piece = stream.read(); piece !== null; piece = stream.read()) text += String(piece);
  return text;
}
