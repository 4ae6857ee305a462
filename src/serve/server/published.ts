/** Publishes the port of a container to its host. The server stays on loopback: connections that come
 * from the host are passed on to it, and those of other containers and machines are closed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { UsageError } from '../../base/error.ts';

export interface Published {
  /** IPv4 addresses of this container, other than loopback. */
  readonly own: readonly string[];
  /** Addresses from which the container's host connects. */
  readonly hosts: readonly string[];
}

/** Files that Docker and Podman put into a container. */
const usualMarks = ['/.dockerenv', '/run/.containerenv'];

/**
 * The addresses of this container.
 * @param marks files of which a container has one
 * @throws UsageError outside a container, where the port would be open to the network
 */
export function publishedHere(marks: readonly string[] = usualMarks): Published {
  if (!marks.some((mark) => existsSync(mark))) {
    throw new UsageError(
      '--published is for a container of Docker or Podman, whose host publishes the port',
      'leave it out to serve this machine only',
    );
  }
  const own = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .flatMap(({ family, internal, address }) => (family === 'IPv4' && !internal ? [address] : []));
  return { own, hosts: gatewaysIn(readFileSync('/proc/net/route', 'utf8')) };
}

/** The gateways of the default routes in the text of `/proc/net/route`: a container's is its host. */
export function gatewaysIn(text: string): readonly string[] {
  const gateways = text.split('\n').flatMap((line) => {
    const [, destination, gateway = ''] = line.split(/\s+/);
    if (destination !== '00000000' || !/^[0-9A-F]{8}$/i.test(gateway)) return [];
    const bytes = Buffer.from(gateway, 'hex').toReversed(); // of a little-endian machine
    return [bytes.join('.')];
  });
  return [...new Set(gateways)].filter((gateway) => gateway !== '0.0.0.0');
}

const connectionsMax = 500; // a browser has six

/**
 * Passes connections from the host on to the server.
 * @param port of the server on loopback, and the published one
 * @returns a function that ends all connections
 * @throws the error of the system when the port is taken
 */
export async function passOn(port: number, { own, hosts }: Published): Promise<() => void> {
  const admitted = new Set([...own, ...hosts]);
  const open = new Set<Socket>();
  const pass = (outer: Socket): void => {
    if (!admitted.has(outer.remoteAddress ?? '')) {
      outer.destroy();
      return;
    }
    const inner = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    for (const [socket, other] of [
      [outer, inner],
      [inner, outer],
    ] as const) {
      open.add(socket);
      socket.on('error', () => other.destroy()); // one side is gone: so is the other
      socket.on('close', () => {
        open.delete(socket);
        if (!socket.readableEnded) other.destroy(); // else what it sent is still on its way
      });
    }
    outer.pipe(inner);
    inner.pipe(outer);
  };
  const servers = await Promise.all(own.map((address) => listening(address, port, pass)));
  return () => {
    for (const server of servers) server.close();
    for (const socket of open) socket.destroy();
  };
}

function listening(address: string, port: number, pass: (socket: Socket) => void): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer({ allowHalfOpen: true }, pass);
    server.maxConnections = connectionsMax;
    server.once('error', reject);
    server.listen(port, address, () => resolve(server));
  });
}
