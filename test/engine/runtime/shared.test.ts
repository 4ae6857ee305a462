/** The shared store over a simulated database as a backend of the engine. */
import { standingClock } from '../../../src/base/clock.ts';
import { SimulatedDatabase } from '../../stores/shared/simulated.ts';
import { backendContract } from './contract.ts';
import { sharedBackend } from './shared-backend.ts';

backendContract(
  sharedBackend('shared store', async () => {
    const clock = standingClock(0); // an hour and a day apart from any other clock
    const database = new SimulatedDatabase(clock);
    return {
      connect: () => database.connect(),
      advance: async (ms) => clock.advance(ms),
      forget: async (run, lines) => database.forget(run, lines),
    };
  }),
);
