/** The options with which a Postgres database with the tables of deskhand is opened. */
import type { Millis } from '../../base/clock.ts';
import { addressIn, type Address } from './address.ts';
import { databaseAt, type Database } from './database.ts';
import { requireTables } from './upgrade.ts';

export interface PostgresOptions {
  /** The URL `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with parameters such as `sslmode`. */
  readonly url: string;
  /** Lease of the runs that this process takes. Leases of jobs are given with each call. */
  readonly lease: Millis;
  /** The timeout of each call. Default: a third of the lease. */
  readonly timeoutMs?: Millis;
  /** Number of connections. Default: 8. */
  readonly connections?: number;
}

export interface OpenDatabase {
  readonly database: Database;
  readonly address: Address;
  readonly timeoutMs: Millis;
}

/** Opens a database; it connects at the first call. @throws ConfigError for a bad URL */
export function databaseOf(options: PostgresOptions): OpenDatabase {
  const { url, lease, timeoutMs = lease / 3, connections = 8 } = options;
  const address = addressIn(url);
  const database = databaseAt({
    address,
    timeoutMs,
    max: connections,
    check: (query) => requireTables(query, address),
  });
  return { database, address, timeoutMs };
}
