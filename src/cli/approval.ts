/** A person's word before anything is sent to a live account. */
import { createInterface } from 'node:readline/promises';
import { DeskhandError, exits } from '../base/error.ts';
import { plainText } from '../base/text.ts';
import { operationOf, type OperationName } from '../contract/operations/index.ts';
import type { Destination } from '../journal/entry.ts';
import type { Context } from './context.ts';
import { badge } from './screens/badge.ts';
import type { Terminal } from './terminal.ts';

/** Nobody approved; nothing was sent. */
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

/** What is to be sent: a plan, or the rest of a run. */
export interface ToApprove {
  readonly kind: 'plan' | 'run';
  readonly id: string;
  readonly destination: Destination;
}

/**
 * Approval by its id given beforehand, or by LIVE typed now. A sandbox needs none.
 * @throws ApprovalError
 */
export async function approve(
  { kind, id, destination }: ToApprove,
  approved: string | undefined,
  { terminal }: Context,
): Promise<void> {
  if (approved === id) return;
  if (approved !== undefined) {
    throw new ApprovalError(
      `--approve names ${approved}, and this ${kind} is ${id}`,
      'review it, then approve it',
    );
  }
  if (destination.target === 'sandbox') return;
  if (!terminal.canAsk) {
    throw new ApprovalError(
      `${kind} ${id} would send to the live account ${destination.profile}`,
      `review it, then add --approve ${id}`,
    );
  }
  await askLive(`${kind} ${id}`, destination, terminal);
}

/**
 * Approval of a single write by hand.
 * @throws ApprovalError
 */
export async function approveCall(
  operation: OperationName,
  destination: Destination,
  { terminal }: Context,
): Promise<void> {
  if (destination.target === 'sandbox' || operationOf(operation).effect === 'read') return;
  if (!terminal.canAsk) {
    throw new ApprovalError(
      `${operation} writes to the live account ${destination.profile}`,
      'run it at a terminal, or put it into a playbook and approve its plan',
    );
  }
  await askLive(operation, destination, terminal);
}

async function askLive(
  what: string,
  { profile, host }: Destination,
  { input, err }: Terminal,
): Promise<void> {
  err.line(
    `${badge('live', err.look)} ${what} goes to ${plainText(profile)} at ${plainText(host)}`,
  );
  const lines = createInterface({ input, terminal: false });
  err.write('Type LIVE to send it: ');
  try {
    for await (const line of lines) {
      if (line.trim() === 'LIVE') return;
      break;
    }
  } finally {
    lines.close();
  }
  throw new ApprovalError('it was not approved', 'run it again and type LIVE in capitals');
}
