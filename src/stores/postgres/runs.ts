/** Runs that machines share through a Postgres database. */
import type { SharedRuns } from '../shared/shared-runs.ts';
import { keep, release, renew } from './keep.ts';
import { newest } from './newest.ts';
import { databaseOf, type PostgresOptions } from './options.ts';
import { changed, claims, isIdentified, lines } from './reads.ts';
import { summaries, summarize } from './summaries.ts';
import { take } from './take.ts';
import { restored, unlock } from './unlock.ts';

/** Opens the runs of a database; it connects at the first call. @throws ConfigError for a bad URL */
export function openPostgres(options: PostgresOptions): SharedRuns {
  const { database } = databaseOf(options);
  return {
    take: (request) => take(database, request),
    keep: (holder, batch) => keep(database, holder, batch),
    renew: (holder) => renew(database, holder),
    release: (holder, summary) => release(database, holder, summary),
    claims: (run) => claims(database, run),
    changed: (cursor, beside) => changed(database, cursor, beside),
    newest: (asked) => newest(database, asked),
    isIdentified: (playbook) => isIdentified(database, playbook),
    summaries: (runs, version) => summaries(database, runs, version),
    summarize: (run, summary) => summarize(database, run, summary),
    lines: (run, after) => lines(database, run, after),
    unlock: (run, nonce, givesUp) => unlock(database, run, nonce, givesUp),
    restored: (now) => restored(database, now),
    close: () => database.close(),
  };
}
