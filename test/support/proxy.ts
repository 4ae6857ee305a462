/** A real HTTP proxy for CONNECT, over TCP or TLS, which connects every name to one port of this machine. */
import {
  createServer as createPlain,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
} from 'node:http';
import { createServer as createTls } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';

export interface TestProxy {
  readonly port: number;
  /** `http://127.0.0.1:PORT`, with a login if it requires one. */
  readonly url: string;
  /** Every CONNECT: the server that was asked for, and the headers. */
  readonly asked: readonly { readonly server: string; readonly headers: IncomingHttpHeaders }[];
  /** Connections that are open now. */
  open(): number;
  /** Ends all tunnels, as a proxy that is restarted. */
  drop(): void;
  close(): Promise<void>;
}

export interface TestProxyOptions {
  /** The port that every tunnel leads to, or the one of a server. */
  readonly to: number | ((server: string) => number);
  /** Key and certificate of an https:// proxy. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** `user:password` that it requires. */
  readonly login?: string;
  /** Written instead of a tunnel, and the connection is closed. */
  readonly answer?: string;
}

export async function connectProxy(options: TestProxyOptions): Promise<TestProxy> {
  const { tls, login } = options;
  const asked: { server: string; headers: IncomingHttpHeaders }[] = [];
  const sockets = new Set<Socket>();
  const server: Server = tls === undefined ? createPlain() : createTls(tls);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined); // cuts are what tests are about
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('clientError', (_, socket) => socket.destroy());
  server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
    asked.push({ server: request.url ?? '', headers: request.headers });
    client.on('error', () => undefined);
    if (options.answer !== undefined) return void client.end(options.answer);
    if (login !== undefined && request.headers['proxy-authorization'] !== basic(login)) {
      const challenge = 'Proxy-Authenticate: Basic realm="exit"\r\nContent-Length: 0\r\n';
      return void client.end(`HTTP/1.1 407 Proxy Authentication Required\r\n${challenge}\r\n`);
    }
    const { to } = options;
    return tunnel(client, head, typeof to === 'number' ? to : to(request.url ?? ''));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const drop = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    port,
    url: urlOf(port, options),
    asked,
    open: () => sockets.size,
    drop,
    close: async () => {
      drop();
      await new Promise((done) => server.close(done));
    },
  };
}

function tunnel(client: Socket, head: Buffer, port: number): void {
  const server = connect(port, '127.0.0.1');
  server.on('error', () => client.destroy());
  server.on('close', () => client.destroy());
  client.on('close', () => server.destroy());
  server.on('connect', () => {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    server.write(head);
    client.pipe(server);
    server.pipe(client);
  });
}

function urlOf(port: number, { tls, login }: TestProxyOptions): string {
  const [user = '', password = ''] = (login ?? '').split(':').map(encodeURIComponent);
  const at = login === undefined ? '' : `${user}:${password}@`;
  return `${tls === undefined ? 'http' : 'https'}://${at}127.0.0.1:${port}`;
}

function basic(login: string): string {
  return `Basic ${Buffer.from(login).toString('base64')}`;
}
