/** The lowest layer: hands one request to a transport under a deadline and reads its answer. */
import { deadline, type Clock, type Millis } from '../../base/clock.ts';
import { messageOf } from '../../base/error.ts';
import { spoken } from '../../base/text.ts';
import {
  TransportError,
  type Transport,
  type WireRequest,
  type WireResponse,
} from '../../contract/exchange.ts';
import { decode } from '../../contract/wire.ts';
import type { Answer, Carry } from './layer.ts';

/** A transport must settle once its signal is aborted; both of ours do. */
export function overWire(transport: Transport, clock: Clock): Carry {
  return async ({ request, timeoutMs, call }) => {
    const late = (): Error => new Error(`no whole answer within ${spoken(timeoutMs)}`);
    const limit = deadline(timeoutMs, late, call.signal);
    const sentAt = clock.monotonic();
    try {
      const response = await transport(request, limit.signal);
      return answerOf(request, response, { sentAt, receivedAt: clock.monotonic() });
    } catch (error) {
      // Whatever a transport throws, bytes may have left, unless it proves that none did.
      throw error instanceof TransportError
        ? error
        : new TransportError(messageOf(error), 'maybe', error);
    } finally {
      limit.cancel();
    }
  };
}

function answerOf(
  { operation }: WireRequest,
  response: WireResponse,
  times: { readonly sentAt: Millis; readonly receivedAt: Millis },
): Answer {
  const { status, headers } = response;
  try {
    const envelope = decode(operation, response);
    return { status, headers, ...times, content: { kind: 'envelope', envelope } };
  } catch (cause) {
    const because = messageOf(cause);
    return { status, headers, ...times, content: { kind: 'unreadable', because, cause } };
  }
}
