/** A server that misbehaves on purpose: it answers with bytes, cuts, silence, whatever a test says. */
import { createServer, type Socket } from 'node:net';

export interface RawServer {
  readonly port: number;
  /** Requests as they came, headers and body. */
  readonly requests: readonly string[];
  /** Connections so far. */
  connections(): number;
  /** Resolves once a whole request has come. */
  received(): Promise<void>;
  close(): Promise<void>;
}

export interface Behaviour {
  readonly onConnect?: (socket: Socket) => void;
  readonly onRequest?: (socket: Socket, text: string) => void;
}

export async function rawServer({ onConnect, onRequest }: Behaviour): Promise<RawServer> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let announce = (): void => undefined;
  const first = new Promise<void>((resolve) => {
    announce = resolve;
  });
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined); // the cut is what the test is about
    socket.on('close', () => sockets.delete(socket));
    onConnect?.(socket);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8');
      if (!isWhole(text)) return;
      requests.push(text);
      announce();
      onRequest?.(socket, text);
      text = '';
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    requests,
    connections: () => connections,
    received: async () => first,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** An answer with a length that fits, or the one given. */
export function answerText(
  body: string,
  { status = 200, headers = '', length = Buffer.byteLength(body) } = {},
): string {
  return `HTTP/1.1 ${status} X\r\ncontent-length: ${length}\r\n${headers}\r\n${body}`;
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
  return Buffer.byteLength(text.slice(end + 4)) >= length;
}
