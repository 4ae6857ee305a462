/** Restate as JobQueue. */
import { openRestateQueue } from '../../src/stores/restate/queue.ts';
import { jobQueueContract, lease } from '../stores/shared/queue-contract.ts';
import { optionsOf, preparedServer } from './world.ts';

jobQueueContract('Restate', async () => {
  const prepared = await preparedServer();
  const { clock } = prepared;
  return {
    connect: () => openRestateQueue({ ...optionsOf(prepared), lease }),
    advance: async (ms) => clock.advance(ms),
    close: () => prepared.close(),
  };
});
