/** A connection of a process with runs to a process of the service. */
import { connect, type Socket } from 'node:net';
import { alarm, second, type Millis } from '../../../base/clock.ts';
import {
  onMessages,
  sendTo,
  type FromProcess,
  type SessionMessage,
  type StreamAddress,
} from './messages.ts';

export interface ServiceConnection {
  /** The id by which an invocation finds the connection. */
  readonly id: string;
  send(message: FromProcess): void;
  /** Keeps the program alive, because it waits for an answer, until the connection is released. */
  hold(): void;
  release(): void;
  close(): void;
}

export interface Listeners {
  onSession(from: ServiceConnection, message: SessionMessage): void;
  onClose(from: ServiceConnection): void;
}

const patience: Millis = 2 * second;
const messageMax = 64 * 1024; // characters

/**
 * Connects to a process of the service.
 * @returns undefined if another process listens there, or none @param listeners once connected
 */
export function connectTo(
  { host, port, service }: StreamAddress,
  listeners: Listeners,
): Promise<ServiceConnection | undefined> {
  const socket = connect({ host, port, noDelay: true });
  socket.unref();
  return new Promise((resolve) => {
    let mine: ServiceConnection | undefined;
    const cancel = alarm(patience, () => {
      if (mine === undefined) socket.destroy();
    });
    socket.on('error', () => undefined); // 'close' follows
    socket.on('close', () => {
      cancel();
      resolve(undefined);
      if (mine !== undefined) listeners.onClose(mine);
    });
    onMessages(
      socket,
      () => messageMax,
      (message) => {
        const { kind, connection } = message;
        if (mine !== undefined) {
          const about = sessionMessageIn(message);
          if (about === undefined) socket.destroy();
          else listeners.onSession(mine, about);
          return;
        }
        const isHello = kind === 'hello' && message['service'] === service;
        if (!isHello || typeof connection !== 'string') {
          socket.destroy();
          return;
        }
        mine = connectionOver(socket, connection);
        resolve(mine);
      },
    );
  });
}

function sessionMessageIn({
  kind,
  ...rest
}: Readonly<Record<string, unknown>>): SessionMessage | undefined {
  const [session, lines] = [Number(rest['session']), Number(rest['lines'])];
  if (kind === 'kept') return { kind, session, lines };
  return kind === 'open' || kind === 'closed' ? { kind, session } : undefined;
}

function connectionOver(socket: Socket, id: string): ServiceConnection {
  let holders = 0;
  return {
    id,
    send: (message) => sendTo(socket, message),
    hold: () => {
      holders += 1;
      socket.ref();
    },
    release: () => {
      holders -= 1;
      if (holders === 0) socket.unref();
    },
    close: () => socket.destroy(),
  };
}
