/** Errors that say who must act: one base class, an exit code and a hint for each. */

/** Who can do something about an error; `ours` means a bug in deskhand itself. */
export type Actor = 'author' | 'reviewer' | 'operator' | 'exchange' | 'ours';

/**
 * Exit codes of the command line; scripts rely on them, so they never change meaning.
 * @see docs/commands.md
 */
export const exits = {
  done: 0,
  stopped: 1,
  usage: 2,
  invalid: 3,
  credentials: 4,
  heldBack: 5,
  inDoubt: 6,
  changes: 10,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof exits)[keyof typeof exits];

export interface ErrorDetails {
  /** Stable name, as in `deskhand explain NAME`. */
  readonly code: string;
  readonly actor: Actor;
  readonly exit: ExitCode;
  /** What to do, in one sentence. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/** An error meant for a person: the message says what happened, the hint what to do. */
export class DeskhandError extends Error {
  readonly code: string;
  readonly actor: Actor;
  readonly exit: ExitCode;
  readonly hint: string | undefined;

  constructor(message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.code = details.code;
    this.actor = details.actor;
    this.exit = details.exit;
    this.hint = details.hint;
  }
}

/** The command line was not understood; nothing was read or sent. */
export class UsageError extends DeskhandError {
  constructor(message: string, hint?: string) {
    super(message, { code: 'usage', actor: 'operator', exit: exits.usage, ...(hint && { hint }) });
  }
}

/** A configuration file, variable or secret is missing or wrong; nothing was sent. */
export class ConfigError extends DeskhandError {
  constructor(message: string, hint?: string) {
    super(message, {
      code: 'config',
      actor: 'operator',
      exit: exits.invalid,
      ...(hint && { hint }),
    });
  }
}

/** Something our own logic rules out has happened: stop rather than continue with a wrong idea. */
export class InternalError extends DeskhandError {
  constructor(message: string, cause?: unknown) {
    super(message, {
      code: 'internal',
      actor: 'ours',
      exit: exits.stopped,
      hint: 'this is a bug in deskhand; please report it with the lines above',
      cause,
    });
  }
}

/**
 * States what must be true by our own logic.
 * @throws InternalError when it is not.
 */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InternalError(message);
}

/** Whether the system, or a library, threw it under this code: `ENOENT`. */
export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** The message of anything that was thrown, for a person. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
