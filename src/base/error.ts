/** Errors that name who can fix them: one base class, with an exit code and a hint. */

/** Who can fix an error; `ours` means a bug in deskhand. */
export type Actor = 'author' | 'reviewer' | 'operator' | 'exchange' | 'ours';

/**
 * Exit codes of the command line; scripts depend on them, so their meaning never changes.
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

/** One of several reasons of an error. */
export interface ErrorReason {
  readonly message: string;
  readonly hint?: string;
  /** The id of the rule: `PB203`. */
  readonly code?: string;
  readonly level?: 'error' | 'warning';
  /** The file that the reason is about, as a path; `line` and `column` start at 1. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

export interface ErrorDetails {
  /** Stable name, as in `deskhand explain NAME`. */
  readonly code: string;
  readonly actor: Actor;
  readonly exit: ExitCode;
  /** The remedy for the error, in one sentence. */
  readonly hint?: string;
  /** The reasons of an error that counts several. */
  readonly reasons?: readonly ErrorReason[];
  readonly cause?: unknown;
}

/** An error for a person: the message says what happened, the hint what to do. */
export class DeskhandError extends Error {
  readonly code: string;
  readonly actor: Actor;
  readonly exit: ExitCode;
  readonly hint: string | undefined;
  readonly reasons: readonly ErrorReason[] | undefined;

  constructor(message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.code = details.code;
    this.actor = details.actor;
    this.exit = details.exit;
    this.hint = details.hint;
    this.reasons = details.reasons;
  }
}

/** The command line is not valid; nothing was read or sent. */
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

/** A state that our own logic excludes: stop instead of continuing with wrong data. */
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

/** Asserts a condition of our own logic. @throws InternalError when it is false. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InternalError(message);
}

/** Whether an error of the system or a library has this code: `ENOENT`. */
export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** The message of any thrown value, for a person. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The messages of Node for a certificate whose authority it does not know. */
const untrusted =
  /^(?:self-signed certificate|unable to verify the first certificate|unable to get (?:local )?issuer certificate)/;

/**
 * The message of a connection's error; an error of TLS has only its reason, without places in the
 * sources of OpenSSL.
 */
export function networkMessageOf(error: unknown): string {
  const message = messageOf(error);
  const [problem] = untrusted.exec(message) ?? []; // from Node 24 on, advice follows
  if (problem !== undefined) {
    return `${problem}: if an authority of your own signed it, NODE_EXTRA_CA_CERTS must name its certificate file`;
  }
  const reason = /:SSL routines:[^:]*:([^:]+)/.exec(message)?.[1];
  return reason === undefined ? message : `TLS failed: ${reason.trim()}`;
}
