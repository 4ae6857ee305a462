/** Requests over HTTP: the only door to undici, and the judge of what surely never left. */
import { Agent, errors, type Dispatcher } from 'undici';
import { second } from '../../base/clock.ts';
import { ConfigError, messageOf } from '../../base/error.ts';
import {
  TransportError,
  type Transport,
  type WireRequest,
  type WireResponse,
} from '../../contract/exchange.ts';
import { operationOf } from '../../contract/operations/index.ts';

export interface HttpTransport {
  readonly transport: Transport;
  close(): Promise<void>;
}

const answerMax = 8 * 1024 * 1024; // bytes; the largest page of the interface is below 1 MiB
const connectTimeoutMs = 5 * second;
const idleMs = 2 * second; // below what servers allow: a connection they close is never reused
const connections = 16;

/**
 * A transport to one exchange. Reads share kept-alive connections; a write that must not happen
 * twice gets a connection of its own, for a reused one may be closed under it. Redirects are
 * answers like any other: they are never followed.
 * @throws ConfigError when the address is not https:// and not of this machine
 */
export function httpTransport({ baseUrl }: { readonly baseUrl: string }): HttpTransport {
  const origin = originOf(baseUrl);
  const common = {
    connect: { timeout: connectTimeoutMs },
    maxResponseSize: answerMax,
    keepAliveMaxTimeout: idleMs,
    keepAliveTimeout: idleMs,
  };
  const reads = new Agent({ ...common, connections, pipelining: 1 });
  const writes = new Agent({ ...common, connections, pipelining: 0 });
  return {
    transport: async (request, signal) => {
      signal.throwIfAborted();
      const isWrite = operationOf(request.operation).effect !== 'read';
      try {
        return await exchangeOnce(isWrite ? writes : reads, origin, request, signal);
      } catch (error) {
        throw asTransportError(error);
      }
    },
    close: async () => {
      await Promise.all([reads.destroy(), writes.destroy()]);
    },
  };
}

async function exchangeOnce(
  agent: Agent,
  origin: string,
  request: WireRequest,
  signal: AbortSignal,
): Promise<WireResponse> {
  const { method, path, query, headers, body } = request;
  const answer = await agent.request({
    origin,
    path: query === '' ? path : `${path}?${query}`,
    method,
    headers,
    body: body === '' ? null : body,
    signal,
    headersTimeout: 0, // the caller's signal is the one deadline
    bodyTimeout: 0,
  });
  return {
    status: answer.statusCode,
    headers: headersOf(answer.headers),
    body: new Uint8Array(await answer.body.arrayBuffer()),
  };
}

function headersOf(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

/**
 * Once a connection stands, nothing proves that a request was not read: only failures to find or
 * reach the other side, and our own refusals to send, do.
 */
function asTransportError(error: unknown): TransportError {
  const code = wordIn(error, 'code');
  const syscall = wordIn(error, 'syscall');
  const neverLeft =
    syscall === 'getaddrinfo' ||
    syscall === 'connect' ||
    error instanceof errors.ConnectTimeoutError ||
    error instanceof errors.InvalidArgumentError ||
    isCertificateMatter(code);
  return new TransportError(describe(error, code), neverLeft ? 'no' : 'maybe', error);
}

/** TLS is agreed on before the first byte of a request. */
function isCertificateMatter(code: string): boolean {
  return /^(ERR_TLS_|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_SSL_|EPROTO)/.test(code);
}

function describe(error: unknown, code: string): string {
  if (error instanceof errors.ResponseExceededMaxSizeError)
    return 'the answer is larger than 8 MiB';
  const message = messageOf(error);
  return code === '' || message.includes(code) ? message : `${code}: ${message}`;
}

function wordIn(error: unknown, field: 'code' | 'syscall'): string {
  const value: unknown =
    error instanceof Error ? Object.getOwnPropertyDescriptor(error, field)?.value : undefined;
  return typeof value === 'string' ? value : '';
}

/** Signed headers go over plain HTTP only when they stay on this machine. */
function originOf(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) throw new ConfigError('base-url is no address', 'write https://HOST');
  const url = new URL(baseUrl);
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isHere)) {
    throw new ConfigError(
      `base-url must be https://; ${url.protocol}//${url.host} would show your key to the network`,
      'plain http:// is allowed for 127.0.0.1, [::1] and localhost',
    );
  }
  return url.origin;
}
