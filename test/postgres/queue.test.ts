/** Postgres as JobQueue. */
import { jobQueueContract, lease } from '../stores/shared/queue-contract.ts';
import { openQueue } from '../../src/stores/postgres/queue.ts';
import { login } from './server.ts';
import { preparedServer } from './world.ts';

jobQueueContract('Postgres', async () => {
  const server = await preparedServer();
  return {
    connect: () => openQueue({ url: server.url(), lease }),
    // Instead of the clock, its times are moved.
    advance: async (ms) => {
      const back = `- interval '${ms} milliseconds'`;
      await server.sql(
        `update deskhand.job set free = free ${back}, queued = queued ${back};
        update deskhand.worker set seen = seen ${back}`,
        login.database,
      );
    },
    close: () => server.stop(),
  };
});
