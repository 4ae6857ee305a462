/** Errors for an embedding program: the codes of the command line, and no secret in any text. */
import { DeskhandError, exits, type ErrorReason } from '../../base/error.ts';
import { redactor, type Secret } from '../../base/secret.ts';
import type { AppContext } from '../app-context.ts';
import { describeError } from '../running/describe.ts';
import { libraryWords } from './hints.ts';
import { checkOptions, type CheckedFunction } from './check-options.ts';
import { contextOf } from './surroundings.ts';
import type { AccountOptions } from './options.ts';

/**
 * A new error with masked texts and the stack of the original. The causes of the original are omitted,
 * because they may contain secrets.
 */
export function safeError(error: unknown, { secrets }: Pick<AppContext, 'secrets'>): DeskhandError {
  const redact = redactor(secrets);
  const { code, message, hint, exit, actor, reasons } = describeError(error);
  const told = (text: string): string => libraryWords(redact(text));
  const safe = new DeskhandError(told(message), {
    code,
    actor,
    exit: exit === exits.terminated ? exits.interrupted : exit, // no signal of the system
    ...(hint !== undefined && { hint: told(hint) }),
    ...(reasons && { reasons: reasons.map((reason) => maskedReason(reason, told)) }),
  });
  const stack = error instanceof Error ? error.stack : undefined;
  if (stack !== undefined) safe.stack = redact(stack);
  return safe;
}

/** A reason with masked texts. */
export function maskedReason(reason: ErrorReason, redact: (text: string) => string): ErrorReason {
  const { message, hint } = reason;
  return {
    ...reason,
    message: redact(message),
    ...(hint !== undefined && { hint: redact(hint) }),
  };
}

/**
 * Does work that has no events, such as planning.
 * @throws DeskhandError with masked texts
 */
export async function safely<T>(
  name: CheckedFunction,
  options: AccountOptions,
  work: (context: AppContext) => Promise<T>,
): Promise<T> {
  const secrets: Secret[] = [];
  try {
    checkOptions(name, options);
    return await work(contextOf(options, secrets, () => undefined));
  } catch (error) {
    throw safeError(error, { secrets });
  }
}
