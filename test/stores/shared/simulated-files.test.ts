/** The simulated files do what real ones do. */
import { standingClock } from '../../../src/base/clock.ts';
import { sharedFilesContract } from './files-contract.ts';
import { SimulatedFiles } from './simulated-files.ts';

sharedFilesContract('simulated', async () => {
  const clock = standingClock(0);
  const files = new SimulatedFiles(clock);
  return {
    connect: () => files.connect(),
    advance: async (ms) => clock.advance(ms),
    close: async () => undefined,
  };
});
