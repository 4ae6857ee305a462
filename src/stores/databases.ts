/** Stores over a database, by their kind; each is loaded when it is used. */
import type { Millis } from '../base/clock.ts';
import type { SharedPlans } from './plans.ts';
import type { JobQueue } from './queue.ts';
import type { DatabaseSettings } from './settings.ts';
import type { SharedOutputs } from './shared/outputs.ts';
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

/** Connects at the first call. @throws ConfigError for what is not an address */
export async function openShared(
  store: DatabaseSettings['store'],
  options: DatabaseOptions,
): Promise<OpenShared> {
  const runs = await openRuns(store, options);
  switch (store) {
    case 'postgres': {
      const [{ addressIn }, { openFiles }, { openOutputs }, { openRetention }] = await Promise.all([
        import('./postgres/address.ts'),
        import('./postgres/files.ts'),
        import('./postgres/output.ts'),
        import('./postgres/retention.ts'),
      ]);
      const [files, outputs] = [openFiles(options), openOutputs(options)];
      const retention = openRetention(options);
      return { runs, files, outputs, retention, name: addressIn(options.url).shown };
    }
    case 'restate': {
      const [
        { addressIn },
        { openRestateFiles },
        { openRestateOutputs },
        { openRestateRetention },
      ] = await Promise.all([
        import('./restate/address.ts'),
        import('./restate/files.ts'),
        import('./restate/output.ts'),
        import('./restate/retention.ts'),
      ]);
      const [files, outputs] = [openRestateFiles(options), openRestateOutputs(options)];
      const retention = openRestateRetention(options);
      const name = `restate ${addressIn(options.url).shown}`;
      return { runs, files, outputs, retention, name };
    }
  }
}

/** As `openShared`. */
export async function openRuns(
  store: DatabaseSettings['store'],
  options: DatabaseOptions,
): Promise<SharedRuns> {
  switch (store) {
    case 'postgres':
      return (await import('./postgres/runs.ts')).openPostgres(options);
    case 'restate':
      return (await import('./restate/runs.ts')).openRestate(options);
  }
}

/** As `openShared`. */
export async function openPaces(
  store: DatabaseSettings['store'],
  options: DatabaseOptions,
): Promise<SharedPaces> {
  switch (store) {
    case 'postgres':
      return (await import('./postgres/paces.ts')).openPaces(options);
    case 'restate':
      return (await import('./restate/paces.ts')).openRestatePaces(options);
  }
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
  const runs = await openRuns(store, options);
  switch (store) {
    case 'postgres': {
      const [{ openQueue }, { openPlans }] = await Promise.all([
        import('./postgres/queue.ts'),
        import('./postgres/plans.ts'),
      ]);
      return { queue: openQueue(options), runs, plans: openPlans(options) };
    }
    case 'restate': {
      const [{ openRestateQueue }, { openRestatePlans }] = await Promise.all([
        import('./restate/queue.ts'),
        import('./restate/plans.ts'),
      ]);
      return { queue: openRestateQueue(options), runs, plans: openRestatePlans(options) };
    }
  }
}
