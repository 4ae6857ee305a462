/** Runs a program of this machine by its list of words: through no shell, in a bare environment. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import process from 'node:process';
import type { Readable } from 'node:stream';
import { minute, type Millis } from '../base/clock.ts';
import { DeskhandError, exits } from '../base/error.ts';
import { redactor, type Secret } from '../base/secret.ts';

export interface Program {
  /** The program and its arguments, each as it is. */
  readonly words: readonly string[];
  /** What it finds in its environment beside PATH, HOME, LANG and TZ. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly timeoutMs?: Millis;
  readonly signal: AbortSignal;
  /** What must not stand in what it prints. */
  readonly secrets: readonly Secret[];
}

/** How a program ended, and what it printed. */
export interface Printed {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program could not be run, took too long, printed too much, or said that it failed. */
export class ProgramError extends DeskhandError {
  constructor(message: string, hint?: string) {
    super(message, {
      code: 'program',
      actor: 'author',
      exit: exits.stopped,
      ...(hint !== undefined && { hint }),
    });
  }
}

const printedMax = 256 * 1024; // bytes of each stream
const usualTimeout = minute;
const inherited = ['PATH', 'HOME', 'LANG', 'TZ'] as const;

/** @throws ProgramError; also when it ends with another code than 0 */
export async function runProgram(program: Program): Promise<Printed> {
  const { words, timeoutMs = usualTimeout, secrets } = program;
  const [name = ''] = words;
  if (words.some((word) => word.includes('\0'))) {
    throw new ProgramError(`${name}: a word holds a NUL, which no program can be given`);
  }
  const hide = redactor(secrets);
  const child = begin(program);
  const timer = AbortSignal.any([program.signal, AbortSignal.timeout(timeoutMs)]);
  const stop = (): void => void child.kill('SIGKILL');
  timer.addEventListener('abort', stop, { once: true });
  try {
    const [exit, stdout, stderr] = await Promise.all([
      ended(child, name),
      textOf(child.stdout, stop),
      textOf(child.stderr, stop),
    ]);
    if (timer.aborted) throw new ProgramError(`${name} did not end within ${timeoutMs / 1000} s`);
    if (stdout === undefined || stderr === undefined) {
      throw new ProgramError(`${name} printed more than ${printedMax / 1024} KiB`);
    }
    const said = hide(stderr);
    if (exit !== 0) {
      const last = said.trim().split('\n').at(-1) ?? '';
      throw new ProgramError(`${name} ended with ${exit}${last === '' ? '' : `: ${last}`}`);
    }
    return { exit, stdout: hide(stdout), stderr: said };
  } finally {
    timer.removeEventListener('abort', stop);
  }
}

function begin({ words, env, cwd }: Program): ChildProcessByStdio<null, Readable, Readable> {
  const [name = '', ...rest] = words;
  const kept = inherited.flatMap((key) => {
    const value = process.env[key];
    return value === undefined ? [] : [[key, value]];
  });
  return spawn(name, rest, {
    cwd,
    env: { ...Object.fromEntries(kept), ...env },
    shell: false,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function ended(child: ReturnType<typeof begin>, name: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      const isMissing = 'code' in error && error.code === 'ENOENT';
      reject(
        new ProgramError(isMissing ? `there is no program ${name}` : `${name} cannot be started`),
      );
    });
    child.once('close', (code) => resolve(code ?? -1));
  });
}

/** What a stream brings; undefined when it was too much. */
async function textOf(stream: Readable, stop: () => void): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length <= printedMax) chunks.push(chunk);
    else stop();
  }
  return length > printedMax ? undefined : Buffer.concat(chunks).toString('utf8');
}
