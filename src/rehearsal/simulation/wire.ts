/** A network that loses, duplicates, damages and delays requests and responses. */
import { minute, second, type Millis, type StandingClock } from '../../base/clock.ts';
import {
  TransportError,
  type Transport,
  type WireRequest,
  type WireResponse,
} from '../../exchange/api/exchange.ts';
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
  'page-429-after',
  'code-45001-429-after',
  'half-429-after',
  'refused-time',
  'refused-40762',
  'garbled',
  'wrong-envelope',
  'slow-answer',
  'time-ahead',
  'time-behind',
] as const;

/**
 * Violations of the third assumption of docs/no-order-twice.md: the exchange executes what it
 * rejects. Only a run that never sends again tolerates this.
 */
export const brokenPromises = ['limit-429-after', 'refused-time-after'] as const;

export type WireFault = (typeof wireFaults)[number] | (typeof brokenPromises)[number];

export interface Wire {
  /** Faults from now on; none if empty. */
  trouble(faults: readonly WireFault[], rate: number): void;
  /** One fault, at the request with this number, from 1 over all incarnations. */
  strikeAt(nth: number, fault: WireFault): void;
  /** Number of requests so far. */
  requests(): number;
  transport: Transport;
  /** Delivers messages due by now. */
  deliver(): Promise<void>;
  /** Delivers all messages in progress. */
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
        throw new TransportError('no response in time', 'maybe', undefined);
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
      case 'limit-429-after':
        await exchange(request, never);
        return refusal(429, '429');
      case 'page-429-after':
        await exchange(request, never);
        return answer(429, '<html>Too many requests</html>', 'text/html');
      case 'code-45001-429-after':
        await exchange(request, never);
        return refusal(429, '45001');
      case 'half-429-after':
        return { ...halfOf(await exchange(request, never)), status: 429 };
      case 'refused-time':
        return refusal(400, '40008');
      case 'refused-40762':
        return refusal(400, '40762');
      case 'refused-time-after':
        await exchange(request, never);
        return refusal(400, '40008');
      case 'garbled':
        return halfOf(await exchange(request, never));
      case 'wrong-envelope':
        await exchange(request, never);
        return answer(200, '{"ok":true}');
      case 'slow-answer':
        clock.advance(chance.between(1, 9) * second);
        return exchange(request, never);
      case 'time-ahead':
        return shifted(await exchange(request, never), chance.between(5, 120) * second);
      case 'time-behind':
        return shifted(await exchange(request, never), -chance.between(5, 3_600) * second);
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
    deliver: deliverLate,
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

function halfOf({ body }: WireResponse): WireResponse {
  return answer(
    200,
    Buffer.from(body)
      .toString('utf8')
      .slice(0, body.length / 2),
  );
}

/** The same response with another time. */
export function shifted(response: WireResponse, ms: Millis): WireResponse {
  const text = Buffer.from(response.body).toString('utf8');
  const moved = text.replace(/(?<="requestTime":)\d+/, (time) => String(Number(time) + ms));
  return { ...response, body: Buffer.from(moved) };
}
