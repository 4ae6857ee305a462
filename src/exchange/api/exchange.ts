/** The contract between the two halves of the product: calls, transports and errors. */
import type { Millis } from '../../base/clock.ts';
import { DeskhandError, exits } from '../../base/error.ts';
import { ProxyError } from '../../base/proxy.ts';
import { classOf, errorTable, type ErrorClass } from './errors.ts';
import type { Deviation } from './deviation.ts';
import { operationOf, type Input, type OperationName, type AnswerOf } from './operations/index.ts';

/** The exchange as the interpreter uses it; the client implements it. */
export interface Exchange {
  /**
   * Calls one operation: validates and paces it, signs and sends it, and validates the response.
   * @throws InputError nothing was sent: the input violates the API schema
   * @throws RefusedError the exchange refused it, definitively
   * @throws UnavailableError nothing was executed, after all attempts
   * @throws DoubtError a write may or may not have been executed
   * @throws AnswerError a read returned data that violates the API schema
   */
  call<N extends OperationName>(
    name: N,
    input: Input<N>,
    options?: CallOptions,
  ): Promise<AnswerOf<N>>;
  /** The exchange's current time, derived from its responses; requests it if none is known. */
  serverTime(signal?: AbortSignal): Promise<Millis>;
  /**
   * The exchange's time from the last response only: no write depends on it. Undefined before any response.
   */
  latestTime?(): Millis | undefined;
  /** Watches the exchange's time in all responses until `end` is called. */
  watchTime(): TimeWatch;
}

/**
 * The exchange's clock by the response that sets it furthest back: if one response of a watch is
 * correct, no other can make this later than the real time.
 */
export interface TimeWatch {
  /** The exchange's clock at a monotonic time; undefined before any response. */
  earliest(moment: Millis): Millis | undefined;
  /** The difference by which two responses contradict each other about the time; 0 while all agree. */
  dispute(): Millis;
  end(): void;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Deadline for this call with all its attempts; default: the client's. */
  readonly timeoutMs?: Millis;
  /** The maximum number of attempts, including the first; responses with a rate limit do not count. */
  readonly attempts?: number;
  /**
   * Send a write again after a response that says it was not executed: a rate limit, a refused
   * timestamp. Without it, such a response leaves the write in doubt.
   */
  readonly resend?: boolean;
  /**
   * Awaited before the first byte of every attempt, with its signing time. A writer makes its
   * intent durable here; if it throws, nothing is sent.
   */
  readonly beforeSend?: (sending: Sending) => Promise<void>;
  readonly onEvent?: (event: CallEvent) => void;
}

/** One attempt about to leave. */
export interface Sending {
  readonly operation: OperationName;
  /** The number of the attempt: starts at 1 and grows with every attempt of one call. */
  readonly attempt: number;
  /** The signed timestamp: the exchange refuses this request 30 s after it. */
  readonly signedAt: Millis;
}

/**
 * Events of a call, for screens, traces and the journal. They never contain a header, and of bodies
 * only the response to a write, if it has deviations.
 */
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
      /** How the response deviates from the interface; absent if it does not. */
      readonly deviations?: readonly Deviation[];
      /** The data of a write's response with deviations, as JSON. */
      readonly raw?: string;
    }
  | {
      readonly kind: 'retrying';
      readonly operation: OperationName;
      readonly attempt: number;
      readonly reason: 'fault' | 'limit' | 'clock';
      readonly inMs: Millis;
      readonly because: string;
    };

/** A request as sent; `query` has no question mark, `body` is '' for a GET. */
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
  /** The headers of the response, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * Sends one request and returns its response.
 * @throws TransportError without a complete response
 */
export interface Transport {
  (request: WireRequest, signal: AbortSignal): Promise<WireResponse>;
  /**
   * Whether a settled request neither keeps nor listens to its signal, which may then serve another
   * request.
   */
  readonly releasesSignal?: true;
}

/** No complete response arrived. `sent: 'no'` only if no byte can have left this machine. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly sent: 'no' | 'maybe';

  constructor(message: string, sent: 'no' | 'maybe', cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.sent = sent;
  }
}

/** The input violates the API schema; nothing was sent. */
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

/** One problem of an input; `path` names the field, [] the input itself. */
export interface InputProblem {
  readonly path: readonly (string | number)[];
  readonly keyword: 'type' | 'required' | 'enum' | 'format' | 'range' | 'unknown' | 'rule';
  readonly message: string;
  readonly hint?: string;
  /** The field that may be given instead of a missing one. */
  readonly orElse?: string;
  /** The allowed values, for `enum` and `unknown`. */
  readonly allowed?: readonly string[];
}

/** The exchange refused the request definitively. */
export class RefusedError extends DeskhandError {
  readonly answer: { readonly code: string; readonly message: string; readonly status: number };
  readonly class: ErrorClass;

  constructor(
    operation: OperationName,
    answer: { readonly code: string; readonly message: string; readonly status: number },
    hint?: string,
  ) {
    const kind = classOf(answer.code);
    super(`${operation} was refused: ${answer.code} ${answer.message}`, {
      code: `exchange-${answer.code}`,
      actor: kind === 'validation' || kind === 'state' ? 'author' : 'operator',
      exit: isCredentialMatter(kind) ? exits.credentials : exits.stopped,
      hint:
        hint ??
        codeHints[answer.code] ??
        refusalHints[kind] ??
        errorTable.get(answer.code)?.meaning ??
        'see the message',
    });
    this.answer = answer;
    this.class = kind;
  }
}

/**
 * Nothing was executed: every attempt failed before sending or was rejected by the exchange. For a read
 * the message says only that nothing was read: it must not be taken for a message about a write.
 */
export class UnavailableError extends DeskhandError {
  readonly because: string;
  /** The remedy, without how to continue: a run is resumed, another command is run again. */
  readonly remedy: string | undefined;

  /** @param isOverLimit a rate limit was the reason: only time helps */
  constructor(operation: OperationName, because: string, cause?: unknown, isOverLimit = false) {
    const what = operationOf(operation).effect === 'read' ? 'read' : 'executed';
    const own = isOverLimit ? undefined : 'check the address and the network';
    super(`${operation}: ${because}; nothing was ${what}`, {
      code: 'unavailable',
      actor: 'exchange',
      exit: exits.stopped,
      hint: proxyHint(cause) ?? `${own ?? 'wait'}, then run the command again`,
      cause,
    });
    this.because = because;
    this.remedy = proxyHint(cause) ?? own;
  }
}

/** The remedy for the proxy, if it is the reason that an attempt was not sent. */
function proxyHint(cause: unknown): string | undefined {
  if (cause instanceof ProxyError) return cause.hint;
  const isAround = cause instanceof TransportError || cause instanceof UnavailableError;
  return isAround ? proxyHint(cause.cause) : undefined;
}

/**
 * A write may or may not have been executed. It must not be sent again until its outcome is known.
 */
export class DoubtError extends DeskhandError {
  readonly operation: OperationName;
  readonly because: string;
  /** Whether the exchange answered with a rate limit, which counts as not executed if the lists agree. */
  readonly isOverLimit: boolean;

  constructor(operation: OperationName, because: string, cause?: unknown, isOverLimit = false) {
    super(`${operation} is in doubt: ${because}`, {
      code: 'in-doubt',
      actor: 'operator',
      exit: exits.inDoubt,
      hint: 'it may or may not have happened; it is not sent again until its outcome is known',
      cause,
    });
    this.operation = operation;
    this.because = because;
    this.isOverLimit = isOverLimit;
  }

  /** A copy of this doubt with one more sentence. */
  with(words: string): DoubtError {
    return new DoubtError(this.operation, `${this.because}; ${words}`, this, this.isOverLimit);
  }
}

/** The response to a read violates the API schema. */
export class AnswerError extends DeskhandError {
  constructor(operation: OperationName, because: string, cause?: unknown) {
    super(`${operation}: the response violates the API schema: ${because}`, {
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
    'this key belongs to the other account family; set `family: classic` or `family: unified` in its profile: then the operations of its family are used, and others are refused before anything is sent; `deskhand doctor` reads which one it is',
  clock: 'set the machine’s clock: requests must be signed within 30 s of the exchange’s time',
  funds: 'lower the size or fund the account',
};

/** Hints for codes whose message does not name the field. */
const codeHints: Readonly<Record<string, string>> = {
  '40774':
    'in one-way mode remove tradeSide, and close with reduceOnly: YES; in hedge mode write tradeSide: open or close; `deskhand doctor` shows the mode',
};

function isCredentialMatter(kind: ErrorClass): boolean {
  return kind === 'auth' || kind === 'permission' || kind === 'family' || kind === 'clock';
}
