/** The wire as a script: a transport that answers what a test says, and a client on top of it. */
import { standingClock, type StandingClock } from '../../src/base/clock.ts';
import { seededRandom } from '../../src/base/random.ts';
import { Secret } from '../../src/base/secret.ts';
import { createClient, type Client, type ClientOptions } from '../../src/exchange/client/client.ts';
import type { Transport, WireRequest, WireResponse } from '../../src/exchange/api/exchange.ts';

export const secrets = {
  apiKey: new Secret('key-0123456789abcdef'),
  secretKey: new Secret('secret-0123456789abcdef'),
  passphrase: new Secret('passphrase-0123456789'),
};

export interface Scripted {
  readonly client: Client;
  readonly clock: StandingClock;
  /** Requests that reached the transport, but for the one that asks the time. */
  readonly requests: WireRequest[];
}

export const startOfTest = Date.UTC(2026, 10, 20, 4);

/** An answer with the envelope, or with exactly the bytes given. */
export function answer(
  content: { readonly code: string; readonly data?: unknown; readonly msg?: string } | string,
  {
    status = 200,
    headers = {},
    requestTime = startOfTest,
  }: {
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly requestTime?: number;
  } = {},
): WireResponse {
  const text =
    typeof content === 'string'
      ? content
      : JSON.stringify({ msg: content.code, data: null, requestTime, ...content });
  return { status, headers, body: new TextEncoder().encode(text) };
}

export function success(data: unknown, requestTime = startOfTest): WireResponse {
  return answer({ code: '00000', msg: 'success', data }, { requestTime });
}

/** A client over a transport in the test's hands; the first question for the time is answered. */
export function scripted(
  transport: (request: WireRequest, nth: number) => WireResponse | Promise<WireResponse>,
  {
    isAnonymous = false,
    ...options
  }: Partial<ClientOptions> & { readonly isAnonymous?: boolean } = {},
): Scripted {
  const clock = standingClock(startOfTest);
  const requests: WireRequest[] = [];
  const carry: Transport = async (request) => {
    if (request.operation === 'market/list-discount-rates') {
      return success([], Math.floor(startOfTest + clock.monotonic()));
    }
    requests.push(request);
    return transport(request, requests.length);
  };
  const client = createClient({
    transport: carry,
    clock,
    random: seededRandom(1),
    ...(!isAnonymous && { credentials: secrets }),
    ...options,
  });
  return { client, clock, requests };
}
