/** The error for keys and other secrets. */
import { DeskhandError, exits } from '../../base/error.ts';

/** A key is missing or not stored safely; nothing was sent. */
export class CredentialError extends DeskhandError {
  constructor(message: string, hint: string, cause?: unknown) {
    super(message, {
      code: 'credentials',
      actor: 'operator',
      exit: exits.credentials,
      hint,
      cause,
    });
  }
}
