/** Why a tool was refused: a code, what happened, where, and what to do. */
import { DeskhandError, exits } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import { describeError } from '../../app/running/describe.ts';

/** As a tool returns it; the code is a topic of `explain`. */
export interface Failure {
  readonly code: string;
  readonly what: string;
  /** The argument of the tool, or the output of the command. */
  readonly where?: string;
  readonly help: string;
}

/** An argument of a tool cannot be used. */
export class ArgumentError extends DeskhandError {
  readonly where: string;

  constructor(where: string, message: string, hint: string, code: 'usage' | 'path' = 'usage') {
    super(message, { code, actor: 'operator', exit: exits.usage, hint });
    this.where = where;
  }
}

/** A call took too long, returned too much, or there were too many at once. */
export class ToolLimitError extends DeskhandError {
  constructor(message: string, hint: string) {
    super(message, { code: 'tool-limit', actor: 'operator', exit: exits.stopped, hint });
  }
}

/** The configuration is not the one that the server was started with. */
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

/** A command that a tool started refused its work. */
export class CommandError extends DeskhandError {
  /** What it printed for people. */
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

/** Any error, without control characters. */
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
