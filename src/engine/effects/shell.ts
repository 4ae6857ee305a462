/** Runs a program of this machine from a list of words, without a shell, in a minimal environment. */
import { spawn, type ChildProcess } from 'node:child_process';
import process from 'node:process';
import type { Readable } from 'node:stream';
import type { Options, ProcessPromise } from 'zx/core';
import { minute, timerMax, type Millis } from '../../base/clock.ts';
import { DeskhandError, exits } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { endProcesses } from '../../base/platform/end-process.ts';
import { passedVariables } from '../../base/platform/environment.ts';
import { redactor, type Secret } from '../../base/secret.ts';

export interface Program {
  /** The program and its arguments, without a shell. */
  readonly words: readonly string[];
  /**
   * The source of PATH, HOME, LANG, TZ and of variables that Windows programs need; default: this
   * process's environment.
   */
  readonly inherited?: Readonly<Record<string, string | undefined>> | undefined;
  /** The program's environment in addition to the inherited variables. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly timeoutMs?: Millis;
  readonly signal: AbortSignal;
  /** Secrets that are masked in the program's output. */
  readonly secrets: readonly Secret[];
}

/** A program's exit and output. */
export interface Printed {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program could not be run, timed out, printed too much, or failed. */
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

const printedMax = 256 * 1024; // bytes per stream
const usualTimeout = minute;
const inheritedNames = ['PATH', 'HOME', 'LANG', 'TZ'] as const;

/** @throws ProgramError; also for an exit code other than 0 */
export async function runProgram(program: Program): Promise<Printed> {
  const { words, timeoutMs = usualTimeout, secrets } = program;
  const [name = ''] = words;
  if (words.some((word) => word.includes('\0'))) {
    throw new ProgramError(`${name}: an argument has a NUL character`);
  }
  const hide = redactor(secrets);
  const { running } = await begin(program);
  const timer = AbortSignal.any([
    program.signal,
    AbortSignal.timeout(Math.min(timeoutMs, timerMax)),
  ]);
  const stop = (): void => killAll(running.child);
  timer.addEventListener('abort', stop, { once: true });
  try {
    if (timer.aborted) stop();
    const isShort = [running.child?.stdout, running.child?.stderr].map((stream) =>
      withinLimit(stream, stop),
    );
    const { exitCode, cause, stdout, stderr } = await running;
    if (cause !== null) throw new ProgramError(reasonOf(cause, name));
    if (timer.aborted) throw new ProgramError(`${name} did not end within ${timeoutMs / 1000} s`);
    if (isShort.some((is) => !is())) {
      throw new ProgramError(`${name} printed more than ${printedMax / 1024} KiB`);
    }
    const said = hide(stderr);
    if (exitCode !== 0) {
      const last = said.trim().split('\n').at(-1) ?? '';
      throw new ProgramError(
        `${name} ended with ${exitCode ?? -1}${last === '' ? '' : `: ${last}`}`,
      );
    }
    return { exit: exitCode, stdout: hide(stdout), stderr: said };
  } finally {
    timer.removeEventListener('abort', stop);
  }
}

/** Starts a program and collects its output with zx; the command line that zx builds is never used. */
async function begin({
  words,
  env,
  cwd,
  inherited = process.env,
}: Program): Promise<{ readonly running: ProcessPromise }> {
  const { $ } = await import('zx/core');
  const options = {
    cwd,
    env: { ...passedVariables(inherited, inheritedNames), ...env },
    spawn: spawnOf(words),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // its own group, so that its child processes end with it
    nothrow: true,
    // Each of these could be set by ZX_… variables, or by code that loaded zx before.
    shell: true,
    quote: JSON.stringify,
    prefix: '',
    postfix: '',
    preferLocal: false,
    verbose: false,
    quiet: true,
    log: () => undefined,
  } satisfies Partial<Options>;
  return { running: $(options)`${words}` };
}

/** Starts the given words, whatever command line it gets, so no shell is involved. */
function spawnOf([name, ...rest]: readonly string[]): typeof spawn {
  return new Proxy(spawn, {
    apply: (start, self, [, , options]: readonly unknown[]): unknown =>
      Reflect.apply(start, self, [
        name,
        rest,
        { ...(isRecord(options) ? options : {}), shell: false, windowsHide: true },
      ]),
  });
}

/** Kills the program and its child processes; those that left its group are ignored. */
function killAll(child: ChildProcess | undefined): void {
  child?.stdout?.destroy();
  child?.stderr?.destroy();
  endProcesses(child);
}

function reasonOf(cause: Error, name: string): string {
  const isMissing = 'code' in cause && cause.code === 'ENOENT';
  if (/\.(?:bat|cmd)$/i.test(name)) return `${name} needs a shell; name the program it starts`;
  return isMissing ? `program not found: ${name}` : `${name} cannot be started`;
}

/**
 * Counts the bytes of a stream, and kills the program above the limit.
 * @returns whether it is within it
 */
function withinLimit(stream: Readable | null | undefined, stop: () => void): () => boolean {
  let length = 0;
  stream?.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > printedMax) stop();
  });
  return () => length <= printedMax;
}
