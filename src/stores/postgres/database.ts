/** Executes statements and transactions, each with a deadline for everything it waits for. */
import { setMaxListeners } from 'node:events';
import { deadline, millisecond, second, type Millis } from '../../base/clock.ts';
import { StoreError } from '../store.ts';
import type { Address } from './address.ts';
import { connectionsTo, type Connection, type Connections, type Statement } from './driver.ts';
import { failureOf, timeoutOf } from './failure.ts';

/** Executes one statement. The caller states the type of the rows that the statement selects. */
export type Query = <Row>(
  statement: Statement,
  values?: readonly unknown[],
) => Promise<readonly Row[]>;

/** A database. Every method throws StoreError; then the effect is unknown, and its connection is closed. */
export interface Database {
  readonly query: Query;
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** Closes the connections. Calls in progress are rejected, as are later ones. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly address: Address;
  readonly timeoutMs: Millis;
  /** Maximum number of connections. */
  readonly max: number;
  /** The check that is executed in each new connection before it is used. */
  readonly check?: (query: Query) => Promise<void>;
}

export function databaseAt(options: DatabaseOptions): Database {
  const { address, timeoutMs } = options;
  let opening: Promise<Connections> | undefined;
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // each call in progress listens
  const opened = (): Promise<Connections> =>
    (opening ??= connectionsTo({ url: address.url, timeoutMs, max: options.max }));
  const prepare = async (connection: Connection): Promise<void> => {
    if (!connection.isNew) return;
    await connection.query({ text: settings(timeoutMs) }, []);
    await options.check?.(queryOf(connection));
  };

  const use = async <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
    const limit = deadline(timeoutMs, () => timeoutOf(timeoutMs, address), closing.signal);
    const prepared = async (connection: Connection): Promise<T> => {
      await prepare(connection);
      return work(connection);
    };
    try {
      const connections = await opened();
      limit.signal.throwIfAborted();
      return await untilLate(connections.acquire(), prepared, limit.signal);
    } catch (error) {
      throw failureOf(error, address);
    } finally {
      limit.cancel();
    }
  };

  return {
    query: (statement, values) => use((connection) => queryOf(connection)(statement, values)),
    transaction: (work) =>
      use(async (connection) => {
        await connection.query({ text: 'begin' }, []);
        const result = await work(queryOf(connection));
        await connection.query({ text: 'commit' }, []);
        return result;
      }),
    close: async () => {
      closing.abort(new StoreError('the connection to the database was closed', 'run it again'));
      const connections = await opening?.catch(() => undefined);
      opening = undefined;
      await connections?.end();
    },
  };
}

function queryOf(connection: Connection): Query {
  return async <Row>(statement: Statement, values: readonly unknown[] = []) =>
    (await connection.query(statement, values)) as readonly Row[];
}

/** Works with a connection; any error destroys it, which also ends its transaction. */
async function untilLate<T>(
  acquiring: Promise<Connection>,
  work: (connection: Connection) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const late = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
  const done = acquiring.then(async (connection) => {
    try {
      signal.throwIfAborted();
      const result = await Promise.race([work(connection), late]);
      connection.release();
      return result;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  });
  return Promise.race([done, late]);
}

/**
 * The settings of each connection. An abandoned statement must not keep its locks. Confirmed lines must be on
 * the disk, whatever the database allows by default.
 */
function settings(timeoutMs: Millis): string {
  const ms = Math.max(1, Math.ceil(timeoutMs / millisecond));
  return `
    set statement_timeout = ${ms};
    set idle_in_transaction_session_timeout = ${ms};
    set tcp_keepalives_idle = ${(30 * second) / second};
    set client_min_messages = error;
    set session characteristics as transaction isolation level read committed;
    select set_config('synchronous_commit', 'on', false)
      where current_setting('synchronous_commit') = 'off'`;
}
