/** Postgres, as a database that machines share. */
import type { Database } from '../databases.ts';
import type { DatabaseSettings } from '../settings.ts';
import { addressIn } from './address.ts';
import { openFiles } from './files.ts';
import { openOutputs } from './output.ts';
import { openPaces } from './paces.ts';
import { openPlans } from './plans.ts';
import { openQueue } from './queue.ts';
import { openRetention } from './retention.ts';
import { openPostgres } from './runs.ts';

export const postgres: Database<Extract<DatabaseSettings, { readonly store: 'postgres' }>> = {
  runs: openPostgres,
  files: openFiles,
  outputs: openOutputs,
  retention: openRetention,
  paces: openPaces,
  queue: openQueue,
  plans: openPlans,
  nameOf: (url) => addressIn(url).shown,
  upgrade: async (_settings, url) => {
    const { upgradePostgres } = await import('./upgrade.ts');
    const { from, to } = await upgradePostgres(url);
    if (from === to) return `the tables have version ${to}`;
    if (from === 0) return `created the tables, version ${to}`;
    return `upgraded the tables from version ${from} to ${to}`;
  },
};
