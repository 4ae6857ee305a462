/** Starts commands of deskhand as separate processes: a crash or a restart of the server does not
 * end them. Their output goes to files in the state folder.
 */
import { spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { once } from 'node:events';
import { readRegular } from '../../base/read-file.ts';
import { isRecord } from '../../base/json.ts';
import { messageOf } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import type { DeskPlace } from '../desk.ts';

/** How this program is started again. */
export interface Program {
  /** The executable and what precedes the command: flags of Node, and the script. */
  readonly command: readonly [string, ...string[]];
  /** The environment of the server: secrets are passed there, and never as arguments. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Launched {
  readonly pid: number;
  /** Resolves when it has ended, or could not be started. */
  readonly ended: Promise<Ended>;
}

export interface Ended {
  /** The exit code; undefined if a signal ended it, or it could not be started. */
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
}

/**
 * @param words the command and its arguments
 * @param log path of the files of its output, without their endings
 */
export function launch(
  { command, env }: Program,
  { folder, flags = [], config }: Pick<DeskPlace, 'folder' | 'flags' | 'config'>,
  words: readonly string[],
  log: string,
): Launched {
  const [file, ...before] = command;
  const out = created(`${log}.out`);
  const err = created(`${log}.err`);
  const hasState = env['DESKHAND_STATE_DIR'] !== undefined; // it may be relative to another folder
  const child = spawn(file, [...before, '--no-input', '--no-color', ...flags, ...words], {
    cwd: folder,
    env: { ...env, ...(hasState && { DESKHAND_STATE_DIR: config.stateDir }) },
    detached: true,
    stdio: ['ignore', out, err],
  });
  for (const descriptor of [out, err]) closeSync(descriptor);
  child.unref();
  const ended = once(child, 'exit').then(
    async ([code]: unknown[]) => ({
      code: typeof code === 'number' ? code : undefined,
      out: await lastOf(`${log}.out`),
      err: await lastOf(`${log}.err`),
    }),
    (error: unknown) => ({ code: undefined, out: '', err: messageOf(error) }),
  );
  return { pid: child.pid ?? 0, ended };
}

function created(path: string): number {
  const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  return openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
}

const readMax = 32 * 1024 * 1024; // bytes; the result of a large run has a few

async function lastOf(path: string): Promise<string> {
  try {
    return (await readRegular(path, readMax)).toString('utf8');
  } catch (error) {
    return messageOf(error);
  }
}

/** What a command with `-o json` printed; undefined if it is not one object. */
export function printedIn({ out }: Ended): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(out);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const linesMax = 200;

/** Lines of an output, for people. */
export function linesIn(text: string): readonly string[] {
  const lines = text.trimEnd().split('\n').slice(0, linesMax);
  return text.trim() === '' ? [] : lines.map((line) => plainText(line, 400));
}
