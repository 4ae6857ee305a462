/** Requests over HTTP: the only importer of undici; decides which requests were certainly not sent. */
import type { Socket } from 'node:net';
import { buildConnector, Client, errors, type Dispatcher } from 'undici';
import { second, systemClock, type Clock } from '../../../base/clock.ts';
import { ConfigError, InternalError, messageOf, networkMessageOf } from '../../../base/error.ts';
import { isLoopbackName } from '../../../base/host.ts';
import { fieldOf } from '../../../base/json.ts';
import { ProxyError, shownProxy, type Proxy } from '../../../base/proxy.ts';
import { userAgent } from '../../../base/version.ts';
import {
  TransportError,
  type Transport,
  type WireRequest,
  type WireResponse,
} from '../../api/exchange.ts';
import { decodedBody } from './content-coding.ts';
import { connectionsTo, warmFor, type Connections } from './connections.ts';

export interface HttpTransport {
  readonly transport: Transport;
  /** Closes all connections. */
  readonly close: () => Promise<void>;
}

const answerMax = 8 * 1024 * 1024; // bytes; the largest page of the interface is below 1 MiB
const connectTimeoutMs = 5 * second;

export interface HttpOptions {
  readonly baseUrl: string;
  /** Certificates of a private authority in PEM, trusted instead of those of the system. */
  readonly ca?: string;
  /**
   * The proxy: all connections are tunnels through it; the caller decides whether the environment's is
   * used.
   */
  readonly proxy?: Proxy;
  readonly clock?: Clock;
}

/**
 * A transport to one exchange. A connection is used again only within two seconds of a whole
 * response, with nothing pending on it: a write on a connection that its server closes meanwhile
 * would be in doubt. Redirects are never followed.
 * @throws ConfigError when the address is not https:// and not of this machine
 */
export function httpTransport(options: HttpOptions): HttpTransport {
  const { baseUrl, proxy, clock = systemClock } = options;
  const origin = originOf(baseUrl, proxy);
  const connect = proxy === undefined ? connectorWith(options) : tunnelConnector(proxy, options);
  const settings = {
    connect,
    pipelining: 1,
    maxResponseSize: answerMax,
    keepAliveMaxTimeout: warmFor,
    keepAliveTimeout: warmFor,
    headersTimeout: 0, // the caller's signal is the only deadline
    bodyTimeout: 0,
  };
  const connections = connectionsTo(() => new Client(origin, settings), clock);
  const transport: Transport = (request, signal) =>
    exchangeOnce(connections, { request, signal, proxy });
  return {
    transport: Object.assign(transport, { releasesSignal: true as const }),
    close: () => connections.close(),
  };
}

/**
 * Makes one connector for all connections: they resume each other's TLS sessions. It sets the
 * verification of certificates, so that no environment variable can disable it.
 */
function connectorWith({ ca }: HttpOptions): buildConnector.connector {
  return buildConnector({
    timeout: connectTimeoutMs,
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
  });
}

/**
 * Connects through a tunnel. undici gets the connection when it would get a direct one: after the
 * tunnel and its TLS handshake, so whatever failed until then, nothing was sent. undici's own
 * ProxyAgent connects again without end while a proxy closes the connection instead of answering
 * CONNECT.
 */
function tunnelConnector(proxy: Proxy, options: HttpOptions): buildConnector.connector {
  const connectTls = connectorWith(options);
  const { ca } = options;
  return (target, opened) => {
    const { hostname: host, port, protocol } = target;
    const isTls = protocol === 'https:';
    const attach = (socket: Socket): void => {
      if (!isTls) return opened(null, socket);
      connectTls({ ...target, httpSocket: socket }, (...[error, secured]) => {
        if (error === null) opened(null, secured);
        else opened(tunnelFailure(error, proxy, target), null);
      });
    };
    const open = async (): Promise<void> => {
      const { openTunnel } = await import('../../../base/tunnel.ts');
      const server = { host, port: Number(port || (isTls ? 443 : 80)) };
      const settings = { timeoutMs: connectTimeoutMs, ...(ca !== undefined && { ca }) };
      await openTunnel(server, proxy, attach, settings);
    };
    open().catch((error: Error) => opened(error, null));
  };
}

/** The certificate may be that of the proxy, and the connection may have ended there. */
function tunnelFailure(
  error: Error,
  proxy: Proxy,
  { hostname }: buildConnector.Options,
): ProxyError {
  const message = `no TLS connection to ${hostname} through the proxy ${shownProxy(proxy)}: ${describe(error)}`;
  return new ProxyError(message, {
    hint: 'check that the proxy passes TLS on, and which certificate it shows',
    cause: error,
  });
}

interface Sending {
  readonly request: WireRequest;
  readonly signal: AbortSignal;
  readonly proxy: Proxy | undefined;
}

function exchangeOnce(
  connections: Connections<Client>,
  { request, signal, proxy }: Sending,
): Promise<WireResponse> {
  const { method, path, query, headers, body } = request;
  const unopened = (): Error => unopenedBy(signal.reason, proxy);
  return new Promise((resolve, reject) => {
    const reception = new Reception(signal, { resolve, reject, unopened });
    const sent = {
      path: query === '' ? path : `${path}?${query}`,
      method,
      headers: { 'user-agent': userAgent, ...headers },
      body: body === '' ? null : body,
    };
    void connections.take().then((client) => {
      if (signal.aborted) return connections.give(client, false);
      reception.onOver = (isWhole) => connections.give(client, isWhole);
      client.dispatch(sent, reception);
      return undefined;
    });
  });
}

/** The error of an aborted request that still waited for its connection. */
function unopenedBy(reason: unknown, proxy: Proxy | undefined): Error {
  const because = messageOf(reason);
  if (proxy === undefined) return new Error(`no connection was opened: ${because}`);
  const message = `no connection was opened through the proxy ${shownProxy(proxy)}: ${because}`;
  return new ProxyError(message, {
    hint: `check the proxy in ${proxy.from}, and whether it reaches the server`,
    cause: reason,
  });
}

interface Settling {
  readonly resolve: (response: WireResponse) => void;
  readonly reject: (error: TransportError) => void;
  /** The error if the signal is aborted before anything is sent. */
  readonly unopened: () => Error;
}

/**
 * Receives one response. undici calls `onRequestStart` right before it writes the first byte of a
 * request: until then nothing was sent, whatever failed; after that the server may have received
 * all of it, because a connection can also break afterwards.
 */
class Reception implements Dispatcher.DispatchHandler {
  readonly #settle: Settling;
  readonly #signal: AbortSignal;
  readonly #chunks: Uint8Array[] = [];
  /** Called once when the connection is free, with whether the response on it was complete. */
  onOver: (isWhole: boolean) => void = () => undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: Readonly<Record<string, string>> = {};

  constructor(signal: AbortSignal, settle: Settling) {
    this.#signal = signal;
    this.#settle = settle;
    signal.addEventListener('abort', this.#giveUp);
    if (signal.aborted) this.#giveUp();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#signal.aborted) {
      controller.abort(new Error('canceled before it was sent'));
    } else if (this.#controller !== undefined) {
      controller.abort(new Error('a request is written only once'));
    } else {
      this.#controller = controller;
    }
  }

  /** Called for each response head, also informational ones; the last one counts. */
  onResponseStart(_: unknown, status: number, headers: Dispatcher.ResponseData['headers']): void {
    this.#status = status;
    this.#headers = headersOf(headers);
  }

  onResponseData(_: unknown, chunk: Uint8Array): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#signal.removeEventListener('abort', this.#giveUp);
    const { 'content-encoding': codings = '', ...headers } = this.#headers;
    const decoded = decodedBody(wholeOf(this.#chunks), codings, answerMax);
    this.#free(true);
    if ('problem' in decoded) {
      this.#settle.reject(new TransportError(decoded.problem, 'maybe'));
    } else {
      this.#settle.resolve({ status: this.#status, headers, body: decoded.body });
    }
  }

  onResponseError(_: unknown, error: unknown): void {
    this.#signal.removeEventListener('abort', this.#giveUp);
    const sent = this.#controller === undefined ? 'no' : 'maybe';
    this.#settle.reject(new TransportError(describe(error), sent, causeOf(error)));
    this.#free(false); // ends a request that waits for its connection, which is not the reason
  }

  /**
   * Releases the connection. One that is not whole is closed with its request: nothing of the request
   * is written later.
   */
  #free(isWhole: boolean): void {
    const { onOver } = this;
    this.onOver = () => undefined;
    onOver(isWhole);
  }

  readonly #giveUp = (): void => {
    const isSent = this.#controller !== undefined;
    this.onResponseError(undefined, isSent ? this.#signal.reason : this.#settle.unopened());
  };
}

/** The bytes of a body, which nearly always come as one piece. */
function wholeOf(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  return only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
}

function headersOf(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    texts[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : (value ?? '');
  }
  return texts;
}

/** A request that undici refuses to write is an internal error, and a retry would not help. */
function causeOf(error: unknown): unknown {
  if (!(error instanceof errors.InvalidArgumentError)) return error;
  return new InternalError('a request could not be written', error);
}

function describe(error: unknown): string {
  if (error instanceof ProxyError) return error.message;
  if (error instanceof errors.ResponseExceededMaxSizeError) {
    return 'the response is larger than 8 MiB';
  }
  const code: unknown = fieldOf(error, 'code');
  const message = networkMessageOf(error) || 'the connection failed'; // an AggregateError has no message
  return typeof code !== 'string' || message.includes(code) ? message : `${code}: ${message}`;
}

/** Signed headers are sent over plain HTTP only within this machine. */
function originOf(baseUrl: string, proxy: Proxy | undefined): string {
  if (!URL.canParse(baseUrl))
    throw new ConfigError('base-url is not an address', 'write https://HOST');
  const url = new URL(baseUrl);
  const isHere = isLoopbackName(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isHere)) {
    throw new ConfigError(
      `base-url must be https://; ${url.protocol}//${url.host} would show your key to the network`,
      'plain http:// is allowed for 127.0.0.1, [::1] and localhost',
    );
  }
  if (url.protocol === 'http:' && proxy !== undefined && !isLoopbackName(proxy.url.hostname)) {
    throw new ConfigError(
      `base-url is http://, and the proxy ${shownProxy(proxy)} would show your key to the network`,
      'set proxy: none for this profile, or use https://',
    );
  }
  return url.origin;
}
