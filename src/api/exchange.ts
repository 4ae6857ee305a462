/** Where the two halves of the product meet: calls above, transports below, errors between. */
import type { Millis } from '../base/clock.ts';
import { DeskhandError, exits } from '../base/error.ts';
import { classOf, errorTable, type ErrorClass } from './errors.ts';
import type { Input, OperationName, Output } from './operations/index.ts';

/** The exchange as the runner knows it. The client is one; nothing else has to be. */
export interface Exchange {
  /**
   * One operation: checked, paced, signed, sent, checked again.
   * @throws InputError nothing was sent: the input breaks the API
   * @throws RefusedError the exchange said no, for certain
   * @throws UnavailableError nothing was executed, and trying again did not help
   * @throws DoubtError a write may or may not have happened
   * @throws AnswerError a read was answered against the API
   */
  call<N extends OperationName>(
    name: N,
    input: Input<N>,
    options?: CallOptions,
  ): Promise<Output<N>>;
  /** The exchange's own clock now, learned from its answers; asks it when nothing is known yet. */
  serverTime(signal?: AbortSignal): Promise<Millis>;
  /** The same by the last answer alone: no write depends on it. Undefined before any answer. */
  latestTime?(): Millis | undefined;
  /** Watches what the answers from now on say of the exchange's clock, until `end` is called. */
  watchTime(): TimeWatch;
}

/**
 * The exchange's clock by the answer that puts it furthest back: while one answer of a watch tells
 * the truth, no other can make this later than it is.
 */
export interface TimeWatch {
  /** The exchange's clock at a moment of the monotonic one; undefined before any answer. */
  earliest(moment: Millis): Millis | undefined;
  /** By how much two answers contradict each other about the time; 0 while all agree. */
  dispute(): Millis;
  end(): void;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Whole time for this call with all its attempts; the client's default otherwise. */
  readonly timeoutMs?: Millis;
  /** Maximum number of attempts, including the first. */
  readonly attempts?: number;
  /**
   * A write may be sent again after an answer that says it was not executed: a rate limit, a
   * refused timestamp. Left out, such an answer leaves it in doubt.
   */
  readonly resend?: boolean;
  /**
   * Awaited before every attempt's first byte, with the time its signature carries. A writer
   * makes its intent durable here; when it throws, nothing is sent.
   */
  readonly beforeSend?: (sending: Sending) => Promise<void>;
  readonly onEvent?: (event: CallEvent) => void;
}

/** One attempt about to leave. */
export interface Sending {
  readonly operation: OperationName;
  /** From 1; grows with every attempt of one call. */
  readonly attempt: number;
  /** The signed timestamp: the exchange refuses this request 30 s after it. */
  readonly signedAt: Millis;
}

/** What happens around a call, for screens and traces. Never carries a header or a body. */
export type CallEvent =
  | { readonly kind: 'waiting'; readonly operation: OperationName; readonly ms: Millis }
  | { readonly kind: 'sent'; readonly operation: OperationName; readonly attempt: number }
  | {
      readonly kind: 'answered';
      readonly operation: OperationName;
      readonly attempt: number;
      readonly ms: Millis;
      readonly status: number;
      readonly code: string;
    }
  | {
      readonly kind: 'retrying';
      readonly operation: OperationName;
      readonly attempt: number;
      readonly inMs: Millis;
      readonly because: string;
    };

/** A request as it goes over the wire; `query` has no question mark, `body` is '' for a GET. */
export interface WireRequest {
  readonly operation: OperationName;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface WireResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * Carries one request and brings its answer.
 * @throws TransportError when there is no whole answer
 */
export type Transport = (request: WireRequest, signal: AbortSignal) => Promise<WireResponse>;

/** No whole answer came. `sent: 'no'` only when no byte can have left this machine. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly sent: 'no' | 'maybe';

  constructor(message: string, sent: 'no' | 'maybe', cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.sent = sent;
  }
}

/** The input breaks the API; nothing was sent. */
export class InputError extends DeskhandError {
  readonly problems: readonly InputProblem[];

  constructor(operation: OperationName, problems: readonly InputProblem[]) {
    super(`${operation}: ${problems.map((problem) => problem.message).join('; ')}`, {
      code: 'input',
      actor: 'author',
      exit: exits.invalid,
      hint: `see \`deskhand explain ${operation}\`; nothing was sent`,
    });
    this.problems = problems;
  }
}

/** One thing wrong with an input; `path` names the field, [] the input itself. */
export interface InputProblem {
  readonly path: readonly (string | number)[];
  readonly keyword: 'type' | 'required' | 'enum' | 'format' | 'range' | 'unknown' | 'rule';
  readonly message: string;
  readonly hint?: string;
  /** The words allowed, for `enum` and `unknown`. */
  readonly allowed?: readonly string[];
}

/** The exchange said no, for certain: it is not going to happen by itself. */
export class RefusedError extends DeskhandError {
  readonly answer: { readonly code: string; readonly message: string; readonly status: number };
  readonly class: ErrorClass;

  constructor(
    operation: OperationName,
    answer: { readonly code: string; readonly message: string; readonly status: number },
  ) {
    const kind = classOf(answer.code);
    super(`${operation} was refused: ${answer.code} ${answer.message}`, {
      code: `exchange-${answer.code}`,
      actor: kind === 'validation' || kind === 'state' ? 'author' : 'operator',
      exit: isCredentialMatter(kind) ? exits.credentials : exits.stopped,
      hint: refusalHints[kind] ?? errorTable.get(answer.code)?.meaning ?? 'see the message',
    });
    this.answer = answer;
    this.class = kind;
  }
}

/** Nothing was executed: every attempt failed before or was turned away by the exchange. */
export class UnavailableError extends DeskhandError {
  readonly because: string;

  constructor(operation: OperationName, because: string, cause?: unknown) {
    super(`${operation}: ${because}; nothing was executed`, {
      code: 'unavailable',
      actor: 'exchange',
      exit: exits.stopped,
      hint: 'check the address and the network, then run the command again',
      cause,
    });
    this.because = because;
  }
}

/** A write may or may not have happened. It must not be sent again until its outcome is known. */
export class DoubtError extends DeskhandError {
  readonly because: string;

  constructor(operation: OperationName, because: string, cause?: unknown) {
    super(`${operation} is in doubt: ${because}`, {
      code: 'in-doubt',
      actor: 'operator',
      exit: exits.inDoubt,
      hint: 'it may or may not have happened; it is not sent again until its outcome is known',
      cause,
    });
    this.because = because;
  }
}

/** The answer to a read is not what the API says. */
export class AnswerError extends DeskhandError {
  constructor(operation: OperationName, because: string, cause?: unknown) {
    super(`${operation}: the response breaks the API schema: ${because}`, {
      code: 'answer',
      actor: 'exchange',
      exit: exits.stopped,
      hint: 'the exchange may have changed its API; run with --show-request and report it',
      cause,
    });
  }
}

const refusalHints: Partial<Record<ErrorClass, string>> = {
  auth: 'check key, secret and passphrase of the profile, and the IP addresses that the key allows',
  permission: 'give the key the permission this operation needs, or use another profile',
  family:
    'this key belongs to the other account family: classic keys serve the v2 paths, unified keys the v3 paths',
  clock: 'set the machine’s clock: requests must be signed within 30 s of the exchange’s time',
  funds: 'lower the size or fund the account',
};

function isCredentialMatter(kind: ErrorClass): boolean {
  return kind === 'auth' || kind === 'permission' || kind === 'family' || kind === 'clock';
}
