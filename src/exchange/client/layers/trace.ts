/** Reports the events of a call to an observer, which can neither stop nor fail the call. */
import type { CallEvent, CallOptions } from '../../api/exchange.ts';
import type { Answer, Attempt, Carry } from './layer.ts';

/** Reports each attempt when it is sent. */
export function tracing(next: Carry): Carry {
  return async (attempt) => {
    const { operation } = attempt.request;
    emit(attempt.call, { kind: 'sent', operation, attempt: attempt.number });
    return next(attempt);
  };
}

/** Reports a response when it is read. */
export function reportAnswer(
  { request, number, call }: Attempt,
  answer: Answer,
  odd: Pick<Extract<CallEvent, { readonly kind: 'answered' }>, 'deviations' | 'raw'>,
): void {
  emit(call, {
    kind: 'answered',
    operation: request.operation,
    attempt: number,
    ms: answer.receivedAt - answer.sentAt,
    status: answer.status,
    code: codeOf(answer),
    ...odd,
  });
}

/**
 * Passes an event to the observer. An observer that throws becomes a process warning: between a
 * write and its response, its error would hide the outcome of the write.
 */
export function emit({ onEvent }: CallOptions, event: CallEvent): void {
  try {
    onEvent?.(event);
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
  }
}

/** The code if it is valid; a server may return any text, even our own signature. */
function codeOf({ content }: Answer): string {
  if (content.kind !== 'envelope') return '';
  return /^\w{1,12}$/.test(content.envelope.code) ? content.envelope.code : '';
}
