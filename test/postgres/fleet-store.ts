/** The store of a fleet over a real Postgres server: a database for each history, by the clock of the stage. */
import { openFiles } from '../../src/stores/postgres/files.ts';
import { openPlans } from '../../src/stores/postgres/plans.ts';
import { openQueue } from '../../src/stores/postgres/queue.ts';
import { openPostgres } from '../../src/stores/postgres/runs.ts';
import { upgradePostgres } from '../../src/stores/postgres/upgrade.ts';
import { lease } from '../stores/shared/machines.ts';
import { looking, type Connections, type OpenFleetStore } from '../told/store.ts';
import { movedClock, replaceClock } from './moved-clock.ts';
import { login, startPostgres } from './server.ts';

export async function postgresFleet(): Promise<OpenFleetStore> {
  const server = await startPostgres();
  await replaceClock(server, login.database);
  await upgradePostgres(server.url());
  let histories = 0;
  return async (stage) => {
    const name = `history_${++histories}`;
    await server.sql(`create database ${name} template ${login.database} owner ${login.user}`);
    const clock = await movedClock(server, name);
    const url = server.url().replace(`/${login.database}`, `/${name}`);
    const opened: (Connections & { close(): Promise<void> })[] = [];
    return {
      connect: () => {
        const options = { url, lease, connections: 2 };
        const [queue, plans] = [openQueue(options), openPlans(options)];
        const [runs, files] = [openPostgres(options), openFiles(options)];
        const close = async (): Promise<void> => {
          await Promise.all([queue, plans, runs, files].map((each) => each.close()));
        };
        const connections = { runs, files, plans, queue: looking(queue), close };
        opened.push(connections);
        return connections;
      },
      tick: () => clock.show(stage.now()),
      pollMs: 10,
      close: async () => {
        for (const each of opened) await each.close();
        await clock.close();
        await server.sql(`drop database ${name} with (force)`);
      },
    };
  };
}
