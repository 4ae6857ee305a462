/** Restate as JobQueue. */
import { openRestateQueue } from '../../src/state-store/restate/queue.ts';
import { jobQueueContract, lease } from '../state-store/shared/queue-contract.ts';
import { preparedServer } from './world.ts';

jobQueueContract('Restate', async () => {
  const prepared = await preparedServer();
  const { server, clock } = prepared;
  return {
    connect: () => openRestateQueue({ url: server.url, lease, clock }),
    advance: async (ms) => clock.advance(ms),
    close: () => prepared.close(),
  };
});
