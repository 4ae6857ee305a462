/** Accepts connections of processes that have runs, in a process of the service. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { alarm, minute, second, type Millis } from '../../../base/clock.ts';
import { randomId } from '../../../base/random.ts';
import type { Streams } from '../objects/stream.ts';
import { isBatch, onMessages, sendTo } from './messages.ts';
import { OpenSession, type Connection } from './session.ts';

export interface StreamListener extends Streams {
  /** Closes all connections: sessions end, and stored batches stay stored. */
  close(): void;
}

const shownAfter: Millis = 10 * second; // readers see what was stored earlier
const interruption: Millis = second / 2; // for the call that waits, behind others perhaps
const connectionsMax = 1_000;
const silenceMax: Millis = minute; // of a machine that is gone, or of who has no run
const quietMax = 64 * 1024; // characters of a message while no session is open
const batchMax = 64 * 1024 * 1024; // of a batch: 8 MiB of lines, each character escaped

/**
 * Listens for connections.
 * @param silence after which a connection is closed: each session ends earlier, with a message
 * @throws errors of the system when it cannot listen
 */
export async function listenForStreams(
  host: string,
  port: number,
  silence: Millis = silenceMax,
): Promise<StreamListener> {
  const service = randomId(24);
  const connections = new Map<string, Connection>();
  const byKey = new Map<string, OpenSession>();
  const reported = new Map<string, number>();
  /** Holders that may open no session now, by key. */
  const interrupted = new Map<string, { readonly holder: string; cancel(): void }>();
  const server = createServer({ noDelay: true }, (socket) => {
    const connection = randomId(24);
    connections.set(connection, connectionOver(socket));
    closeAfter(silence, socket);
    socket.on('close', () => connections.delete(connection));
    sendTo(socket, { kind: 'hello', service, connection });
  });
  server.maxConnections = connectionsMax;
  server.listen(port, host);
  await once(server, 'listening');
  return {
    address: { host, port: (server.address() as AddressInfo).port, service },
    open: (key, wanted, until) => {
      const found = wanted.connections.flatMap((id) => connections.get(id) ?? []).at(0);
      if (found === undefined || interrupted.get(key)?.holder === wanted.holder) return undefined;
      byKey.get(key)?.end('ended');
      const session = new OpenSession(found, wanted, until, {
        reported: (lines) => reported.set(key, lines),
        ended: (ended) => {
          if (byKey.get(key) === ended) byKey.delete(key);
          alarm(shownAfter, () => {
            if (!byKey.has(key)) reported.delete(key);
          });
        },
      });
      byKey.set(key, session);
      return session;
    },
    reported: (key) => reported.get(key) ?? 0,
    interrupt: (key, holder) => {
      byKey.get(key)?.end('ended');
      if (holder === undefined) return;
      interrupted.get(key)?.cancel();
      interrupted.set(key, {
        holder,
        cancel: alarm(interruption, () => interrupted.delete(key)),
      });
    },
    close: () => {
      server.close();
      for (const session of byKey.values()) session.end('ended');
      for (const { socket } of connections.values()) socket.destroySoon();
    },
  };
}

/** Closes a connection after a time in which nothing arrived over it. */
function closeAfter(silence: Millis, socket: Socket): void {
  const close = (): void => {
    socket.destroy();
  };
  let cancel = alarm(silence, close);
  socket.on('data', () => {
    cancel();
    cancel = alarm(silence, close);
  });
  socket.on('close', () => cancel());
}

function connectionOver(socket: Socket): Connection {
  const sessions: Connection['sessions'] = new Map();
  onMessages(
    socket,
    () => (sessions.size > 0 ? batchMax : quietMax),
    ({ kind, session, batch }) => {
      // A session that has ended takes nothing: the process got a message of its end.
      const open = sessions.get(Number(session));
      if (kind === 'end') open?.end('ended');
      else if (kind === 'batch' && isBatch(batch)) open?.hear(batch);
      else socket.destroy();
    },
  );
  socket.on('error', () => undefined); // 'close' follows
  socket.on('close', () => {
    for (const session of sessions.values()) session.end('lost');
  });
  return { socket, sessions };
}
