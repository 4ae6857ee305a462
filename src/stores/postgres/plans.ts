/** Plans in a Postgres database. */
import type { SharedPlans } from '../shared-plans.ts';
import { databaseOf, type PostgresOptions } from './options.ts';

/** Opens the plans of a database; it connects at the first call. @throws ConfigError for a bad URL */
export function openPlans(options: PostgresOptions): SharedPlans & { close(): Promise<void> } {
  const { database } = databaseOf({ ...options, connections: 1 });
  return {
    put: async (id, text) => (await database.query(putPlan, [id, text])).length > 0,
    find: async (id) => {
      const [row] = await database.query<{ text: string }>(findPlan, [id]);
      return row?.text;
    },
    newest: async (most) =>
      (await database.query<{ id: string }>(newestPlans, [most])).map(({ id }) => id),
    close: () => database.close(),
  };
}

const putPlan = {
  name: 'deskhand_plan_put',
  text: `
    insert into deskhand.plan as plan (id, text, made) values ($1, $2, clock_timestamp())
    on conflict (id) do update set text = excluded.text where plan.text = excluded.text
    returning id`,
};

const findPlan = {
  name: 'deskhand_plan_find',
  text: 'select text from deskhand.plan where id = $1',
};

const newestPlans = {
  name: 'deskhand_plan_newest',
  text: 'select id from deskhand.plan order by made desc limit $1',
};
