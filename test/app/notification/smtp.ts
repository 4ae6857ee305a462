/** A mail server on this machine that records what it receives, and whether it was encrypted. */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { TLSSocket } from 'node:tls';
import { selfSigned } from '../../support/certificate.ts';

export interface SmtpOptions {
  /** When TLS begins. Default: with STARTTLS. */
  readonly tls?: 'starttls' | 'always' | 'none';
  /** What EHLO announces besides STARTTLS. Default: AUTH PLAIN. */
  readonly offers?: readonly string[];
  /** Replies by a command or its first word, before those of a working server. */
  readonly replies?: Readonly<Record<string, string>>;
  /** Sent unencrypted right after the answer to STARTTLS. */
  readonly injected?: string;
}

export interface SmtpServer {
  readonly port: number;
  /** The certificate that a client must trust. */
  readonly ca: string;
  /** Lines before TLS, and after. */
  readonly plain: readonly string[];
  readonly encrypted: readonly string[];
  readonly close: () => void;
}

const certificate = selfSigned('mail.example');

export async function smtpServer(options: SmtpOptions = {}): Promise<SmtpServer> {
  const { tls = 'starttls' } = options;
  const plain: string[] = [];
  const encrypted: string[] = [];
  const sockets = new Set<Socket>();
  const upgrade = (socket: Socket): TLSSocket => {
    const secured = new TLSSocket(socket, { isServer: true, ...certificate });
    secured.on('error', () => undefined); // a client that does not trust it
    return secured;
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    if (tls === 'always') return talk(upgrade(socket), encrypted, options, () => undefined);
    talk(socket, plain, options, () => talk(upgrade(socket), encrypted, options, () => undefined));
  });
  return {
    port: await portOf(server),
    ca: certificate.cert,
    plain,
    encrypted,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

/** @param onStartTls called when the client begins TLS: another conversation follows */
function talk(
  socket: Socket,
  received: string[],
  { tls = 'starttls', offers = ['AUTH PLAIN'], replies = {}, injected = '' }: SmtpOptions,
  onStartTls: () => void,
): void {
  const isEncrypted = socket instanceof TLSSocket;
  const lines = createInterface({ input: socket });
  let isData = false;
  if (!isEncrypted || tls === 'always') socket.write('220 ready\r\n');
  lines.on('line', (line) => {
    received.push(line);
    if (isData && line !== '.') return;
    const [word = ''] = line.split(' ');
    const planned = isData ? undefined : (replies[line] ?? replies[word]);
    if (planned === undefined && word === 'STARTTLS' && tls === 'starttls' && !isEncrypted) {
      lines.close();
      socket.write(`220 begin\r\n${injected}`);
      return onStartTls();
    }
    isData = word === 'DATA' && planned === undefined;
    socket.write(`${planned ?? usualReply(line, isEncrypted, tls, offers)}\r\n`);
    if (word === 'QUIT') socket.end();
  });
}

function usualReply(
  line: string,
  isEncrypted: boolean,
  tls: SmtpOptions['tls'],
  offers: readonly string[],
): string {
  const [word = '', mechanism] = line.split(' ');
  const hasStartTls = tls === 'starttls' && !isEncrypted;
  switch (word) {
    case 'EHLO':
      return ['here', ...offers, ...(hasStartTls ? ['STARTTLS'] : [])]
        .map((text, at, all) => `250${at === all.length - 1 ? ' ' : '-'}${text}`)
        .join('\r\n');
    case 'AUTH':
      return mechanism === 'LOGIN' ? '334 VXNlcm5hbWU6' : '235 welcome';
    case 'STARTTLS':
      return '502 unknown command';
    case 'DATA':
      return '354 go on';
    case 'QUIT':
      return '221 bye';
    default:
      return '250 fine';
  }
}
