/** Databases with tables on one server: a new one for each place of the engine's contract. */
import { beforeAll } from 'vitest';
import { openPostgres } from '../../src/stores/postgres/runs.ts';
import { lastLink } from '../../src/stores/shared/lines.ts';
import type { SharedRuns } from '../../src/stores/shared/shared-runs.ts';
import type { TestDatabase } from '../engine/runtime/shared-backend.ts';
import { lease } from '../stores/shared/machines.ts';
import { afterEachTest } from '../support/cleanup.ts';
import { login, type PostgresServer } from './server.ts';
import { advanceIn, preparedServer } from './world.ts';

/** Makes the server before the tests of the file. @returns what makes a database */
export function databases(): () => Promise<TestDatabase> {
  let server: PostgresServer;
  let count = 0;
  const connected: SharedRuns[] = [];
  beforeAll(async () => {
    server = await preparedServer();
  });
  afterEachTest(() => Promise.all(connected.splice(0).map((runs) => runs.close())));
  return async () => {
    const name = `place${++count}`;
    await server.sql(`create database ${name} template ${login.database} owner ${login.user}`);
    const url = server.url().replace(login.database, name);
    return {
      connect: () => {
        const runs = openPostgres({ url, lease });
        connected.push(runs);
        return runs;
      },
      advance: (ms) => advanceIn(server, name, ms),
      forget: (run, lines) => forgetIn(server, name, run, lines),
    };
  };
}

/** It is a copy without the last lines of a run from now on. */
async function forgetIn(
  server: PostgresServer,
  name: string,
  run: string,
  count: number,
): Promise<void> {
  const client = await server.connect(name);
  try {
    const { rows } = await client.query<{ readonly text: string }>(
      'select text from deskhand.lines where run = $1 order by first',
      [run],
    );
    const lines = rows.flatMap(({ text }) => text.split(/(?<=\n)/));
    const left = lines.slice(0, lines.length - count);
    const text = left.join('');
    await client.query('delete from deskhand.lines where run = $1', [run]);
    if (left.length > 0) {
      await client.query('insert into deskhand.lines values ($1, 1, $2, $3)', [
        run,
        left.length,
        text,
      ]);
    }
    await client.query('update deskhand.run set lines = $2, link = $3 where id = $1', [
      run,
      left.length,
      lastLink(text),
    ]);
    await client.query('update deskhand.meta set restored = restored + 1');
  } finally {
    await client.end();
  }
}
