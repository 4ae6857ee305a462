/** The faults of a simulated network, and the effect of each on a request. */
import { second, type Millis, type StandingClock } from '../../base/clock.ts';
import { TransportError, type WireResponse } from '../../exchange/api/exchange.ts';
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

/** A request that a fault hits. */
export interface Struck {
  readonly clock: Pick<StandingClock, 'now' | 'advance'>;
  readonly chance: Chance;
  /** Delivers the request to the exchange. */
  readonly deliver: () => Promise<WireResponse>;
  /** Delays the arrival of the request until `due`. */
  readonly postpone: (due: Millis) => void;
}

/** The response to a request under each fault. @throws TransportError for a lost response */
export const strikes: Readonly<Record<WireFault, (struck: Struck) => Promise<WireResponse>>> = {
  unreachable: async () => {
    throw new TransportError('connection refused', 'no', undefined);
  },
  'lost-request': async (struck) => lost(struck, 'connection reset'),
  'lost-answer': async (struck) => {
    await struck.deliver();
    return lost(struck, 'connection reset');
  },
  'late-request': async (struck) => {
    const { clock, chance } = struck;
    struck.postpone(clock.now() + chance.between(1, 45) * second);
    return lost(struck, 'no response in time');
  },
  'html-502': async () => answer(502, '<html>Bad Gateway</html>', 'text/html'),
  'error-500-after': async (struck) => {
    await struck.deliver();
    return refusal(struck, 500, '50000');
  },
  'code-40010-after': async (struck) => {
    await struck.deliver();
    return refusal(struck, 400, '40010');
  },
  'limit-429': async (struck) => refusal(struck, 429, '429'),
  'limit-429-after': async (struck) => {
    await struck.deliver();
    return refusal(struck, 429, '429');
  },
  'page-429-after': async (struck) => {
    await struck.deliver();
    return answer(429, '<html>Too many requests</html>', 'text/html');
  },
  'code-45001-429-after': async (struck) => {
    await struck.deliver();
    return refusal(struck, 429, '45001');
  },
  'half-429-after': async ({ deliver }) => ({ ...halfOf(await deliver()), status: 429 }),
  'refused-time': async (struck) => refusal(struck, 400, '40008'),
  'refused-40762': async (struck) => refusal(struck, 400, '40762'),
  'refused-time-after': async (struck) => {
    await struck.deliver();
    return refusal(struck, 400, '40008');
  },
  garbled: async ({ deliver }) => halfOf(await deliver()),
  'wrong-envelope': async ({ deliver }) => {
    await deliver();
    return answer(200, '{"ok":true}');
  },
  'slow-answer': async ({ clock, chance, deliver }) => {
    clock.advance(chance.between(1, 9) * second);
    return deliver();
  },
  'time-ahead': async ({ chance, deliver }) =>
    shifted(await deliver(), chance.between(5, 120) * second),
  'time-behind': async ({ chance, deliver }) =>
    shifted(await deliver(), -chance.between(5, 3_600) * second),
};

function lost({ clock, chance }: Struck, message: string): never {
  clock.advance(chance.between(0, 10) * second);
  throw new TransportError(message, 'maybe', undefined);
}

function refusal({ clock }: Struck, status: number, code: string): WireResponse {
  return answer(
    status,
    JSON.stringify({ code, msg: 'trouble', requestTime: clock.now(), data: null }),
  );
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

/** The response with its time shifted by `ms`. */
export function shifted(response: WireResponse, ms: Millis): WireResponse {
  const text = Buffer.from(response.body).toString('utf8');
  const moved = text.replace(/(?<="requestTime":)\d+/, (time) => String(Number(time) + ms));
  return { ...response, body: Buffer.from(moved) };
}
