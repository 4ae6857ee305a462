/** The sandbox over HTTP: strict checks on loopback, then the same gateway as in process. */
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions as ServerLimits,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { minute, second, type Millis } from '../base/clock.ts';
import { assert, ConfigError, messageOf } from '../base/error.ts';
import { isRecord } from '../base/json.ts';
import { plainText } from '../base/text.ts';
import { controlPath } from './control.ts';
import { refused, type RawRequest, type RawResponse } from './gateway/request.ts';
import { carry, send } from './http/carry.ts';
import {
  bodyTooLarge,
  checkHead,
  hostNames,
  isLoopback,
  isStrangelyFramed,
  limits,
  parserRefusal,
} from './http/door.ts';
import { bodyReader } from './http/body.ts';
import { Request } from './http/request.ts';
import { Refusal } from './refusal.ts';
import type { Sandbox } from './sandbox.ts';

export interface ServerOptions {
  /** The address to listen on; default: loopback. */
  readonly host?: string;
  /** The port; 0 picks a free one. */
  readonly port: number;
  /** The bearer token of the control interface; without one it only answers loopback. */
  readonly token?: string;
  /**
   * The time limit for a request to arrive completely; its head has two thirds of it. Default: 15
   * s.
   */
  readonly patience?: Millis;
}

export interface RunningServer {
  readonly baseUrl: string;
  readonly controlUrl: string;
  close(): Promise<void>;
}

/** Serves the sandbox until it is closed. Requests in progress are then aborted. */
export async function startServer(
  sandbox: Sandbox,
  options: ServerOptions,
): Promise<RunningServer> {
  const { host = '127.0.0.1', port, patience = 15 * second } = options;
  // The end of a request in another coding is unknown: later bytes are not a request.
  const ending = new WeakSet<Duplex>();
  const receive = receiver(sandbox, { ...options, host });
  const server = createServer(
    { ...limitsOf(patience), IncomingMessage: Request },
    (request, answer) => {
      if (ending.has(request.socket)) return;
      if (isStrangelyFramed(request)) {
        ending.add(request.socket);
        answer.shouldKeepAlive = false;
      }
      receive(request, answer);
    },
  );
  server.maxConnections = 256;
  server.maxHeadersCount = 0; // counted by our own check, whose response is an envelope
  answerParserErrors(server, ending, () => sandbox.now());
  const address = await listening(server, host, port);
  const baseUrl = `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
  return {
    baseUrl,
    controlUrl: `${baseUrl}${controlPath.slice(0, -1)}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

type Receive = (request: IncomingMessage, answer: ServerResponse) => void;

/** Checks the head of a request, reads its body, and answers it. */
function receiver(
  sandbox: Sandbox,
  { host, token }: { readonly host: string; readonly token?: string },
): Receive {
  // From other machines the control interface requires a token.
  const mayControl = isLoopback(host) || token !== undefined;
  const hosts = hostNames(host);
  const readBody = bodyReader();
  const serve = (request: IncomingMessage, answer: ServerResponse, body: Buffer): void => {
    const raw = rawRequest(request, body);
    if (raw.target.startsWith(controlPath) && mayControl) {
      return send(answer, sandbox.controlResponse(raw, token));
    }
    const delivery = sandbox.deliver(raw);
    if (delivery.kind === 'whole') return send(answer, delivery.response);
    carry(delivery, answer, { clock: sandbox.clock, signal: closeOf(answer) }).catch(() => {
      answer.destroy(); // the client has disconnected, or the server closes
    });
  };
  return (request, answer) => {
    const turnDown = (error: unknown): void => {
      request.resume(); // the rest of the body is read and dropped, so that the response arrives
      send(answer, refused(refusalOf(error), sandbox.now()));
    };
    try {
      checkHead(request, hosts);
    } catch (error) {
      return turnDown(error);
    }
    readBody(request, (body) => {
      try {
        if (body.length > limits.bodyBytes) throw bodyTooLarge();
        serve(request, answer, body);
      } catch (error) {
        turnDown(error);
      }
    });
  };
}

/**
 * Time limits for requests: a client that sends nothing, or never finishes, gets a response and is
 * disconnected.
 */
function limitsOf(patience: Millis): ServerLimits {
  const between = patience / 15; // interval of two checks: a late client is disconnected at the next
  return {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: (patience * 2) / 3,
    requestTimeout: patience - between,
    connectionsCheckingInterval: between,
    keepAliveTimeout: minute,
    requireHostHeader: false, // checked by ourselves, with an envelope as the response
  };
}

/** The refusal for an error: every error response is an envelope, even of an internal error. */
function refusalOf(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal('25001', plainText(messageOf(error)), 500);
}

/** The prefix of an IPv4 address in the notation of a dual-stack socket. */
const mapped = '::ffff:';

function rawRequest(request: IncomingMessage, body: Buffer): RawRequest {
  const address = request.socket.remoteAddress ?? '';
  return {
    method: request.method ?? '',
    target: request.url ?? '',
    headers: request.headers,
    body,
    ip: address.startsWith(mapped) ? address.slice(mapped.length) : address,
  };
}

/**
 * A signal that is aborted when the connection of a response ends, by the client or the server.
 */
function closeOf(answer: ServerResponse): AbortSignal {
  const controller = new AbortController();
  answer.once('close', () => controller.abort(new Error('the connection has ended')));
  return controller.signal;
}

/** Answers with an envelope even a request that is not HTTP. */
function answerParserErrors(server: Server, ending: WeakSet<Duplex>, now: () => number): void {
  const reply = (socket: Duplex, refusal: Refusal): void => {
    if (socket.writable) socket.end(rawAnswer(refused(refusal, now())));
    else socket.destroy();
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else if (ending.has(socket)) socket.end();
    // Complete requests before it in the same bytes are answered first.
    else setImmediate(() => reply(socket, parserRefusal(error.code)));
  });
  server.on('connect', (_request, socket) => reply(socket, new Refusal('40405', 'CONNECT')));
  server.on('checkExpectation', (_request: IncomingMessage, answer: ServerResponse) => {
    send(answer, refused(new Refusal('40020', 'Expect', 417), now()));
  });
}

function rawAnswer({ status, headers, body }: RawResponse): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = `content-length: ${body.length}\r\nconnection: close\r\n`;
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status} Refused\r\n${lines.join('')}${length}\r\n`),
    body,
  ]);
}

function listening(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const isTaken = isRecord(error) && error['code'] === 'EADDRINUSE';
      reject(
        isTaken ? new ConfigError(`port ${port} is taken`, 'choose another with --port') : error,
      );
    });
    server.listen(port, host, () => {
      const address = server.address();
      assert(address !== null && typeof address === 'object', 'a listening server has an address');
      resolve(address);
    });
  });
}
