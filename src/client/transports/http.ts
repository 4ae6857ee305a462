/** Requests over HTTP: the only importer of undici; decides which requests were certainly not sent. */
import { errors, Pool, type Dispatcher } from 'undici';
import { second } from '../../base/clock.ts';
import { ConfigError, InternalError, messageOf } from '../../base/error.ts';
import { isLoopbackName } from '../../base/host.ts';
import { fieldOf } from '../../base/json.ts';
import {
  TransportError,
  type Transport,
  type WireRequest,
  type WireResponse,
} from '../../api/exchange.ts';
import { operationOf } from '../../api/operations/index.ts';

export interface HttpTransport {
  readonly transport: Transport;
  /** Closes all connections. */
  readonly close: () => Promise<void>;
}

const answerMax = 8 * 1024 * 1024; // bytes; the largest page of the interface is below 1 MiB
const connectTimeoutMs = 5 * second;
const idleMs = 2 * second; // below what servers allow: a connection that they close is never reused
const connections = 16;

/**
 * A transport to one exchange. Reads share kept-alive connections; a write that must not be
 * duplicated gets its own connection, because a reused one may be closed meanwhile. Redirects are
 * never followed.
 * @throws ConfigError when the address is not https:// and not of this machine
 */
export function httpTransport({ baseUrl }: { readonly baseUrl: string }): HttpTransport {
  const origin = originOf(baseUrl);
  const common = {
    // Set here, so that no environment variable can disable the verification.
    connect: { timeout: connectTimeoutMs, rejectUnauthorized: true },
    connections,
    maxResponseSize: answerMax,
    keepAliveMaxTimeout: idleMs,
    keepAliveTimeout: idleMs,
    headersTimeout: 0, // the caller's signal is the one deadline
    bodyTimeout: 0,
  };
  const reads = new Pool(origin, { ...common, pipelining: 1 });
  const writes = new Pool(origin, { ...common, pipelining: 0 });
  return {
    transport: async (request, signal) => {
      const { effect } = operationOf(request.operation);
      const isRepeatable = effect === 'read' || effect === 'set';
      return exchangeOnce(isRepeatable ? reads : writes, request, signal);
    },
    close: async () => {
      await Promise.all([reads.destroy(), writes.destroy()]);
    },
  };
}

async function exchangeOnce(
  pool: Pool,
  { method, path, query, headers, body }: WireRequest,
  signal: AbortSignal,
): Promise<WireResponse> {
  return new Promise((resolve, reject) => {
    const reception = new Reception(signal, { resolve, reject });
    const sent = {
      path: query === '' ? path : `${path}?${query}`,
      method,
      headers: { 'user-agent': 'deskhand', ...headers },
      body: body === '' ? null : body,
    };
    pool.dispatch(sent, reception);
  });
}

interface Settling {
  readonly resolve: (response: WireResponse) => void;
  readonly reject: (error: TransportError) => void;
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

  /** Called again for each informational response; the last one counts. */
  onResponseStart(_: unknown, status: number, headers: Dispatcher.ResponseData['headers']): void {
    this.#status = status;
    this.#headers = headersOf(headers);
  }

  onResponseData(_: unknown, chunk: Uint8Array): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#signal.removeEventListener('abort', this.#giveUp);
    const body = Buffer.concat(this.#chunks);
    this.#settle.resolve({ status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_: unknown, error: unknown): void {
    this.#signal.removeEventListener('abort', this.#giveUp);
    const sent = this.#controller === undefined ? 'no' : 'maybe';
    this.#settle.reject(new TransportError(describe(error), sent, causeOf(error)));
  }

  readonly #giveUp = (): void => {
    const reason: unknown = this.#signal.reason;
    this.onResponseError(undefined, reason);
    this.#controller?.abort(reason instanceof Error ? reason : new Error(messageOf(reason)));
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

/** A request that undici refuses to write is an internal error, and a retry would not help. */
function causeOf(error: unknown): unknown {
  if (!(error instanceof errors.InvalidArgumentError)) return error;
  return new InternalError('a request could not be written', error);
}

function describe(error: unknown): string {
  if (error instanceof errors.ResponseExceededMaxSizeError) {
    return 'the response is larger than 8 MiB';
  }
  const code: unknown = fieldOf(error, 'code');
  const message = messageOf(error) || 'the connection failed'; // several addresses leave it empty
  return typeof code !== 'string' || message.includes(code) ? message : `${code}: ${message}`;
}

/** Signed headers are sent over plain HTTP only within this machine. */
function originOf(baseUrl: string): string {
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
  return url.origin;
}
