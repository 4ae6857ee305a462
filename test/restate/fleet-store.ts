/** The store of a fleet over a real Restate server: a desk for each history, by the clock of the stage. */
import { systemClock, type Clock } from '../../src/base/clock.ts';
import { openRestateFiles } from '../../src/stores/restate/files.ts';
import { openRestatePlans } from '../../src/stores/restate/plans.ts';
import { openRestateQueue } from '../../src/stores/restate/queue.ts';
import { openRestate } from '../../src/stores/restate/runs.ts';
import { lease } from '../stores/shared/machines.ts';
import { looking, type OpenFleetStore } from '../told/store.ts';
import { serverWith } from './world.ts';

export interface RestateFleet {
  readonly open: OpenFleetStore;
  readonly close: () => Promise<void>;
}

export async function restateFleet(): Promise<RestateFleet> {
  let now: Clock = systemClock;
  const handlers: Clock = {
    now: () => now.now(),
    monotonic: () => now.monotonic(),
    sleep: (ms, signal) => systemClock.sleep(ms, signal),
  };
  const prepared = await serverWith(handlers);
  const { server } = prepared;
  let histories = 0;
  const open: OpenFleetStore = async (clock) => {
    now = clock;
    const closing: (() => Promise<void>)[] = [];
    const options = { url: `${server.url}/history-${++histories}`, lease, timeoutMs: 60_000 };
    return {
      connect: () => {
        const [queue, plans] = [openRestateQueue(options), openRestatePlans(options)];
        const [runs, files] = [openRestate(options), openRestateFiles(options)];
        for (const each of [queue, plans, runs, files]) closing.push(() => each.close());
        return { runs, files, plans, queue: looking(queue) };
      },
      tick: async () => undefined,
      pollMs: 20,
      close: async () => {
        for (const end of closing) await end();
      },
    };
  };
  return { open, close: () => prepared.close() };
}
