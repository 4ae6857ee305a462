/** Postgres as SharedFiles and SharedOutputs. */
import { openFiles } from '../../src/state-store/postgres/files.ts';
import { sharedFilesContract } from '../state-store/shared/files-contract.ts';
import { lease } from '../state-store/shared/machines.ts';
import { outputsContract } from '../state-store/shared/outputs-contract.ts';
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
