/** A server that listens on loopback, and clients that write bytes of their choice to it. */
import { mkdtempSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { startServer, type RunningServer } from '../../../src/serve/server/listen.ts';
import type { ClientLimits } from '../../../src/serve/server/listener.ts';
import { sandboxConfig } from '../../support/sandbox-config.ts';

export interface Wire {
  readonly server: RunningServer;
  readonly port: number;
  readonly host: string;
  readonly stateDir: string;
  /** A valid session. */
  readonly cookie: string;
  readonly errors: unknown[];
  /** Sends bytes and waits until the server closes the connection. @returns what it answered */
  send(...parts: readonly string[]): Promise<string>;
  open(): Promise<Socket>;
}

/** Bytes of a file that no connection buffers in full. */
const largeFile = 16 * 1024 * 1024;

export async function startWire(limits?: ClientLimits): Promise<Wire> {
  const stateDir = mkdtempSync(join(tmpdir(), 'wire-'));
  const config = sandboxConfig(stateDir);
  const errors: unknown[] = [];
  let link = '';
  const server = await startServer({
    desks: [{ name: 'desk', folder: stateDir, config }],
    mode: { kind: 'link', port: 0, onLink: (next) => (link = next) },
    assets: {
      page: '<!doctype html>',
      files: new Map([
        ['page-1.js', { type: 'text/javascript', body: new Uint8Array([49]) }],
        ['page-2.js', { type: 'text/javascript', body: new Uint8Array(largeFile) }],
      ]),
    },
    isReadOnly: false,
    program: 'deskhand 0',
    user: 'ann',
    start: { command: [process.execPath], env: {} },
    onError: (error) => errors.push(error),
    ...(limits && { limits }),
  });
  const { port: text, host } = new URL(server.url);
  const port = Number(text);
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
  let cookie: string | undefined;
  // A machine that is busy may exceed short limits.
  while (cookie === undefined) {
    const response = await fetch(`${server.url}/api/v1/session`, {
      method: 'POST',
      headers: { origin: server.url, 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ token: link.split('token=')[1] }),
    });
    [cookie] = response.headers.getSetCookie()[0]?.split(';') ?? [];
  }
  return {
    server,
    port,
    host,
    stateDir,
    cookie,
    errors,
    open,
    send: async (...parts) => {
      const socket = await open();
      const answer = untilClosed(socket);
      for (const part of parts) socket.write(part.replaceAll(/(?<!\r)\n/g, '\r\n'));
      return answer;
    },
  };
}

/** What a connection receives until it ends; an error of it is an end, too. */
export function untilClosed(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
}

/** The status lines in what a connection received. */
export const statuses = (text: string): readonly number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
