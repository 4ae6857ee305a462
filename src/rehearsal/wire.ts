/** A wire on which requests and answers are lost, doubled in time, garbled and late. */
import { minute, second, type Millis, type StandingClock } from '../base/clock.ts';
import {
  TransportError,
  type Transport,
  type WireRequest,
  type WireResponse,
} from '../contract/exchange.ts';
import type { Chance } from './chance.ts';

export const wireFaults = [
  'unreachable',
  'lost-request',
  'lost-answer',
  'late-request',
  'html-502',
  'error-500-after',
  'code-40010-after',
  'limit-429',
  'garbled',
  'wrong-envelope',
  'slow-answer',
] as const;
export type WireFault = (typeof wireFaults)[number];

export interface Wire {
  /** Faults from here on; none when empty. */
  trouble(faults: readonly WireFault[], rate: number): void;
  /** One fault, at the request of this number, counted from 1 over all lives. */
  strikeAt(nth: number, fault: WireFault): void;
  /** Requests so far. */
  requests(): number;
  transport: Transport;
  /** Delivers what is still under way. */
  flush(): Promise<void>;
}

export function faultyWire(
  exchange: Transport,
  {
    clock,
    chance,
    onStrike = () => undefined,
  }: {
    readonly clock: Pick<StandingClock, 'now' | 'advance'>;
    readonly chance: Chance;
    readonly onStrike?: (fault: WireFault, request: WireRequest) => void;
  },
): Wire {
  let faults: readonly WireFault[] = [];
  let rate = 0;
  let requests = 0;
  let strikes: { readonly nth: number; readonly fault: WireFault } | undefined;
  let late: { readonly due: Millis; readonly request: WireRequest }[] = [];
  const never = new AbortController().signal;

  const deliverLate = async (): Promise<void> => {
    const due = late.filter((one) => one.due <= clock.now());
    late = late.filter((one) => one.due > clock.now());
    for (const { request } of due) await exchange(request, never);
  };

  const refusal = (status: number, code: string): WireResponse =>
    answer(status, JSON.stringify({ code, msg: 'trouble', requestTime: clock.now(), data: null }));

  const strike = async (fault: WireFault, request: WireRequest): Promise<WireResponse> => {
    onStrike(fault, request);
    switch (fault) {
      case 'unreachable':
        throw new TransportError('connection refused', 'no', undefined);
      case 'lost-request':
        clock.advance(chance.between(0, 10) * second);
        throw new TransportError('connection reset', 'maybe', undefined);
      case 'lost-answer':
        await exchange(request, never);
        clock.advance(chance.between(0, 10) * second);
        throw new TransportError('connection reset', 'maybe', undefined);
      case 'late-request':
        late.push({ due: clock.now() + chance.between(1, 45) * second, request });
        clock.advance(chance.between(0, 10) * second);
        throw new TransportError('no answer in time', 'maybe', undefined);
      case 'html-502':
        return answer(502, '<html>Bad Gateway</html>', 'text/html');
      case 'error-500-after':
        await exchange(request, never);
        return refusal(500, '50000');
      case 'code-40010-after':
        await exchange(request, never);
        return refusal(400, '40010');
      case 'limit-429':
        return refusal(429, '429');
      case 'garbled': {
        const { body } = await exchange(request, never);
        return answer(
          200,
          Buffer.from(body)
            .subarray(0, body.length / 2)
            .toString('utf8'),
        );
      }
      case 'wrong-envelope':
        await exchange(request, never);
        return answer(200, '{"ok":true}');
      case 'slow-answer':
        clock.advance(chance.between(1, 9) * second);
        return exchange(request, never);
    }
  };

  return {
    trouble: (next, often) => {
      faults = next;
      rate = often;
    },
    strikeAt: (nth, fault) => {
      strikes = { nth, fault };
    },
    requests: () => requests,
    transport: async (request) => {
      requests += 1;
      clock.advance(chance.between(1, 80));
      await deliverLate();
      if (strikes?.nth === requests) return strike(strikes.fault, request);
      if (faults.length > 0 && chance.happens(rate)) return strike(chance.pick(faults), request);
      return exchange(request, never);
    },
    flush: async () => {
      clock.advance(minute);
      await deliverLate();
    },
  };
}

function answer(status: number, text: string, type = 'application/json'): WireResponse {
  return { status, headers: { 'content-type': type }, body: Buffer.from(text) };
}
