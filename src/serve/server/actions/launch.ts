/** Starts commands of deskhand as separate processes: a crash or a restart of the server does not
 * end them. Their output goes to files in the state folder.
 */
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { once } from 'node:events';
import { isRecord } from '../../../base/json.ts';
import { messageOf } from '../../../base/error.ts';
import { plainText } from '../../../base/text.ts';
import type { DeskPlace } from '../desk.ts';
import { createOutput, type OutputFile } from './output-file.ts';

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
  /** The signal that ended it. */
  readonly signal?: NodeJS.Signals;
  readonly out: string;
  readonly err: string;
}

/** The repository in which a command is started, and its flags. */
export type CommandPlace = Pick<DeskPlace, 'folder' | 'flags' | 'config'>;

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: {
    readonly cwd: string;
    readonly env: NodeJS.ProcessEnv;
    readonly windowsHide: true;
  };
}

/**
 * A command of this program, to be started. Its output is for the page: the format and level of the
 * server's own log do not apply to it.
 * @param words the command and its arguments
 */
export function commandOf(
  { command: [file, ...before], env }: Program,
  { folder, flags = [], config }: CommandPlace,
  words: readonly string[],
): Command {
  const hasState = env['DESKHAND_STATE_DIR'] !== undefined; // it may be relative to another folder
  return {
    file,
    args: [...before, '--no-input', '--no-color', ...flags, ...words],
    options: {
      cwd: folder,
      env: {
        ...env,
        ...(hasState && { DESKHAND_STATE_DIR: config.stateDir }),
        DESKHAND_LOG: undefined,
        DESKHAND_LOG_FORMAT: undefined,
      },
      windowsHide: true, // Windows opens a console otherwise
    },
  };
}

/**
 * @param words the command and its arguments
 * @param log path of the files of its output, without their endings
 */
export function launch(
  program: Program,
  place: CommandPlace,
  words: readonly string[],
  log: string,
): Launched {
  const out = createOutput(`${log}.out`);
  const err = createOutput(`${log}.err`);
  const { file, args, options } = commandOf(program, place, words);
  const child = spawn(file, args, {
    ...options,
    detached: true,
    stdio: ['ignore', out.descriptor, err.descriptor],
  });
  for (const { descriptor } of [out, err]) closeSync(descriptor);
  child.unref();
  const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const ended = exit.then(
    async ([code, signal]: [number | null, NodeJS.Signals | null]) => ({
      code: code ?? undefined,
      ...(signal !== null && { signal }),
      ...(await printedTo(out, err)),
    }),
    async (error: unknown) => {
      await printedTo(out, err);
      return { code: undefined, out: '', err: messageOf(error) };
    },
  );
  return { pid: child.pid ?? 0, ended };
}

async function printedTo(out: OutputFile, err: OutputFile): Promise<Pick<Ended, 'out' | 'err'>> {
  const [printed, said] = await Promise.all(
    [out, err].map((file) => file.read().catch((error: unknown) => messageOf(error))),
  );
  return { out: printed ?? '', err: said ?? '' };
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
