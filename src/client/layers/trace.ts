/** Tells an observer what happens on the wire; an observer can neither stop nor fail a call. */
import type { CallEvent, CallOptions } from '../../api/exchange.ts';
import type { Answer, Carry } from './layer.ts';

/** Reports each attempt as it leaves and as its answer comes. */
export function tracing(next: Carry): Carry {
  return async (attempt) => {
    const { operation } = attempt.request;
    emit(attempt.call, { kind: 'sent', operation, attempt: attempt.number });
    const answer = await next(attempt);
    emit(attempt.call, {
      kind: 'answered',
      operation,
      attempt: attempt.number,
      ms: answer.receivedAt - answer.sentAt,
      status: answer.status,
      code: codeOf(answer),
    });
    return answer;
  };
}

/**
 * Hands an event to the observer. An observer that throws becomes a warning of the process:
 * between a write and its answer its error would hide the outcome of the write.
 */
export function emit({ onEvent }: CallOptions, event: CallEvent): void {
  try {
    onEvent?.(event);
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
  }
}

/** The code when it is one; a server may put anything there, even our own signature. */
function codeOf({ content }: Answer): string {
  if (content.kind !== 'envelope') return '';
  return /^\w{1,12}$/.test(content.envelope.code) ? content.envelope.code : '';
}
