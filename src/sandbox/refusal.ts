/** A refusal by the exchange: a code of the error table, a message, and an HTTP status. */
import { errorTable } from '../exchange/api/errors.ts';

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: string;
  readonly status: number;

  /** Creates a refusal. @param status the HTTP status, if it is not the default of the code */
  constructor(code: string, detail?: string, status: number = statusOf(code)) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0; // an expected response: no stack trace is needed
    super(messageOf(errorTable.get(code)?.meaning ?? 'Refused', detail));
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.status = status;
  }
}

/** The message of a refusal; one that is passed on already has its message. */
function messageOf(meaning: string, detail: string | undefined): string {
  if (detail === undefined) return meaning;
  return detail.startsWith(meaning) ? detail : `${meaning}: ${detail}`;
}

/**
 * The HTTP status of a code: 429 for a rate limit, 404 and 405 for the route, 400 for all others.
 */
function statusOf(code: string): number {
  switch (code) {
    case '429':
      return 429;
    case '40404':
      return 404;
    case '40405':
      return 405;
    default:
      return 400;
  }
}
