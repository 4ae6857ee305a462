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
  const places = new Places(max);
  return {
    add: (socket) => places.add(socket),
    begin: (socket, caller) => places.begin(socket, caller),
  };
}

class Places {
  readonly #max: number;
  readonly #known = new Map<string | Socket, Connection>();
  /** The order of a set is that in which connections became of the kind: the oldest is first. */
  readonly #byKind = new Map<Kind, Set<Connection>>(kinds.map((kind) => [kind, new Set()]));
  /** Number of connections of each client, and of each session. */
  readonly #counts = new Map<string, number>();
  #taken = 0;

  constructor(max: number) {
    this.#max = max;
  }

  add(socket: Socket): void {
    const client = clientOf(socket.remoteAddress ?? '');
    const key = keyOf(socket); // a closed socket has no address
    const connection: Connection = { socket, key, client, caller: undefined, open: 0 };
    this.#known.set(key, connection);
    socket.once('close', () => this.#forget(connection));
    this.#take(connection, 1);
    if (this.#taken > this.#max && !this.#makeRoom(() => true)) return this.#end(connection);
    this.#classify(connection);
    // All connections of a unix socket are of its proxy.
    if (client !== '') this.#limit(`client ${client}`, (other) => other.client === client);
  }

  begin(socket: Socket, caller: Caller | undefined): () => void {
    const connection = this.#known.get(keyOf(socket));
    if (connection === undefined) return () => undefined;
    this.#change(connection, caller, 1);
    if (caller !== undefined && !caller.isStream) {
      const isOwn = (other: Connection): boolean => other.caller?.session === caller.session;
      this.#limit(`session ${caller.session}`, (other) => other !== connection && isOwn(other));
    }
    return () => this.#change(connection, caller && { ...caller, isStream: false }, -1);
  }

  #change(connection: Connection, next: Caller | undefined, by: 1 | -1): void {
    if (this.#known.get(connection.key) !== connection) return; // it was ended
    if (connection.caller?.isStream !== true) this.#take(connection, -1);
    connection.caller = next;
    connection.open += by;
    if (next?.isStream !== true) this.#take(connection, 1);
    this.#classify(connection);
  }

  /** Counts a place, or gives it back. */
  #take({ client, caller }: Connection, by: 1 | -1): void {
    this.#taken += by;
    this.#count(`client ${client}`, by);
    if (caller !== undefined) this.#count(`session ${caller.session}`, by);
  }

  #count(key: string, by: 1 | -1): void {
    const next = (this.#counts.get(key) ?? 0) + by;
    if (next === 0) this.#counts.delete(key);
    else this.#counts.set(key, next);
  }

  #classify(connection: Connection): void {
    this.#leave(connection);
    const kind = kindOf(connection);
    if (kind !== undefined) this.#byKind.get(kind)?.add(connection);
  }

  #leave(connection: Connection): void {
    for (const set of this.#byKind.values()) set.delete(connection);
  }

  /** Ends a connection of a client or a session that has more than its share. */
  #limit(key: string, isOf: (connection: Connection) => boolean): void {
    if ((this.#counts.get(key) ?? 0) > shareOf(this.#max)) this.#makeRoom(isOf);
  }

  /** Ends the connection that is missed least. @returns false if none may be ended */
  #makeRoom(isOf: (connection: Connection) => boolean): boolean {
    for (const kind of kinds) {
      for (const connection of this.#byKind.get(kind) ?? []) {
        if (!isOf(connection)) continue;
        this.#end(connection);
        return true;
      }
    }
    return false;
  }

  #end(connection: Connection): void {
    this.#forget(connection);
    connection.socket.destroy();
  }

  #forget(connection: Connection): void {
    if (!this.#known.delete(connection.key)) return;
    this.#leave(connection);
    if (connection.caller?.isStream !== true) this.#take(connection, -1);
  }
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
