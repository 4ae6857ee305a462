/** Starts commands that only read, as separate processes: they can be ended, and their output is data. */
import { deadline, second, type Millis } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import { escapeControls } from '../../base/text.ts';
import type { AppChoices } from '../../app/app-context.ts';
import type { OwnProgram } from '../../app/machine/own-program.ts';
import { printedIn, startProcess, type Ended } from '../../app/machine/start-process.ts';
import { CommandError, ToolLimitError } from './refusal.ts';

/**
 * All commands that a tool can start. None of these writes on the exchange, approves, or settles a
 * doubt.
 */
export const readingCommands = ['validate', 'plan', 'runs list', 'runs show', 'runs diff'] as const;
export type ReadingCommand = (typeof readingCommands)[number];

export interface Starting {
  readonly program: OwnProgram;
  readonly folder: string;
  /** The choices made for the server, which also apply to its commands. */
  readonly choices: AppChoices;
}

export interface Reading {
  /** The flags, each with its value in one word: `--only=open`. */
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
  const words = [...command.split(' '), '--output=json', ...flags, '--', ...positionals];
  const late = new ToolLimitError(
    `${command} did not end within ${longest / second} seconds`,
    'ask for less, or run the command in a terminal',
  );
  const limit = deadline(longest, () => late, signal);
  try {
    const ended = await endOf(words, input, start, limit.signal);
    const value = printedIn(ended);
    const refusal = value?.['error'];
    if (value !== undefined && !isRecord(refusal)) return value;
    throw refusedBy(command, isRecord(refusal) ? refusal : {}, ended.err);
  } finally {
    limit.cancel();
  }
}

async function endOf(
  words: readonly string[],
  input: string,
  { program, folder, choices }: Starting,
  signal: AbortSignal,
): Promise<Ended> {
  signal.throwIfAborted();
  const purpose = { kind: 'answers', input, signal } as const;
  const ended = await startProcess(program, { words, folder, choices }, purpose).ended;
  signal.throwIfAborted();
  if (ended.isCut !== true) return ended;
  throw new ToolLimitError('the command printed too much', 'ask for less, or run it in a terminal');
}

const printedMax = 8_000; // characters

function refusedBy(command: string, error: Printed, err: string): CommandError {
  const { code, message, hint } = error;
  // The message is passed on without code frames: they quote a file, which may have changed after it was
  // checked.
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
