/** A database whose clock is moved by a test: the functions of the time that its statements call are replaced. */
import type { Millis } from '../../src/base/clock.ts';
import { login, type PostgresServer } from './server.ts';

export interface MovedClock {
  /** From now on the time of all statements. */
  readonly show: (moment: Millis) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Called before tables are made, whose defaults then read the moved clock, too. */
export async function replaceClock(server: PostgresServer, database: string): Promise<void> {
  await server.sql(
    `create schema moved;
     create table moved.clock (moment float8 not null);
     insert into moved.clock values (0);
     create function moved.clock_timestamp() returns timestamptz language sql volatile
       as 'select to_timestamp(moment / 1000) from moved.clock';
     create function moved.now() returns timestamptz language sql volatile
       as 'select moved.clock_timestamp()';
     grant usage on schema moved to ${login.user};
     grant select on moved.clock to ${login.user};
     alter role ${login.user} in database ${database} set search_path = moved, pg_catalog, public`,
    database,
  );
}

/** The clock of a database made after one in which it was replaced. */
export async function movedClock(server: PostgresServer, database: string): Promise<MovedClock> {
  await server.sql(
    `alter role ${login.user} in database ${database} set search_path = moved, pg_catalog, public`,
  );
  const client = await server.connect(database);
  let shown: Millis = 0;
  return {
    show: async (moment) => {
      if (moment === shown) return;
      shown = moment;
      await client.query('update moved.clock set moment = $1', [moment]);
    },
    close: () => client.end(),
  };
}
