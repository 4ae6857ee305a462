/** What every command receives: the terminal, the global flags, clocks, and its arguments. */
import type { Clock } from '../base/clock.ts';
import { UsageError, type ExitCode } from '../base/error.ts';
import type { Secret } from '../base/secret.ts';
import { listed, nearWord } from '../base/text.ts';
import type { Reach } from '../config/session.ts';
import type { SharedPaces } from '../state-store/shared/shared-paces.ts';
import type { StateStore } from '../state-store/store.ts';
import type { TraceExporter } from '../telemetry/exporter.ts';
import type { Terminal } from './screens/terminal.ts';

export interface Context {
  readonly terminal: Terminal;
  readonly globals: Globals;
  readonly clock: Clock;
  /** Secrets seen so far; error texts are masked with them. */
  readonly secrets: Secret[];
  /** Opens the transport to an exchange; default: HTTP. */
  readonly reach?: Reach;
  /** Aborted to stop the command in order; default: by signals. */
  readonly stop?: AbortSignal;
  /** Whether another machine may have sent requests of its accounts until now. */
  readonly startsFull?: true;
  /** The shared state of the project, opened once for many commands; default: for each. */
  readonly store?: StateStore;
  /** Sends traces of runs; absent unless the environment names a collector. */
  readonly traces?: TraceExporter;
  /** Rate limits that machines share, opened once for many commands; default: for each. */
  readonly paces?: SharedPaces;
  /** Folders named by `--dir`, for a command that takes several. */
  readonly dirs?: readonly string[];
  /** Whether this process executes queued runs: nobody is at its machine. */
  readonly isWorker?: true;
  /** A folder with more signed records about its plan. */
  readonly records?: string;
}

export interface Globals {
  readonly profile?: string;
  readonly config?: string;
  /** Address of the state store; default: as configured. */
  readonly store?: string;
  readonly output?: string;
  readonly jsonInto?: string;
  readonly isQuiet: boolean;
  readonly isVerbose: boolean;
  readonly logLevel: LogLevel;
}

export const logFormats = ['text', 'json'] as const;

export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Arguments and flags of one command, as typed by a person. */
export interface Args {
  /** Arguments in order; missing optional ones are absent at the end. */
  readonly positionals: readonly string[];
  text(flag: string): string | undefined;
  /** Values of a flag that may be repeated. */
  texts(flag: string): readonly string[];
  isOn(flag: string): boolean;
}

/** What each command module exports. */
export type Run = (context: Context, args: Args) => Promise<ExitCode>;

/** The output format of a command. @throws UsageError when the command does not have it */
export function outputOf<F extends string>(context: Context, formats: readonly [F, ...F[]]): F {
  const asked = context.globals.output;
  if (asked === undefined) return formats[0];
  return oneOf(asked, formats, '--output');
}

/** A value of a closed set. @throws UsageError with a suggestion */
export function oneOf<W extends string>(word: string, allowed: readonly W[], flag: string): W {
  const found = allowed.find((candidate) => candidate === word);
  if (found !== undefined) return found;
  const near = nearWord(word, allowed);
  throw new UsageError(
    `${flag} is ${listed(allowed, 'or')}, not ${JSON.stringify(word)}`,
    near && `did you mean ${near}?`,
  );
}
