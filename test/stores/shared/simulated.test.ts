/** The simulated database keeps what a real one keeps. */
import { standingClock } from '../../../src/base/clock.ts';
import { sharedRunsContract } from './contract.ts';
import { SimulatedDatabase } from './simulated.ts';

sharedRunsContract('simulated', async () => {
  const clock = standingClock(0);
  const database = new SimulatedDatabase(clock);
  return {
    connect: () => database.connect(),
    advance: async (ms) => clock.advance(ms),
    close: async () => undefined,
  };
});
