/** Creates the tables, or upgrades them to this version, and checks the version of a database. */
import { minute, type Millis } from '../../base/clock.ts';
import { StoreError } from '../store.ts';
import { addressIn, type Address } from './address.ts';
import { databaseAt, type Query } from './database.ts';
import { migrations, tableVersion } from './table-versions.ts';

export interface Upgraded {
  /** Version of the tables before; 0 if there were none. */
  readonly from: number;
  readonly to: number;
}

const lockKey = '7233459013584920'; // of this purpose; any number

/** Upgrades the tables of a database. @throws ConfigError, StoreError */
export async function upgradePostgres(url: string, timeoutMs: Millis = minute): Promise<Upgraded> {
  const address = addressIn(url);
  const database = databaseAt({ address, timeoutMs, max: 1 });
  try {
    return await database.transaction(async (query) => {
      await query({ text: `select pg_advisory_xact_lock(${lockKey})` });
      const from = await versionIn(query);
      if (from > tableVersion) throw newerTables(from, address);
      for (const migration of migrations.slice(from)) await query({ text: migration });
      await query({ text: 'update deskhand.meta set version = $1' }, [tableVersion]);
      return { from, to: tableVersion };
    });
  } finally {
    await database.close();
  }
}

/** @throws StoreError when the tables are not those of this version */
export async function requireTables(query: Query, address: Address): Promise<void> {
  const version = await versionIn(query);
  if (version > tableVersion) throw newerTables(version, address);
  if (version === tableVersion) return;
  throw new StoreError(
    `the database at ${address.shown} does not have the tables of this version of deskhand`,
    'deskhand store upgrade',
  );
}

/** The version of the tables in a database; 0 if there are none. */
export async function versionIn(query: Query): Promise<number> {
  const [found] = await query<{ meta: string | null }>({
    text: `select to_regclass('deskhand.meta') as meta`,
  });
  if (found?.meta === null) return 0;
  const [meta] = await query<{ version: number }>({ text: 'select version from deskhand.meta' });
  return meta?.version ?? 0;
}

function newerTables(version: number, address: Address): StoreError {
  return new StoreError(
    `the tables in the database at ${address.shown} are of a newer version: ${version}`,
    'install the version of deskhand that made them, or a later one',
  );
}
