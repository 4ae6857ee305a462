/** Servers on this machine that record the notifications they receive. */
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingHttpHeaders } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { createInterface } from 'node:readline';

export interface Posted {
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

interface Recipients {
  readonly port: number;
  readonly close: () => void;
}

async function listening(server: Server, end: () => void): Promise<Recipients> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const close = (): void => {
    end();
    server.close();
  };
  return { port, close };
}

/** @param statuses of the first responses, in order; then 204. Undefined: the connection is cut */
export async function webhook(statuses: (number | undefined)[] = []) {
  const posted: Posted[] = [];
  const server = createHttpServer((request, response) => {
    void text(request).then((body) => {
      posted.push({ body, headers: request.headers });
      const status = statuses.length > 0 ? statuses.shift() : 204;
      if (status === undefined) request.socket.destroy();
      else response.writeHead(status, { connection: 'close' }).end();
    });
  });
  return { posted, ...(await listening(server, () => server.closeAllConnections())) };
}

/** @param replies of the first connections to MAIL FROM, in order; then 250 */
export async function mailServer(replies: number[] = []) {
  const mails: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    const reply = replies.shift() ?? 250;
    let mail: string[] | undefined;
    socket.write('220 ready\r\n');
    createInterface({ input: socket }).on('line', (line) => {
      if (mail !== undefined && line !== '.') return void mail.push(line);
      if (mail !== undefined) mails.push(mail.join('\n'));
      mail = line === 'DATA' ? [] : undefined;
      const code = line.startsWith('MAIL') ? reply : line === 'DATA' ? 354 : 250;
      socket.write(`${code} x\r\n`);
    });
  });
  const end = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return { mails, ...(await listening(server, end)) };
}

/** Subject and text of an e-mail, decoded, and its other headers. */
export function decodedMail(mail: string) {
  const [head = '', body = ''] = mail.split('\n\n');
  const headers = head.replaceAll(/\r?\n /g, ' ').split('\n');
  const subject = headers.find((line) => line.startsWith('Subject: ')) ?? '';
  const words = [...subject.matchAll(/=\?UTF-8\?B\?([^?]*)\?=/g)].map(([, word = '']) =>
    decoded(word),
  );
  return {
    subject: words.length === 0 ? subject.slice('Subject: '.length) : words.join(''),
    text: decoded(body.replaceAll('\n', '')),
    headers: headers.filter((line) => line !== subject),
  };
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}
