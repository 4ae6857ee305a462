/** A Restate server, as a database that machines share. */
import type { Database } from '../databases.ts';
import type { DatabaseSettings } from '../settings.ts';
import { addressIn } from './address.ts';
import { openRestateFiles } from './files.ts';
import { openRestateOutputs } from './output.ts';
import { openRestatePaces } from './paces.ts';
import { openRestatePlans } from './plans.ts';
import { openRestateQueue } from './queue.ts';
import { openRestateRetention } from './retention.ts';
import { openRestate } from './runs.ts';

export const restate: Database<Extract<DatabaseSettings, { readonly store: 'restate' }>> = {
  runs: openRestate,
  files: openRestateFiles,
  outputs: openRestateOutputs,
  retention: openRestateRetention,
  paces: openRestatePaces,
  queue: openRestateQueue,
  plans: openRestatePlans,
  nameOf: (url) => `restate ${addressIn(url).shown}`,
  upgrade: async (settings, url) => {
    const { upgradeRestate } = await import('./upgrade.ts');
    const { isNew, version } = await upgradeRestate({ ...settings, url });
    return `registered the service${isNew ? '' : ' again'}, version ${version}`;
  },
};
