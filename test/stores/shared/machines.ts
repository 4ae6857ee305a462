/** Machines that share a simulated database: a state folder each. */
import { join } from 'node:path';
import { second, type Clock } from '../../../src/base/clock.ts';
import { noGuard } from '../../../src/base/lock/guard.ts';
import { overviewFact } from '../../../src/report/overview/overview.ts';
import { sharedStore } from '../../../src/stores/shared/store.ts';
import type { SharedRetention } from '../../../src/stores/shared/retention.ts';
import type { SharedRuns } from '../../../src/stores/shared/shared-runs.ts';
import type { StateStore } from '../../../src/stores/store.ts';
import { freshFolder, type Acting } from '../machines.ts';
import type { ProcessMachine } from '../machine-process.ts';

export const lease = 6 * second;

export interface SharedMachine extends ProcessMachine {
  readonly store: StateStore;
}

/**
 * @param connect a new connection to the database for each process
 * @param summarizes whether it uses summaries of ended runs, as commands do
 */
export function machineOn(
  connect: () => SharedRuns,
  clock: Clock,
  stateDir = join(freshFolder(), 'state'),
  retention?: SharedRetention,
  summarizes = false,
): SharedMachine {
  const over = (runs: SharedRuns): StateStore =>
    sharedStore({
      stateDir,
      runs,
      name: 'test',
      lease,
      clock,
      guard: noGuard,
      every: never,
      ...(retention && { retention }),
      ...(summarizes && { overview: overviewFact }),
    });
  return {
    stateDir,
    store: over(connect()),
    storeFor: (push) => over(acting(connect(), push)),
  };
}

/** Nothing is renewed beside the work: a lease is renewed by what is stored. */
const never = () => () => undefined;

/** Every question that changes something is an act of its process. */
function acting(runs: SharedRuns, push: Acting): SharedRuns {
  return {
    ...runs,
    take: (request) => push(() => runs.take(request)),
    keep: (holder, batch) => push(() => runs.keep(holder, batch)),
    release: (holder) => push(() => runs.release(holder)),
  };
}
