/** Requests over HTTP, and the judge of what surely never left. */
import {
  Agent,
  request as plainRequest,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { deadline, second } from '../../base/clock.ts';
import { ConfigError, InternalError, messageOf } from '../../base/error.ts';
import { fieldOf } from '../../base/json.ts';
import {
  TransportError,
  type Transport,
  type WireRequest,
  type WireResponse,
} from '../../contract/exchange.ts';
import { operationOf } from '../../contract/operations/index.ts';

export interface HttpTransport {
  readonly transport: Transport;
  /** Cuts off what is under way. */
  readonly close: () => Promise<void>;
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
  const { hostname, port, protocol } = originOf(baseUrl);
  const isSecure = protocol === 'https:';
  // The check is said here, so that no variable of the environment can switch it off.
  const common = { maxSockets: connections, rejectUnauthorized: true };
  const agentWith = isSecure
    ? (options: object): Agent => new SecureAgent({ ...common, ...options })
    : (options: object): Agent => new Agent({ ...common, ...options });
  const reads = agentWith({ keepAlive: true, timeout: idleMs });
  const writes = agentWith({ keepAlive: false });
  const line: Line = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port,
    isSecure,
    standing: new WeakSet(),
    open: new Set(),
  };
  return {
    transport: async (request, signal) => {
      const { effect } = operationOf(request.operation);
      const isRepeatable = effect === 'read' || effect === 'set';
      const headers = { ...request.headers, connection: isRepeatable ? 'keep-alive' : 'close' };
      const agent = isRepeatable ? reads : writes;
      return exchangeOnce({ ...request, headers }, agent, line, signal);
    },
    close: async () => {
      for (const sent of line.open) sent.destroy(new Error('the transport was closed'));
      reads.destroy();
      writes.destroy();
    },
  };
}

interface Line {
  readonly host: string;
  readonly port: string;
  readonly isSecure: boolean;
  /** Connections whose handshake is done: what is written to them leaves at once. */
  readonly standing: WeakSet<object>;
  readonly open: Set<ClientRequest>;
}

/**
 * Sends a request and receives its answer. Not a byte of it is written before its connection
 * stands: until then nothing can have left, whatever went wrong; from then on nothing proves that
 * the other side has not read it all, for a connection can break after as well as before.
 */
function exchangeOnce(
  request: WireRequest,
  agent: Agent,
  line: Line,
  signal: AbortSignal,
): Promise<WireResponse> {
  return new Promise((resolve, reject) => {
    let stands = false;
    let isOver = false;
    let patience: ReturnType<typeof deadline> | undefined;
    const settled = (): void => {
      isOver = true;
      patience?.cancel();
      signal.removeEventListener('abort', giveUp);
    };
    const fail = (error: unknown): void => {
      settled();
      reject(new TransportError(describe(error), stands ? 'maybe' : 'no', error));
    };
    const giveUp = (): void => {
      fail(signal.reason);
      sent?.destroy();
    };
    let sent: ClientRequest | undefined;
    if (signal.aborted) {
      giveUp();
      return;
    }
    try {
      sent = begin(request, agent, line);
    } catch (error) {
      // It would be refused as often as it was tried: that is our mistake.
      fail(new InternalError('a request could not be written', error));
      return;
    }
    const asking = sent;
    signal.addEventListener('abort', giveUp);
    asking.once('socket', (socket) => {
      stands = line.standing.has(socket);
      if (stands) return;
      const late = new Error('no connection within 5 s');
      patience = deadline(connectTimeoutMs, late);
      patience.signal.addEventListener('abort', () => asking.destroy(late));
      socket.once(line.isSecure ? 'secureConnect' : 'connect', () => {
        patience?.cancel();
        line.standing.add(socket);
        stands = true;
      });
    });
    asking.on('error', fail);
    asking.once('close', () => {
      line.open.delete(asking);
      if (!isOver) fail(new Error('the connection was closed'));
    });
    asking.once('response', (response) => {
      response.on('error', fail);
      received(response, asking, (answer) => {
        settled();
        resolve(answer);
      });
    });
    line.open.add(asking);
    asking.end(request.body);
  });
}

/** @throws when a header holds what no header may; nothing is under way then */
function begin(
  { method, path, query, headers }: WireRequest,
  agent: Agent,
  { host, port, isSecure }: Line,
): ClientRequest {
  const send = isSecure ? secureRequest : plainRequest;
  return send({
    host,
    port,
    method,
    path: query === '' ? path : `${path}?${query}`,
    headers: { 'user-agent': 'deskhand', ...headers },
    agent,
  });
}

/** Takes a whole answer in; one that is too long ends the request. */
function received(
  response: IncomingMessage,
  asking: ClientRequest,
  done: (answer: WireResponse) => void,
): void {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  response.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes > answerMax) asking.destroy(new Error('the answer is larger than 8 MiB'));
    else chunks.push(chunk);
  });
  response.once('end', () => {
    const [first = new Uint8Array()] = chunks;
    const body = chunks.length > 1 ? Buffer.concat(chunks) : first;
    done({ status: response.statusCode ?? 0, headers: headersOf(response), body });
  });
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

function describe(error: unknown): string {
  const code: unknown = fieldOf(error, 'code');
  const message = messageOf(error) || 'the connection failed'; // several addresses leave it empty
  return typeof code !== 'string' || message.includes(code) ? message : `${code}: ${message}`;
}

/** Signed headers go over plain HTTP only when they stay on this machine. */
function originOf(baseUrl: string): URL {
  if (!URL.canParse(baseUrl)) throw new ConfigError('base-url is no address', 'write https://HOST');
  const url = new URL(baseUrl);
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isHere)) {
    throw new ConfigError(
      `base-url must be https://; ${url.protocol}//${url.host} would show your key to the network`,
      'plain http:// is allowed for 127.0.0.1, [::1] and localhost',
    );
  }
  return url;
}
