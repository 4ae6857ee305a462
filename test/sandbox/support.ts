/** Signed requests for tests, with every part open to be made wrong. */
import type { Secret } from '../../src/base/secret.ts';
import { operationOf, type OperationName } from '../../src/exchange/api/operations/index.ts';
import { signatureOf } from '../../src/exchange/api/signature.ts';
import { encode } from '../../src/exchange/api/wire.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import type { RawRequest } from '../../src/sandbox/gateway/request.ts';
import type { WireResponse } from '../../src/exchange/api/exchange.ts';

export interface Signer {
  readonly apiKey: Secret;
  readonly secretKey: Secret;
  readonly passphrase: Secret;
}

export interface Twist {
  readonly method?: string;
  readonly path?: string;
  readonly query?: string;
  /** The query that is signed, where it is not the one that is sent. */
  readonly signedQuery?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly ip?: string;
}

/** A request as our client would send it, but for the twist. */
export function signed(
  signer: Signer,
  name: OperationName,
  { input = {}, timestamp, twist = {} }: { input?: object; timestamp: number; twist?: Twist },
): RawRequest {
  const encoded = encode(name, input);
  const method = twist.method ?? operationOf(name).method;
  const path = twist.path ?? encoded.path;
  const query = twist.query ?? encoded.query;
  const body = twist.body ?? encoded.body;
  const parts = { timestamp: String(timestamp), method, path, body };
  const signature = signatureOf({ ...parts, query: twist.signedQuery ?? query }, signer.secretKey);
  return {
    method,
    target: query === '' ? path : `${path}?${query}`,
    headers: {
      'access-key': signer.apiKey.reveal(),
      'access-sign': signature,
      'access-timestamp': String(timestamp),
      'access-passphrase': signer.passphrase.reveal(),
      'content-type': 'application/json',
      ...twist.headers,
    },
    body: Buffer.from(body),
    ip: twist.ip ?? '127.0.0.1',
  };
}

/** A request without credentials. */
export function unsigned(name: OperationName, input: object = {}, ip = '127.0.0.1'): RawRequest {
  const { method, path, query, body } = encode(name, input);
  const target = query === '' ? path : `${path}?${query}`;
  const headers = { 'content-type': 'application/json' };
  return { method, target, headers, body: Buffer.from(body), ip };
}

export interface Answer {
  readonly status: number;
  readonly code: string;
  readonly msg: string;
  readonly requestTime: number;
  readonly data: unknown;
}

/** The body of a small order at the market, of an account in one-way mode. */
export const marketOrder = {
  symbol: 'BTCUSDT',
  productType: 'USDT-FUTURES',
  marginMode: 'crossed',
  marginCoin: 'USDT',
  size: '0.01',
  side: 'buy',
  orderType: 'market',
};

/** The same with a limit, of an account in hedge mode. */
export const openingLimit = { ...marketOrder, tradeSide: 'open', orderType: 'limit' };

/** Has one of a sandbox's own keys ask. */
export function askIn(
  sandbox: Sandbox,
  role: keyof Sandbox['accounts'],
  name: OperationName,
  input: object,
): Answer {
  const timestamp = sandbox.now();
  return opened(sandbox.handle(signed(sandbox.accounts[role], name, { input, timestamp })));
}

/** The envelope of an answer. */
export function opened({ status, body }: WireResponse): Answer {
  return { status, ...JSON.parse(Buffer.from(body).toString('utf8')) };
}
