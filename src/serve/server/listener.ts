/** The address at which the server listens: on loopback, by TLS, or on a unix socket for a proxy. */
import { chmod, lstat, unlink } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { second, type Millis } from '../../base/clock.ts';
import { isCode, UsageError } from '../../base/error.ts';
import { hasSocketFiles, thisSystem, type System } from '../../base/platform/system.ts';
import type { Certificate } from './certificate.ts';
import type { NodeRequest } from './client.ts';
import type { Caller } from './caller.ts';
import { limitedConnections, type Connections } from './connections.ts';

export type ListenAddress =
  | {
      readonly kind: 'loopback';
      /** The port; 0 picks a free one. */
      readonly port: number;
      /** Whether browsers address the server as `localhost`, which may be an IPv6 address. */
      readonly isNamed: boolean;
    }
  | {
      readonly kind: 'tls';
      readonly host: string;
      readonly port: number;
      readonly certificate: Certificate;
    }
  | { readonly kind: 'socket'; readonly path: string };

export interface Handlers {
  readonly handle: (request: Request, node: NodeRequest) => Response | Promise<Response>;
  /** The session that a request is signed in with; undefined for a stranger. */
  readonly caller: (request: IncomingMessage) => Caller | undefined;
}

export interface Listener {
  /** The port; 0 for a unix socket. */
  readonly port: number;
  /** Uses a new certificate for connections from now on. */
  renew(certificate: Certificate): void;
  close(): Promise<void>;
}

/** Limits of a client's time, and of the bytes it sends before a route sees them. */
export interface ClientLimits {
  readonly headers: Millis;
  /**
   * The time for a whole request; a stream of events is an answer and takes as long as it takes.
   */
  readonly request: Millis;
  /** The interval between checks of the two limits above. */
  readonly check: Millis;
  /** How long a client may read nothing of an answer that waits for it. */
  readonly stalled: Millis;
  readonly connections: number;
}

const usualLimits: ClientLimits = {
  headers: 10 * second,
  request: 30 * second,
  check: 5 * second,
  stalled: 60 * second, // above the heartbeat of streams
  connections: 2_000,
};

const loopback = '127.0.0.1';
const headerBytes = 16 * 1024;

/**
 * Listens for requests. @throws UsageError for a path that is not ours, or the error of the system
 */
export async function listen(
  place: ListenAddress,
  handlers: Handlers,
  limits: ClientLimits = usualLimits,
): Promise<Listener> {
  const options = {
    maxHeaderSize: headerBytes,
    headersTimeout: limits.headers,
    requestTimeout: limits.request,
    connectionsCheckingInterval: limits.check,
  };
  const connections = limitedConnections(limits.connections);
  const { respond, endStalled } = answering(handlers, connections);
  const tls =
    place.kind === 'tls'
      ? createTlsServer(
          {
            ...options,
            ...place.certificate,
            ...tlsVersions,
            handshakeTimeout: limits.headers,
          },
          respond,
        )
      : undefined;
  const http = tls ?? createServer(options, respond);
  const limited = (server: Server): Server => {
    server.on('connection', (socket) => connections.add(socket));
    server.timeout = limits.stalled;
    return server.on('timeout', endStalled);
  };
  limited(http);
  if (place.kind === 'socket') await removeOld(place.path);
  await bound(http, place);
  const address = http.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const isNamed = place.kind === 'loopback' && place.isNamed;
  const others = isNamed ? await onIpv6(limited(createServer(options, respond)), port) : [];
  return {
    port,
    renew: (certificate) => tls?.setSecureContext({ ...certificate, ...tlsVersions }),
    close: async () => {
      await Promise.all([http, ...others].map(closed));
    },
  };
}

/** Only suites with forward secrecy and authenticated encryption. */
const tlsVersions = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_128_GCM_SHA256',
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
  ].join(':'),
} as const;

interface Answering {
  readonly respond: (incoming: IncomingMessage, outgoing: ServerResponse) => void;
  /** Ends a connection on which nothing was sent or received for a while. */
  readonly endStalled: (socket: Socket) => void;
}

/**
 * Tracks connections that wait for an answer. A route may take minutes before it answers, and a
 * stream of events is silent between two of them. But a client that does not read the answer would
 * keep its connection permanently.
 */
function answering({ handle, caller }: Handlers, connections: Connections): Answering {
  const answer = getRequestListener(handle);
  const open = new WeakMap<Socket, number>(); // answers that were not sent in full
  const change = (socket: Socket, by: number): void =>
    void open.set(socket, (open.get(socket) ?? 0) + by);
  return {
    respond: (incoming, outgoing) => {
      const { socket } = incoming;
      change(socket, 1);
      const answered = connections.begin(socket, caller(incoming));
      outgoing.once('close', () => {
        change(socket, -1);
        answered();
      });
      void answer(incoming, outgoing);
    },
    endStalled: (socket) => {
      const isWorking = (open.get(socket) ?? 0) > 0 && socket.writableLength === 0;
      if (!isWorking) socket.destroy();
    },
  };
}

function closed(http: Server): Promise<void> {
  return new Promise((resolve) => {
    http.close(() => resolve());
    http.closeAllConnections();
  });
}

/**
 * Listens on the IPv6 address of `localhost`, too. Browsers try it first: another program there
 * would receive our links.
 * @returns none on a machine without IPv6, where no program can listen there
 * @throws UsageError when another program does
 */
async function onIpv6(http: Server, port: number): Promise<readonly Server[]> {
  try {
    await new Promise<void>((resolve, reject) => {
      http.once('error', reject);
      http.once('listening', resolve);
      http.listen({ port, host: '::1', ipv6Only: true });
    });
    return [http];
  } catch (error) {
    if (isCode(error, 'EADDRNOTAVAIL') || isCode(error, 'EAFNOSUPPORT')) return [];
    if (!isCode(error, 'EADDRINUSE')) throw error;
    throw new UsageError(
      `another program listens on [::1]:${port}, and browsers would open it for localhost`,
      'end it, or use another port: --port 8790',
    );
  }
}

async function bound(http: Server, place: ListenAddress): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.once('listening', resolve);
    switch (place.kind) {
      case 'loopback':
        http.listen(place.port, loopback);
        break;
      case 'tls':
        http.listen(place.port, place.host);
        break;
      case 'socket':
        http.listen(place.path);
    }
  });
  // The socket is open to its owner and to its group, which the proxy has.
  if (place.kind === 'socket') await chmod(place.path, 0o660);
}

/** Refuses unix sockets. @throws UsageError on a system without them */
export function refuseSockets(system: System = thisSystem): void {
  if (hasSocketFiles(system)) return;
  throw new UsageError(
    '--listen: this system has no sockets that are files',
    'listen on HOST:PORT with TLS: --listen 0.0.0.0:8443',
  );
}

/** Removes a socket that remains after a crash, if no server listens on it. @throws UsageError */
async function removeOld(path: string): Promise<void> {
  refuseSockets();
  const found = await lstat(path).catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (found === undefined) return;
  if (!found.isSocket()) {
    throw new UsageError(`--listen: ${path} exists and is not a socket`, 'name another path');
  }
  if (await isUsed(path)) {
    throw new UsageError(`--listen: another process listens on ${path}`, 'stop it first');
  }
  await unlink(path);
}

function isUsed(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error) => {
      if (isCode(error, 'ECONNREFUSED') || isCode(error, 'ENOENT')) resolve(false);
      else reject(error);
    });
  });
}
