/** What the pages of a server show of a run: its row, its report, what needs a person, and what is queued. */
import type { Millis } from '../../src/base/clock.ts';
import { queueOver } from '../../src/serve/server/queue-service.ts';
import type { AnswerOf, Routes } from '../../src/serve/server/routes/index.ts';
import type { Desk } from '../jobs/desk.ts';
import { served, type Served } from '../serve/server/desk.ts';
import type { WorldClock } from '../swarm/clocks.ts';
import { fleetStore, type FleetStore } from './store.ts';

type Home = AnswerOf<Routes['GET /home']>;

/** What the pages show of one run. */
export interface Shown {
  /** Absent if they do not list it. */
  readonly row?: Home['runs'][number];
  readonly needs: Home['needs'];
  /** Its job, if no worker executes it yet. */
  readonly waiting?: Home['waiting'][number];
  /** Absent if it has no entries. */
  readonly report?: AnswerOf<Routes['GET /runs/{run}']>;
}

export interface Pages {
  /** As after a look at the store. */
  readonly of: (run: string) => Promise<Shown>;
  readonly close: () => void;
}

/** A server in the folder of a machine; after a death the machine has another folder. */
export async function pagesOver(
  machine: Desk,
  state: FleetStore,
  lease: Millis,
  clock: WorldClock,
): Promise<Pages> {
  const { runs, files, plans, queue } = state.connect();
  const close = async (): Promise<void> => undefined;
  let server: Served | undefined;
  let folder = '';
  const open = async (): Promise<Served> => {
    const started = await served({
      folder: machine.folder,
      clock,
      queue: queueOver(
        async () => ({ queue, runs, plans, lease, close }),
        async (id) => {
          throw new Error(`no plan ${id}`);
        },
      ),
      sync: () => fleetStore(started.stateDir, { runs, files }, clock).sync(),
    });
    return started;
  };
  const get = async <A>(path: string): Promise<A | undefined> => {
    const response = await server?.get(path);
    return response?.status === 200 ? ((await response.json()) as A) : undefined;
  };
  return {
    of: async (run) => {
      if (server === undefined || folder !== machine.folder) {
        server?.close();
        server = await open();
        ({ folder } = machine);
      }
      await state.tick();
      await server.desk.fetch();
      await server.desk.queue?.fetch();
      await server.poll();
      const home = await get<Home>('/home');
      if (home === undefined) throw new Error('the first page gave no response');
      const row = home.runs.find((each) => each.run === run);
      const waiting = home.waiting.find(({ job }) => job === run);
      const report = row && (await get<NonNullable<Shown['report']>>(`/runs/${run}`));
      return {
        ...(row && { row }),
        needs: home.needs.filter((need) => need.run === run),
        ...(waiting && { waiting }),
        ...(report && { report }),
      };
    },
    close: () => server?.close(),
  };
}
