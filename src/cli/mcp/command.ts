/** Starts commands that only read, as separate processes: they can be ended, and what they print is data. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { alarm, deadline, second, type Millis } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import { escapeControls } from '../../base/text.ts';
import { CommandError, ToolLimitError } from './failure.ts';

/** All that a tool can start. None of these writes on the exchange, approves, or settles a doubt. */
export const readingCommands = ['validate', 'plan', 'runs list', 'runs show'] as const;
export type ReadingCommand = (typeof readingCommands)[number];

export interface Starting {
  /** The executable and what precedes the command. */
  readonly program: readonly [string, ...string[]];
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Global flags of the server that apply to its commands. */
  readonly flags: readonly string[];
}

export interface Reading {
  /** Flags, each with its value in one word: `--only=open`. */
  readonly flags?: readonly string[];
  readonly positionals?: readonly string[];
  readonly input?: string;
  readonly longest: Millis;
}

export type Printed = Readonly<Record<string, unknown>>;

/**
 * The JSON that a command prints.
 * @throws CommandError for the error it prints instead; ToolLimitError if it takes too long or
 * prints too much; the reason of the signal
 */
export async function readWith(
  command: ReadingCommand,
  { flags = [], positionals = [], input = '', longest }: Reading,
  start: Starting,
  signal: AbortSignal,
): Promise<Printed> {
  const words = [
    ...command.split(' '),
    ...start.flags,
    '--output=json',
    '--no-input',
    '--no-color',
    ...flags,
    '--',
    ...positionals,
  ];
  const late = new ToolLimitError(
    `${command} did not end within ${longest / second} seconds`,
    'ask for less, or run the command in a terminal',
  );
  const limit = deadline(longest, () => late, signal);
  try {
    const { out, err } = await outputOf(words, input, start, limit.signal);
    const value = parsed(out);
    const refusal = value?.['error'];
    if (value !== undefined && !isRecord(refusal)) return value;
    throw refusedBy(command, isRecord(refusal) ? refusal : {}, err);
  } finally {
    limit.cancel();
  }
}

const outMax = 64 * 1024 * 1024; // bytes; a plan of 10,000 orders has 12 MB
const errMax = 64 * 1024;
const patience: Millis = 3 * second; // then it is killed; nothing it does needs to be completed

async function outputOf(
  words: readonly string[],
  input: string,
  { program: [file, ...before], folder, env }: Starting,
  signal: AbortSignal,
): Promise<{ readonly out: string; readonly err: string }> {
  signal.throwIfAborted();
  const child = spawn(file, [...before, ...words], {
    cwd: folder,
    env: quietEnv(env),
    stdio: 'pipe',
    windowsHide: true,
  });
  const closed = once(child, 'close'); // rejects if it could not be started
  child.stdin.on('error', () => undefined); // it may end without reading
  child.stdin.end(input);
  const controller = new AbortController();
  const both = AbortSignal.any([signal, controller.signal]);
  const tooMuch = (): void =>
    controller.abort(
      new ToolLimitError('the command printed too much', 'ask for less, or run it in a terminal'),
    );
  const [out, err] = [collected(child.stdout, outMax), collected(child.stderr, errMax)];
  child.stdout.on('data', () => out.isFull && tooMuch());
  let cancel = (): void => undefined;
  const end = (): void => {
    child.kill();
    cancel = alarm(patience, () => child.kill('SIGKILL'));
  };
  both.addEventListener('abort', end, { once: true });
  try {
    await closed;
  } finally {
    cancel();
    both.removeEventListener('abort', end);
  }
  both.throwIfAborted();
  return { out: out.text(), err: err.text() };
}

interface Collected {
  readonly isFull: boolean;
  text(): string;
}

function collected(stream: NodeJS.ReadableStream, most: number): Collected {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= most) chunks.push(chunk);
  });
  return {
    get isFull() {
      return size > most;
    },
    text: () => Buffer.concat(chunks).toString('utf8'),
  };
}

/** A pipeline's variables change what is printed, and name files to write to. */
function quietEnv(env: Starting['env']): Starting['env'] {
  const isPlain = (name: string): boolean => !/^(?:GITHUB_|GITLAB_|CI$|DESKHAND_LOG)/.test(name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => isPlain(name)));
}

function parsed(text: string): Printed | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const printedMax = 8_000; // characters

function refusedBy(command: string, error: Printed, err: string): CommandError {
  const { code, message, hint } = error;
  // Without code frames, which quote a file: it may have changed after it was checked.
  const [unquoted = ''] = err.split('──▶');
  const lines = unquoted.split('\n').filter((line) => !/^(?:error\[| {2}help )/.test(line));
  return new CommandError(
    typeof message === 'string' ? message : `${command} ended without a result`,
    {
      code: typeof code === 'string' ? code : 'internal',
      ...(typeof hint === 'string' && { hint }),
      printed: lines.map(escapeControls).join('\n').trim().slice(0, printedMax),
    },
  );
}
