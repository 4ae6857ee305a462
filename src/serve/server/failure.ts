/** Errors as answers: a status, and the text that the page shows. */
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { DeskhandError, exits, UsageError } from '../../base/error.ts';

/** A request that is refused before its route handles it. */
export class Refusal extends Error {
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly hint: string | undefined;
  /** The headers of the answer to the refused request. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: ContentfulStatusCode,
    code: string,
    message: string,
    hint?: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.headers = headers;
  }
}

/** An error for an address that names something that does not exist. */
export class NotFoundError extends UsageError {}

export interface Failure {
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The text that is shown for an internal error. */
export const unexpected: Failure = {
  status: 500,
  code: 'internal',
  message: 'an unexpected error; the terminal of the server has it',
};

/**
 * The failure that is shown for an error; undefined for an internal error, which is logged and not
 * shown.
 */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof Refusal || error instanceof DeskhandError) {
    const { code, message, hint } = error;
    const status = error instanceof Refusal ? error.status : statusOf(error);
    if (status === 500) return undefined;
    const headers = error instanceof Refusal ? error.headers : {};
    return { status, code, message, ...(hint !== undefined && { hint }), headers };
  }
  return undefined;
}

function statusOf(error: DeskhandError): ContentfulStatusCode {
  if (error instanceof NotFoundError) return 404;
  if (error instanceof UsageError) return 400;
  if (error.actor === 'ours') return 500;
  if (error.exit === exits.credentials) return 401;
  return error.exit === exits.heldBack ? 409 : 422;
}
