/** Wires that lie: answers with another time, requests that arrive late. */
import type { Millis, StandingClock } from '../../src/base/clock.ts';
import { TransportError, type Transport } from '../../src/exchange/api/exchange.ts';
import { shifted } from '../../src/rehearsal/simulation/wire-faults.ts';

/** Moves the time of the answers chosen; they are counted from 1. */
export function shifting(
  by: (nth: number) => Millis,
  counted: { answers: number } = { answers: 0 },
): (transport: Transport) => Transport {
  return (transport) => async (request, signal) => {
    const response = await transport(request, signal);
    const ms = by(++counted.answers);
    return ms === 0 ? response : shifted(response, ms);
  };
}

export interface LateOrder {
  readonly wrap: (transport: Transport) => Transport;
  /** Brings it, if nothing has come to the exchange since it was due. */
  readonly arrive: () => Promise<void>;
}

/** The first order never gets an answer, and arrives so much later; never, when that is Infinity. */
export function arrivingLate(ms: Millis, clock: StandingClock): LateOrder {
  const never = new AbortController().signal;
  let isFirst = true;
  let late: { readonly due: Millis; readonly deliver: () => Promise<unknown> } | undefined;
  const bring = async (): Promise<void> => {
    const due = late;
    late = undefined;
    await due?.deliver();
  };
  return {
    wrap: (transport) => async (request, signal) => {
      if (late !== undefined && late.due <= clock.monotonic()) await bring();
      if (request.operation !== 'futures/place-order' || !isFirst) {
        return transport(request, signal);
      }
      isFirst = false;
      late = { due: clock.monotonic() + ms, deliver: () => transport(request, never) };
      throw new TransportError('connection reset', 'maybe');
    },
    arrive: async () => {
      if (late === undefined || late.due === Infinity) return;
      clock.advance(Math.max(0, late.due - clock.monotonic()));
      await bring();
    },
  };
}
