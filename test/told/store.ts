/** The state that three machines share: a simulated one, or one over a real server, by the clock of the stage. */
import { setTimeout } from 'node:timers/promises';
import type { JobQueue } from '../../src/stores/queue.ts';
import type { SharedPlans } from '../../src/stores/shared-plans.ts';
import { noGuard } from '../../src/base/lock/guard.ts';
import { sharedStore } from '../../src/stores/shared/store.ts';
import type { StateStore } from '../../src/stores/store.ts';
import { lease } from '../stores/shared/machines.ts';
import type { SharedFiles } from '../../src/stores/shared/shared-files.ts';
import type { SharedRuns } from '../../src/stores/shared/shared-runs.ts';
import { SimulatedDatabase } from '../stores/shared/simulated.ts';
import { SimulatedFiles } from '../stores/shared/simulated-files.ts';
import { simulatedPlans } from '../stores/shared/simulated-plans.ts';
import { SimulatedQueue, type QueueDefect } from '../stores/shared/simulated-queue.ts';
import type { WorldClock } from '../swarm/clocks.ts';

/** What a machine asks. */
export interface Connections {
  readonly runs: SharedRuns;
  readonly files: SharedFiles;
  readonly plans: SharedPlans;
  readonly queue: JobQueue;
}

export interface FleetStore {
  readonly connect: () => Connections;
  /** Called before each question: from now on the clock of the store shows the time of the stage. */
  readonly tick: () => Promise<void>;
  /** Real milliseconds of each sleep, so that answers come before much time has passed. */
  readonly pollMs: number;
  readonly close: () => Promise<void>;
}

/** The store of one machine. */
export function fleetStore(
  stateDir: string,
  { runs, files }: Pick<Connections, 'runs' | 'files'>,
  clock: WorldClock,
): StateStore {
  return sharedStore({
    stateDir,
    runs,
    files,
    name: 'fleet',
    lease,
    clock,
    guard: noGuard,
    every: () => () => undefined,
  });
}

/** An empty store for one history. */
export type OpenFleetStore = (clock: WorldClock) => Promise<FleetStore>;

export function simulatedStore(defect?: QueueDefect): OpenFleetStore {
  return async (clock) => {
    const database = new SimulatedDatabase(clock);
    const queue = new SimulatedQueue(clock, defect);
    const files = new SimulatedFiles(clock);
    const plans = simulatedPlans();
    return {
      connect: () => ({
        runs: database.connect(),
        files: files.connect(),
        plans,
        queue: looking(queue.connect()),
      }),
      tick: async () => undefined,
      pollMs: 3,
      close: async () => undefined,
    };
  };
}

/** Waits of the queue end after some real time, because no time passes beside the work. */
export function looking(queue: JobQueue, pollMs = 3): JobQueue {
  return { ...queue, wake: () => setTimeout(pollMs) };
}
