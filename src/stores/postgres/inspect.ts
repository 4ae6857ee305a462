/** Reads the facts about a database that `doctor` reports. */
import { second, type Millis } from '../../base/clock.ts';
import { addressIn } from './address.ts';
import { databaseAt } from './database.ts';
import { isReadable } from './incarnation.ts';
import { tableVersion } from './table-versions.ts';
import { versionIn } from './upgrade.ts';

export interface PostgresHealth {
  /** Version of the server: `15.14`. */
  readonly server: string;
  /** Version of the tables in the database, or 0 if there are none; then that of this program. */
  readonly tables: number;
  readonly expected: number;
  /** Whether fsync is on. Without it, a crash of the server's machine loses lines that it confirmed. */
  readonly fsync: boolean;
  /** Whether a standby confirms each line; without one, a failover may lose some. */
  readonly hasSynchronousStandby: boolean;
  /**
   * Whether the database shows by itself that it lost lines; if not, a person must report it. Undefined
   * without tables.
   */
  readonly isTimelineReadable: boolean | undefined;
  /** The time by the clock of the database. */
  readonly now: Millis;
}

/** Reads the facts. @throws ConfigError, StoreError */
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
