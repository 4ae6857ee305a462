/** Delivers a response to a client in this process, with the same faults as over a socket. */
import type { Clock, Millis } from '../../base/clock.ts';
import { messageOf } from '../../base/error.ts';
import { TransportError, type WireResponse } from '../../exchange/api/exchange.ts';
import type { Delivery } from './delivery.ts';

/**
 * Delivers a response. @throws TransportError without a complete one; the request may have been
 * executed
 */
export async function carryInProcess(
  delivery: Delivery,
  clock: Clock,
  signal: AbortSignal,
): Promise<WireResponse> {
  switch (delivery.kind) {
    case 'whole':
    case 'packed': // there are no bytes on a wire
      return delivery.response;
    case 'wait':
      await pause(delivery.ms, clock, signal);
      return carryInProcess(delivery.next(), clock, signal);
    case 'drip': {
      const { response, everyMs } = delivery;
      await pause(everyMs * response.body.length, clock, signal);
      return response;
    }
    case 'reset':
      throw new TransportError('the connection was reset', 'maybe');
    case 'empty':
      throw new TransportError('the connection was closed without a response', 'maybe');
    case 'half':
      throw new TransportError('the connection was closed within the response', 'maybe');
    case 'silence':
      await pause(delivery.ms, clock, signal);
      throw new TransportError('no response arrived', 'maybe');
  }
}

async function pause(ms: Millis, clock: Clock, signal: AbortSignal): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch (error) {
    throw new TransportError(`no response in time: ${messageOf(error)}`, 'maybe', error);
  }
}
