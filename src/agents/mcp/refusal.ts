/** The reason why a tool was refused: a code, what happened, where, and what to do. */
import { DeskhandError, exits } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import { describeError } from '../../app/running/describe.ts';

/** A failure as a tool returns it; the code is a topic of `explain`. */
export interface Failure {
  readonly code: string;
  readonly what: string;
  /** The location: an argument of the tool, or the output of the command. */
  readonly where?: string;
  readonly help: string;
}

/** The error for an argument of a tool that cannot be used. */
export class ArgumentError extends DeskhandError {
  readonly where: string;

  constructor(where: string, message: string, hint: string, code: 'usage' | 'path' = 'usage') {
    super(message, { code, actor: 'operator', exit: exits.usage, hint });
    this.where = where;
  }
}

/** The error for a call that took too long or returned too much, or for too many calls at once. */
export class ToolLimitError extends DeskhandError {
  constructor(message: string, hint: string) {
    super(message, { code: 'tool-limit', actor: 'operator', exit: exits.stopped, hint });
  }
}

/** The error when the configuration is not the one that the server was started with. */
export class ConfigChangedError extends DeskhandError {
  constructor(message: string) {
    super(message, {
      code: 'config-changed',
      actor: 'operator',
      exit: exits.heldBack,
      hint: 'a person must read the change, then start `deskhand mcp` again',
    });
  }
}

/** The error of a command that a tool started and that refused its work. */
export class CommandError extends DeskhandError {
  /** The output of the command for people. */
  readonly printed: string;

  constructor(
    message: string,
    {
      code,
      hint,
      printed,
    }: { readonly code: string; readonly hint?: string; readonly printed: string },
  ) {
    super(message, { code, actor: 'operator', exit: exits.stopped, ...(hint && { hint }) });
    this.printed = printed;
  }
}

const whatMax = 2_000; // characters

/** Any error as a failure, without control characters. */
export function failureOf(error: unknown): Failure {
  const { code, message, hint } = describeError(error);
  const where =
    error instanceof ArgumentError
      ? error.where
      : error instanceof CommandError && error.printed !== ''
        ? error.printed
        : undefined;
  return {
    code,
    what: plainText(message, whatMax),
    ...(where !== undefined && { where }),
    help: plainText(hint ?? `call explain with topic ${code}`, whatMax),
  };
}
