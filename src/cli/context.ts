/** The environment of every command: the terminal, the global flags, clocks, and its arguments. */
import { UsageError, type ExitCode } from '../base/error.ts';
import { listed, nearWord } from '../base/text.ts';
import type { AppChoices, AppContext } from '../app/app-context.ts';
import { printNote } from './screens/notes.ts';
import type { Terminal } from '../report/terminal/terminal.ts';

export interface Context extends AppContext {
  readonly terminal: Terminal;
  readonly globals: Globals;
  /** Folders named by `--dir`, for a command that takes several. */
  readonly dirs?: readonly string[];
}

export interface Globals extends AppChoices {
  readonly output?: string;
  readonly jsonInto?: string;
  readonly isQuiet: boolean;
  readonly isVerbose: boolean;
  readonly logLevel: LogLevel;
}

/** A context with another terminal. */
export function onTerminal<C extends Pick<Context, 'globals' | 'secrets'>>(
  context: C,
  terminal: Terminal,
): C & Pick<Context, 'terminal' | 'env' | 'note' | 'canAsk'> {
  return {
    ...context,
    terminal,
    env: terminal.env,
    note: (note) => printNote(note, terminal, { ...context.globals, secrets: context.secrets }),
    canAsk: () => terminal.canAsk,
  };
}

export const logFormats = ['text', 'json'] as const;

export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Arguments and flags of one command, as typed by a person. */
export interface Args {
  /** The arguments in order; missing optional ones are absent at the end. */
  readonly positionals: readonly string[];
  text(flag: string): string | undefined;
  /** The values of a flag that may be repeated. */
  texts(flag: string): readonly string[];
  isOn(flag: string): boolean;
}

/** The function that each command module exports. */
export type Run = (context: Context, args: Args) => Promise<ExitCode>;

/** The output format of a command. @throws UsageError when the command does not have it */
export function outputOf<F extends string>(context: Context, formats: readonly [F, ...F[]]): F {
  const asked = context.globals.output;
  if (asked === undefined) return formats[0];
  return oneOf(asked, formats, '--output');
}

/** Checks a word against a closed set. @throws UsageError with a suggestion */
export function oneOf<W extends string>(word: string, allowed: readonly W[], flag: string): W {
  const found = allowed.find((candidate) => candidate === word);
  if (found !== undefined) return found;
  const near = nearWord(word, allowed);
  throw new UsageError(
    `${flag} is ${listed(allowed, 'or')}, not ${JSON.stringify(word)}`,
    near && `did you mean ${near}?`,
  );
}
