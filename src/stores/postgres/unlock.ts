/** Records reports of a person: a process is gone, or the database has lost lines. */
import type { Millis } from '../../base/clock.ts';
import type { Database } from './database.ts';
import { restore } from './incarnation.ts';

export async function unlock(
  database: Database,
  run: string,
  nonce: string,
  givesUp: boolean,
): Promise<boolean> {
  const unlocked = await database.query(endLease, [run, nonce, givesUp]);
  return unlocked.length > 0;
}

export function restored(database: Database, now: Millis): Promise<void> {
  return database.transaction((query) => restore(query, now));
}

const endLease = {
  name: 'deskhand_unlock',
  text: `
    update deskhand.run set epoch = epoch + 1, lease = least(lease, clock_timestamp()),
      ended = case when $3 then clock_timestamp() end
    where id = $1 and nonce = $2 and ended is null
    returning id`,
};
