/** The last layer: sends one request through a transport under a deadline and parses its response. */
import { deadline, type Clock, type Millis } from '../../../base/clock.ts';
import { messageOf } from '../../../base/error.ts';
import type { Secret } from '../../../base/secret.ts';
import { spoken } from '../../../base/text.ts';
import { TransportError, type Transport, type WireResponse } from '../../api/exchange.ts';
import { decode } from '../../api/wire.ts';
import { echoMask } from './echo.ts';
import type { Answer, Carry } from './layer.ts';

/**
 * Sends attempts over a transport, which must settle when its signal is aborted; both of ours do.
 * @param secrets the texts that are masked in a response that repeats one, like the signature of its request
 */
export function overWire(
  transport: Transport,
  clock: Clock,
  secrets: readonly Secret[] = [],
): Carry {
  const maskFor = echoMask(secrets);
  // A signal with a listener takes as long as a quarter of a request.
  const unused: AbortController[] = [];
  return async ({ request, timeoutMs, call }) => {
    const late = (): Error => new Error(`no complete response within ${spoken(timeoutMs)}`);
    const controller = unused.pop() ?? new AbortController();
    const limit = deadline(timeoutMs, late, call.signal, controller);
    const sentAt = clock.monotonic();
    const mask = maskFor(request);
    try {
      const response = mask.response(await transport(request, limit.signal));
      return answerOf(response, { sentAt, receivedAt: clock.monotonic() });
    } catch (error) {
      // After any error of a transport, bytes may have been sent, unless it proves otherwise.
      throw mask.error(
        error instanceof TransportError
          ? error
          : new TransportError(messageOf(error), 'maybe', error),
      );
    } finally {
      limit.cancel();
      if (transport.releasesSignal && !limit.signal.aborted) unused.push(controller);
    }
  };
}

function answerOf(
  response: WireResponse,
  { sentAt, receivedAt }: { readonly sentAt: Millis; readonly receivedAt: Millis },
): Answer {
  const { status, headers } = response;
  try {
    const envelope = decode(response);
    return { status, headers, sentAt, receivedAt, content: { kind: 'envelope', envelope } };
  } catch (cause) {
    const because = messageOf(cause);
    const content = { kind: 'unreadable', because, cause } as const;
    return { status, headers, sentAt, receivedAt, content };
  }
}
