/** Starts commands of this program as processes: some outlive this one, others are ended individually. */
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { closeSync } from 'node:fs';
import { once } from 'node:events';
import { alarm, second, type Millis } from '../../base/clock.ts';
import { messageOf } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import type { Environment } from '../config/secrets.ts';
import type { AppChoices } from '../app-context.ts';
import { createOutput } from './output-file.ts';
import type { OwnProgram } from './own-program.ts';

export interface OwnCommand {
  /** The command and its arguments. */
  readonly words: readonly string[];
  /** The folder in which the command works. */
  readonly folder: string;
  /** The choices made for this process, which also apply to the processes it starts. */
  readonly choices: AppChoices;
  /**
   * The state folder, if the folder of the command does not lead to it: a variable may name it relative to
   * another one.
   */
  readonly stateDir?: string;
}

/** How long the process lives, and where its output goes. */
export type Purpose =
  /** The process outlives this one, and writes to two files: their path without their endings. */
  | { readonly kind: 'outlives'; readonly log: string }
  /** The process is ended with its answer, or by the signal; its output is read here. */
  | { readonly kind: 'answers'; readonly input?: string; readonly signal: AbortSignal };

export interface Started {
  /** The id of the process; 0 if it could not be started. */
  readonly pid: number;
  /** Resolves when the process has ended, or could not be started. */
  readonly ended: Promise<Ended>;
}

export interface Ended {
  /** The exit code of the process; undefined if a signal ended it, or it could not be started. */
  readonly code: number | undefined;
  /** The signal that ended the process. */
  readonly signal?: NodeJS.Signals;
  readonly out: string;
  readonly err: string;
  /** Whether the process was ended because it printed more than is read here. */
  readonly isCut?: true;
}

/** Starts a command as a process. It has no terminal: nobody answers its questions. */
export function startProcess(program: OwnProgram, command: OwnCommand, purpose: Purpose): Started {
  return purpose.kind === 'outlives'
    ? outliving(program, command, purpose.log)
    : answering(program, command, purpose);
}

/** The object that a command with `-o json` printed; undefined if it printed anything else. */
export function printedIn({ out }: Ended): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(out);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function outliving(program: OwnProgram, command: OwnCommand, log: string): Started {
  const files = [createOutput(`${log}.out`), createOutput(`${log}.err`)] as const;
  const stdio = ['ignore', files[0].descriptor, files[1].descriptor] as const;
  const child = started(program, command, { kind: 'outlives', stdio: [...stdio] });
  for (const { descriptor } of files) closeSync(descriptor);
  child.unref();
  const ended = (async () => {
    const end = await endOf(child, 'exit');
    const [out = '', err = ''] = await Promise.all(
      files.map((file) => file.read().catch((error: unknown) => messageOf(error))),
    );
    return end instanceof Error ? unstarted(end) : { ...end, out, err };
  })();
  return { pid: child.pid ?? 0, ended };
}

const outMax = 64 * 1024 * 1024; // bytes; a plan of 10,000 orders has 12 MB
const errMax = 64 * 1024;
const patience: Millis = 3 * second; // then it is killed; nothing it does needs to be completed

function answering(
  program: OwnProgram,
  command: OwnCommand,
  { input = '', signal }: Extract<Purpose, { readonly kind: 'answers' }>,
): Started {
  const child = started(program, command, { kind: 'answers', stdio: 'pipe' });
  child.stdin?.on('error', () => undefined); // it may end without reading
  child.stdin?.end(input);
  const [out, err] = [collected(child.stdout, outMax), collected(child.stderr, errMax)];
  let cancel = (): void => undefined;
  const end = (): void => {
    child.kill();
    cancel = alarm(patience, () => child.kill('SIGKILL'));
  };
  child.stdout?.on('data', () => out.isFull() && !child.killed && end());
  const ended = (async () => {
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    const last = await endOf(child, 'close');
    cancel();
    signal.removeEventListener('abort', end);
    if (last instanceof Error) return unstarted(last);
    const texts = { out: out.text(), err: err.text() };
    return { ...last, ...texts, ...(out.isFull() && { isCut: true as const }) };
  })();
  return { pid: child.pid ?? 0, ended };
}

function started(
  { command: [file, ...before], env }: OwnProgram,
  { words, folder: cwd, choices, stateDir }: OwnCommand,
  { kind, stdio }: { readonly kind: Purpose['kind']; readonly stdio: StdioOptions },
): ChildProcess {
  const args = [...before, '--no-input', '--no-color', ...flagsOf(choices), ...words];
  return spawn(file, args, {
    cwd,
    env: environmentOf(kind, env, stateDir),
    stdio,
    detached: kind === 'outlives',
    windowsHide: true, // Windows opens a console otherwise
  });
}

/**
 * The environment of this process with three differences. The format and the level of its log do not apply to
 * other processes. A state folder is named so that it is the same one in any folder. And an answer is not for
 * a pipeline: its variables would change what is printed, and name files to write to.
 */
function environmentOf(
  kind: Purpose['kind'],
  env: Environment,
  stateDir: string | undefined,
): Environment {
  const isSilent = kind === 'answers' ? /^(?:GITHUB_|GITLAB_|CI$|DESKHAND_LOG)/ : /^DESKHAND_LOG/;
  const passed = Object.entries(env).filter(([name]) => !isSilent.test(name));
  const hasState = env['DESKHAND_STATE_DIR'] !== undefined && stateDir !== undefined;
  return { ...Object.fromEntries(passed), ...(hasState && { DESKHAND_STATE_DIR: stateDir }) };
}

function flagsOf({ config, profile, store }: AppChoices): readonly string[] {
  return [
    ...(config === undefined ? [] : ['--config', config]),
    ...(profile === undefined ? [] : ['--profile', profile]),
    ...(store === undefined ? [] : ['--store', store]),
  ];
}

/** @returns the error if it could not be started */
async function endOf(
  child: ChildProcess,
  event: 'exit' | 'close',
): Promise<Pick<Ended, 'code' | 'signal'> | Error> {
  try {
    const end = (await once(child, event)) as [number | null, NodeJS.Signals | null];
    const [code, signal] = end;
    return { code: code ?? undefined, ...(signal !== null && { signal }) };
  } catch (error) {
    return error instanceof Error ? error : new Error(messageOf(error));
  }
}

function unstarted(error: Error): Ended {
  return { code: undefined, out: '', err: messageOf(error) };
}

interface Collected {
  isFull(): boolean;
  text(): string;
}

function collected(stream: NodeJS.ReadableStream | null, most: number): Collected {
  const chunks: Buffer[] = [];
  let size = 0;
  stream?.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= most) chunks.push(chunk);
  });
  return { isFull: () => size > most, text: () => Buffer.concat(chunks).toString('utf8') };
}
