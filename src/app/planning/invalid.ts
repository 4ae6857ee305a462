/** The error for an argument that cannot be used. */
import { DeskhandError, exits, type ErrorReason } from '../../base/error.ts';

/** The error for a playbook, its inputs or a scenario that cannot be used; nothing was sent. */
export class InvalidError extends DeskhandError {
  constructor(message: string, hint?: string, reasons?: readonly ErrorReason[]) {
    super(`${message}; nothing was sent`, {
      code: 'invalid',
      actor: 'author',
      exit: exits.invalid,
      ...(hint !== undefined && { hint }),
      ...(reasons && { reasons }),
    });
  }
}
