/** Errors of plans and runs that are not approved. */
import { DeskhandError, exits } from '../../base/error.ts';

/** The plan was not approved; nothing was sent. */
export class ApprovalError extends DeskhandError {
  constructor(message: string, hint: string) {
    super(`${message}; nothing was sent`, {
      code: 'approval',
      actor: 'reviewer',
      exit: exits.heldBack,
      hint,
    });
  }
}

/** The error if nobody declined and more approvals would let the plan run. */
export class MissingApprovalError extends ApprovalError {}

/** The record of a run leads to other writes than its approved plan, or than its reads made again. */
export class RecordError extends ApprovalError {}
