/** Workers of the queue, and the leases of their jobs. */
import type { Millis } from '../../base/clock.ts';
import { pauseIn, type Beat, type Worker } from '../queue.ts';
import type { Database } from './database.ts';
import { msSince, textsIn } from './row.ts';

export async function beat(
  database: Database,
  { name, host, version, format, profiles, slots, pause }: Worker,
  lease: Millis,
): Promise<readonly Beat[]> {
  const own = [name, host, version, format, profiles, slots];
  const values = [...own, lease, pause ? JSON.stringify(pause) : null];
  const rows = await database.query<{ id: string; stoppedBy: string | null }>(beatOnce, values);
  return rows.map(({ id, stoppedBy }) => ({ id, ...(stoppedBy !== null && { stoppedBy }) }));
}

export async function leave(database: Database, worker: string): Promise<void> {
  await database.query(removeWorker, [worker]);
}

export async function workers(
  database: Database,
): Promise<readonly (Worker & { readonly silentFor: Millis })[]> {
  const rows = await database.query<WorkerRow>(listWorkers);
  return rows.map(({ pause: text, ...row }) => {
    const pause = text === null ? undefined : pauseIn(text);
    return { ...row, profiles: textsIn(row.profiles), ...(pause && { pause }) };
  });
}

interface WorkerRow extends Omit<Worker, 'pause'> {
  readonly pause: string | null;
  readonly silentFor: Millis;
}

/**
 * Records that a worker is alive. Rows that another worker removes are skipped: the two could wait for each
 * other.
 */
const beatOnce = {
  name: 'deskhand_worker_beat',
  text: `
    with alive as (
      insert into deskhand.worker (name, host, version, format, profiles, slots, pause, seen)
      values ($1, $2, $3, $4, $5, $6, $8, clock_timestamp())
      on conflict (name) do update set host = excluded.host, version = excluded.version,
        format = excluded.format, profiles = excluded.profiles, slots = excluded.slots,
        pause = excluded.pause, seen = excluded.seen
    ), forgotten as (
      delete from deskhand.worker where name in (
        select name from deskhand.worker
        where name <> $1 and seen < clock_timestamp() - interval '1 day'
        for update skip locked)
    )
    update deskhand.job set free = clock_timestamp() + $7 * interval '1 millisecond'
    where worker = $1 and taken and ended is null
    returning id, stopped_by as "stoppedBy"`,
};

const removeWorker = {
  name: 'deskhand_worker_leave',
  text: `delete from deskhand.worker where name = $1`,
};

const listWorkers = {
  name: 'deskhand_workers',
  text: `
    select name, host, version, format, profiles, slots, pause,
      ${msSince('seen')} as "silentFor"
    from deskhand.worker order by name`,
};
