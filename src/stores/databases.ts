/** Opens stores over a database of any kind; the code of each kind is loaded when it is used. */
import type { Millis } from '../base/clock.ts';
import type { SharedPlans } from './shared-plans.ts';
import type { JobQueue } from './queue.ts';
import type { DatabaseSettings } from './settings.ts';
import type { SharedOutputs } from './shared/output-copies.ts';
import type { SharedRetention } from './shared/retention.ts';
import type { SharedFiles } from './shared/shared-files.ts';
import type { SharedPaces } from './shared/shared-paces.ts';
import type { SharedRuns } from './shared/shared-runs.ts';

export interface DatabaseOptions {
  /** The address of the database, with its password. */
  readonly url: string;
  /** The lease of the runs that this process takes. */
  readonly lease: Millis;
  /** The timeout of each call. Default: a third of the lease. */
  readonly timeoutMs?: Millis;
  /** Number of connections to Postgres. Default: 8. */
  readonly connections?: number;
  /** The environment that names the proxy to nodes of Restate. Default: that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

interface Closable {
  close(): Promise<void>;
}

export interface OpenShared {
  readonly runs: SharedRuns;
  readonly files: SharedFiles;
  readonly outputs: SharedOutputs;
  readonly retention: SharedRetention;
  /** The name that identifies the database, without a password. */
  readonly name: string;
}

/** One kind of database. Each part that it opens connects at its first call. */
export interface Database<S extends DatabaseSettings = DatabaseSettings> {
  /** Opens the runs. @throws ConfigError for an invalid address; so do the functions for other parts */
  runs(options: DatabaseOptions): SharedRuns;
  files(options: DatabaseOptions): SharedFiles;
  outputs(options: DatabaseOptions): SharedOutputs;
  retention(options: DatabaseOptions): SharedRetention;
  paces(options: DatabaseOptions): SharedPaces;
  queue(options: DatabaseOptions): JobQueue & Closable;
  plans(options: DatabaseOptions): SharedPlans & Closable;
  /** The name of the database at an address, without a password. */
  nameOf(url: string): string;
  /** Prepares the database for this version. @returns what was done, as a sentence */
  upgrade(settings: S, url: string): Promise<string>;
}

const databases = {
  postgres: async () => (await import('./postgres/index.ts')).postgres,
  restate: async () => (await import('./restate/index.ts')).restate,
} as const satisfies {
  readonly [N in DatabaseSettings['store']]: () => Promise<
    Database<Extract<DatabaseSettings, { readonly store: N }>>
  >;
};

/** Prepares a database for this version. @returns what was done, as a sentence */
export async function upgradeDatabase(settings: DatabaseSettings, url: string): Promise<string> {
  const database: Database = await databases[settings.store]();
  return database.upgrade(settings, url);
}

/** Opens the parts that a state store needs. @throws ConfigError for an invalid address */
export async function openShared(
  store: DatabaseSettings['store'],
  options: DatabaseOptions,
): Promise<OpenShared> {
  const database = await databases[store]();
  return {
    runs: database.runs(options),
    files: database.files(options),
    outputs: database.outputs(options),
    retention: database.retention(options),
    name: database.nameOf(options.url),
  };
}

/** Opens the shared runs. @throws as `openShared` */
export async function openRuns(
  store: DatabaseSettings['store'],
  options: DatabaseOptions,
): Promise<SharedRuns> {
  return (await databases[store]()).runs(options);
}

/** Opens the shared rate limits. @throws as `openShared` */
export async function openPaces(
  store: DatabaseSettings['store'],
  options: DatabaseOptions,
): Promise<SharedPaces> {
  return (await databases[store]()).paces(options);
}

export interface OpenJobStore {
  readonly queue: JobQueue & Closable;
  readonly runs: SharedRuns;
  readonly plans: SharedPlans & Closable;
}

/** Opens the queue, the lines of its runs, and the shared plans. @throws as `openShared` */
export async function openJobStore(
  store: DatabaseSettings['store'],
  options: DatabaseOptions,
): Promise<OpenJobStore> {
  const database = await databases[store]();
  return {
    queue: database.queue(options),
    runs: database.runs(options),
    plans: database.plans(options),
  };
}
