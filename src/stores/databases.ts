/** Stores over a database, by their kind; each is loaded when it is used. */
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
  /** With its password. */
  readonly url: string;
  /** Of the runs taken here. */
  readonly lease: Millis;
  /** Of each call; default: a third of the lease. */
  readonly timeoutMs?: Millis;
  /** Number of connections to Postgres; default: 8. */
  readonly connections?: number;
  /** With the proxy to nodes of Restate; default: that of this process. */
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
  /** Identifies the database, without a password. */
  readonly name: string;
}

/** One kind of database: what opens its parts connects at the first call. */
export interface Database<S extends DatabaseSettings = DatabaseSettings> {
  /** @throws ConfigError for what is not an address; so do the others */
  runs(options: DatabaseOptions): SharedRuns;
  files(options: DatabaseOptions): SharedFiles;
  outputs(options: DatabaseOptions): SharedOutputs;
  retention(options: DatabaseOptions): SharedRetention;
  paces(options: DatabaseOptions): SharedPaces;
  queue(options: DatabaseOptions): JobQueue & Closable;
  plans(options: DatabaseOptions): SharedPlans & Closable;
  /** The name of the database at an address, without a password. */
  nameOf(url: string): string;
  /** Prepares it for this version. @returns what was done, as a sentence */
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

/** @throws ConfigError for what is not an address */
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

/** As `openShared`. */
export async function openRuns(
  store: DatabaseSettings['store'],
  options: DatabaseOptions,
): Promise<SharedRuns> {
  return (await databases[store]()).runs(options);
}

/** As `openShared`. */
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

/** As `openShared`. */
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
