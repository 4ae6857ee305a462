/** The open connections of a server: each address and each session has a share of the places. When there is
 * none left, the oldest silent connection of a stranger is ended: a person who is signed in gets through.
 */
import type { Socket } from 'node:net';
import type { Caller } from './caller.ts';
import { clientOf } from './client.ts';

export interface Connections {
  /** Takes a place for a new connection; ends another one, or this one, if there is none. */
  add(socket: Socket): void;
  /** Follows a request of a connection. @returns what is called when it was answered */
  begin(socket: Socket, caller: Caller | undefined): () => void;
}

interface Connection {
  readonly socket: Socket;
  readonly key: string | Socket;
  readonly client: string;
  caller: Caller | undefined;
  /** Number of requests without an answer. */
  open: number;
}

/** The kinds of connections that make room for a new one, the first of these first. */
const kinds = ['silent stranger', 'busy stranger', 'silent person'] as const;
type Kind = (typeof kinds)[number];

/** The share of one address, and of one session, of all places. */
const shareOf = (max: number): number => Math.max(1, Math.floor(max / 4));

/**
 * Limits connections.
 * @param max of all clients, without streams of events
 */
export function limitedConnections(max: number): Connections {
  const known = new Map<string | Socket, Connection>();
  // The order of a set is that in which connections became of the kind: the oldest is first.
  const byKind = new Map<Kind, Set<Connection>>(kinds.map((kind) => [kind, new Set()]));
  const counts = new Map<string, number>();
  const count = (key: string, by: number): void => {
    const next = (counts.get(key) ?? 0) + by;
    if (next === 0) counts.delete(key);
    else counts.set(key, next);
  };
  let places = 0;

  const leave = (connection: Connection): void => {
    for (const set of byKind.values()) set.delete(connection);
  };
  const classify = (connection: Connection): void => {
    leave(connection);
    const kind = kindOf(connection);
    if (kind !== undefined) byKind.get(kind)?.add(connection);
  };
  const place = (connection: Connection, by: 1 | -1): void => {
    places += by;
    count(`client ${connection.client}`, by);
    if (connection.caller !== undefined) count(`session ${connection.caller.session}`, by);
  };
  /** Ends the connection that others need most. @param isOf whether it is among those that have too many */
  const makeRoom = (isOf: (connection: Connection) => boolean): boolean => {
    for (const kind of kinds) {
      for (const connection of byKind.get(kind) ?? []) {
        if (!isOf(connection)) continue;
        end(connection);
        return true;
      }
    }
    return false;
  };
  const end = (connection: Connection): void => {
    forget(connection);
    connection.socket.destroy();
  };
  const forget = (connection: Connection): void => {
    if (!known.delete(connection.key)) return;
    leave(connection);
    if (connection.caller?.isStream !== true) place(connection, -1);
  };
  const limit = (key: string, isOf: (connection: Connection) => boolean): void => {
    if ((counts.get(key) ?? 0) > shareOf(max)) makeRoom(isOf);
  };

  return {
    add: (socket) => {
      const client = clientOf(socket.remoteAddress ?? '');
      const key = keyOf(socket); // a closed socket has no address
      const connection: Connection = { socket, key, client, caller: undefined, open: 0 };
      known.set(key, connection);
      socket.once('close', () => forget(connection));
      place(connection, 1);
      if (places > max && !makeRoom(() => true)) return end(connection);
      classify(connection);
      // All connections of a unix socket are of its proxy.
      if (client !== '') limit(`client ${client}`, (other) => other.client === client);
    },
    begin: (socket, caller) => {
      const connection = known.get(keyOf(socket));
      if (connection === undefined) return () => undefined;
      const change = (next: Caller | undefined, by: 1 | -1): void => {
        if (known.get(connection.key) !== connection) return;
        if (connection.caller?.isStream !== true) place(connection, -1);
        connection.caller = next;
        connection.open += by;
        if (next?.isStream !== true) place(connection, 1);
        classify(connection);
      };
      change(caller, 1);
      if (caller !== undefined && !caller.isStream) {
        const isOwn = (other: Connection): boolean => other.caller?.session === caller.session;
        limit(`session ${caller.session}`, (other) => other !== connection && isOwn(other));
      }
      return () => change(caller && { ...caller, isStream: false }, -1);
    },
  };
}

function kindOf({ caller, open }: Connection): Kind | undefined {
  if (caller === undefined) return open === 0 ? 'silent stranger' : 'busy stranger';
  return open === 0 && !caller.isStream ? 'silent person' : undefined;
}

/** The same for a connection and for TLS on it; a unix socket has no port, and no TLS. */
function keyOf(socket: Socket): string | Socket {
  const { remoteAddress, remotePort } = socket;
  return remotePort === undefined ? socket : `${remoteAddress ?? ''} ${remotePort}`;
}
