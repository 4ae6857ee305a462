/** The simulated database removes runs as a real one. */
import { standingClock } from '../../../src/base/clock.ts';
import { retentionContract } from './retention-contract.ts';
import { SimulatedDatabase } from './simulated.ts';

retentionContract('simulated', async () => {
  const clock = standingClock(0);
  const database = new SimulatedDatabase(clock);
  return {
    connect: () => database.connect(),
    retention: () => database.retention(),
    advance: async (ms) => clock.advance(ms),
    close: async () => undefined,
  };
});
