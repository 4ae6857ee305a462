/** Connections of the package `pg`: this is the only file that imports it, at the first connection. */
import { Socket } from 'node:net';
import type { Client, ClientConfig, Pool, PoolClient } from 'pg';
import { minute, second, type Millis } from '../../base/clock.ts';
import { isCode } from '../../base/error.ts';
import { StoreError } from '../store.ts';

/** A statement with a name is prepared once for each connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

export interface Connection {
  /** Whether nothing was executed in the connection yet. */
  readonly isNew: boolean;
  /** @throws errors of the driver */
  query(statement: Statement, values: readonly unknown[]): Promise<readonly unknown[]>;
  /** Returns the connection, to be used again. */
  release(): void;
  /** Closes the connection without waiting for the server, also in the middle of a query. */
  destroy(): void;
}

export interface Connections {
  /** @throws errors of the driver */
  acquire(): Promise<Connection>;
  /** Closes the connections that are not in use. */
  end(): Promise<void>;
}

interface ConnectionOptions {
  readonly url: string;
  /** The timeout for opening a connection. */
  readonly timeoutMs: Millis;
}

export interface DriverOptions extends ConnectionOptions {
  readonly max: number;
}

/**
 * Opens a pool of connections.
 * @throws StoreError when the package is not installed; errors of the driver for a bad URL
 */
export async function connectionsTo(options: DriverOptions): Promise<Connections> {
  const { Client, Pool } = await driver();

  /** A client whose socket can be destroyed: `end` waits for the server. */
  class SocketClient extends Client {
    readonly socket: Socket;
    isNew = true;

    constructor(config: object) {
      const socket = new Socket();
      super({ ...config, stream: () => socket });
      this.socket = socket;
      this.on('error', () => undefined); // the query reports it; an idle connection is replaced
    }
  }

  const pool = new Pool({
    Client: SocketClient as unknown as new () => SocketClient, // the pool passes the options
    ...settingsOf(options),
    max: options.max,
    idleTimeoutMillis: minute,
    allowExitOnIdle: true,
  });
  pool.on('error', () => undefined);

  return {
    acquire: async () => {
      const client = (await pool.connect()) as unknown as SocketClient & PoolClient;
      const { socket, isNew } = client;
      client.isNew = false;
      return {
        isNew,
        query: async (statement, values) => {
          const result = await client.query({ ...statement, values: [...values] });
          return result.rows;
        },
        release: () => client.release(),
        destroy: () => {
          socket.destroy();
          client.release(true);
        },
      };
    },
    end: () => pool.end(),
  };
}

export interface ListenOptions extends ConnectionOptions {
  readonly channel: string;
  /** Called for each notification. */
  readonly onNotification: () => void;
  /** Called when the connection has ended. */
  readonly onEnd: () => void;
  /** The signal that closes the connection. */
  readonly signal: AbortSignal;
}

/**
 * Listens on a new connection, which keeps no process alive.
 * @throws as `connectionsTo`, and errors of the driver
 */
export async function listen(options: ListenOptions): Promise<void> {
  const { channel, onNotification, onEnd, signal } = options;
  const { Client } = await driver();
  signal.throwIfAborted();
  const socket = new Socket();
  const close = (): void => void socket.destroy();
  signal.addEventListener('abort', close);
  socket.once('close', () => {
    signal.removeEventListener('abort', close);
    onEnd();
  });
  socket.unref();
  const client = new Client({ ...settingsOf(options), stream: () => socket });
  client.on('error', () => undefined); // the connection ends
  client.on('notification', onNotification);
  try {
    await client.connect();
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
  } catch (error) {
    close();
    throw error;
  }
}

function settingsOf({ url, timeoutMs }: ConnectionOptions): ClientConfig {
  return {
    connectionString: url,
    application_name: 'deskhand',
    connectionTimeoutMillis: timeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10 * second,
  };
}

async function driver(): Promise<{ Client: typeof Client; Pool: typeof Pool }> {
  try {
    return await import('pg');
  } catch (error) {
    if (!isCode(error, 'ERR_MODULE_NOT_FOUND') && !isCode(error, 'MODULE_NOT_FOUND')) throw error;
    throw new StoreError('the package "pg" is not installed', 'npm install pg');
  }
}
