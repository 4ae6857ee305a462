/** What `doctor` reports about a database. */
import { second, type Millis } from '../../base/clock.ts';
import { addressIn } from './address.ts';
import { databaseAt } from './database.ts';
import { isReadable } from './incarnation.ts';
import { tableVersion } from './table-versions.ts';
import { versionIn } from './upgrade.ts';

export interface PostgresHealth {
  /** Of the server: `15.14`. */
  readonly server: string;
  /** Versions of the tables: there, or 0, and of this program. */
  readonly tables: number;
  readonly expected: number;
  /** Without it, a crash of the server's machine loses what it confirmed. */
  readonly fsync: boolean;
  /** A standby confirms each line; without one, a failover may lose some. */
  readonly hasSynchronousStandby: boolean;
  /** Undefined without tables. Otherwise a person must report lost lines. */
  readonly isTimelineReadable: boolean | undefined;
  /** Clock of the database. */
  readonly now: Millis;
}

/** @throws ConfigError, StoreError */
export async function inspectPostgres(
  url: string,
  timeoutMs: Millis = 5 * second,
): Promise<PostgresHealth> {
  const database = databaseAt({ address: addressIn(url), timeoutMs, max: 1 });
  try {
    const tables = await versionIn(database.query);
    const [settings] = await database.query<Settings>(readSettings);
    const [row] = tables === 0 ? [] : await database.query<{ incarnation: string }>(present);
    return {
      server: settings?.server ?? '',
      tables,
      expected: tableVersion,
      fsync: settings?.fsync === 'on',
      hasSynchronousStandby: settings?.standbys !== '',
      isTimelineReadable: row && isReadable(row.incarnation),
      now: settings?.now ?? 0,
    };
  } finally {
    await database.close();
  }
}

interface Settings {
  readonly server: string;
  readonly fsync: string;
  readonly standbys: string;
  readonly now: Millis;
}

const readSettings = {
  text: `
    select current_setting('server_version') as server, current_setting('fsync') as fsync,
      current_setting('synchronous_standby_names') as standbys,
      round(extract(epoch from clock_timestamp()) * 1000)::float8 as now`,
};

const present = { text: 'select deskhand.incarnation() as incarnation' };
