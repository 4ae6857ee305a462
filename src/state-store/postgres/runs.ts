/** Runs that machines share through a Postgres database. */
import type { Millis } from '../../base/clock.ts';
import type { SharedRuns } from '../shared/shared-runs.ts';
import { addressIn } from './address.ts';
import { databaseAt } from './database.ts';
import { keep, release, renew } from './keep.ts';
import { changed, claims, lines } from './read.ts';
import { take } from './take.ts';
import { restored, unlock } from './unlock.ts';
import { requireTables } from './upgrade.ts';

export interface PostgresOptions {
  /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE`; parameters as `sslmode`. */
  readonly url: string;
  /** Lease of the runs taken here. */
  readonly lease: Millis;
  /** Of each call; default: a third of the lease. */
  readonly timeoutMs?: Millis;
  /** Number of connections; default: 8. */
  readonly connections?: number;
}

/** Connects at the first call. @throws ConfigError for a bad URL */
export function openPostgres(options: PostgresOptions): SharedRuns {
  const { url, lease, timeoutMs = lease / 3, connections = 8 } = options;
  const address = addressIn(url);
  const database = databaseAt({
    address,
    timeoutMs,
    max: connections,
    check: (query) => requireTables(query, address),
  });
  return {
    take: (request) => take(database, request),
    keep: (holder, batch) => keep(database, holder, batch),
    renew: (holder) => renew(database, holder),
    release: (holder) => release(database, holder),
    claims: () => claims(database),
    changed: (cursor) => changed(database, cursor),
    lines: (run, after) => lines(database, run, after),
    unlock: (run, nonce, givesUp) => unlock(database, run, nonce, givesUp),
    restored: (now) => restored(database, now),
    close: () => database.close(),
  };
}
