/** The simulated queue does what a real one does. */
import { standingClock } from '../../../src/base/clock.ts';
import { jobQueueContract } from './queue-contract.ts';
import { SimulatedQueue } from './simulated-queue.ts';

jobQueueContract('simulated', async () => {
  const queue = new SimulatedQueue(standingClock(0));
  return {
    connect: () => ({ ...queue.connect(), close: async () => undefined }),
    advance: async (ms) => queue.advance(ms),
    close: async () => undefined,
  };
});
