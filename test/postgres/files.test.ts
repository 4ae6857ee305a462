/** Postgres as SharedFiles and SharedOutputs. */
import { openFiles } from '../../src/stores/postgres/files.ts';
import { sharedFilesContract } from '../stores/shared/files-contract.ts';
import { lease } from '../stores/shared/machines.ts';
import { outputsContract } from '../stores/shared/outputs-contract.ts';
import { login } from './server.ts';
import { postgresWorld, preparedServer } from './world.ts';

outputsContract('Postgres', postgresWorld);

sharedFilesContract('Postgres', async () => {
  const server = await preparedServer();
  return {
    connect: () => openFiles({ url: server.url(), lease }),
    // Instead of the clock, its times are moved.
    advance: async (ms) => {
      await server.sql(
        `update deskhand.lock set until = until - interval '${ms} milliseconds'`,
        login.database,
      );
    },
    close: () => server.stop(),
  };
});
