/** Rate limits in a Postgres database. */
import type { Millis } from '../../base/clock.ts';
import type { SharedPaces } from '../shared/shared-paces.ts';
import { databaseOf, type PostgresOptions } from './options.ts';

const connectionsMax = 4; // by default; a process asks for one place of each limit at a time

/** Opens the rate limits of a database; it connects at the first call. @throws ConfigError for a bad URL */
export function openPaces(options: PostgresOptions): SharedPaces {
  const { database } = databaseOf({ connections: connectionsMax, ...options });
  return {
    take: async (key, { permits, per }, id) => {
      const [row] = await database.query<{ ms: Millis }>(takePlace, [key, permits, per, id]);
      return row?.ms ?? per;
    },
    answered: async (key, id) => {
      await database.query(markAnswered, [key, id]);
    },
    hold: async (key, ms) => {
      await database.query(holdPlaces, [key, ms]);
    },
    close: () => database.close(),
  };
}

const takePlace = {
  name: 'deskhand_pace_take',
  text: `select deskhand.take_place($1, $2::int, $3::float8, $4) as ms`,
};

const markAnswered = {
  name: 'deskhand_pace_answered',
  text: `
    update deskhand.pace_place set answered = clock_timestamp()
    where key = $1 and id = $2 and answered is null`,
};

const holdPlaces = {
  name: 'deskhand_pace_hold',
  text: `
    insert into deskhand.pace as pace values ($1, clock_timestamp() + $2 * interval '1 millisecond')
    on conflict (key) do update set held_until = greatest(pace.held_until, excluded.held_until)`,
};
