/** Records which history of the database answers: its incarnation. */
import type { Millis } from '../../base/clock.ts';
import type { Met } from '../shared/forgotten.ts';
import type { Query } from './database.ts';
import { msUntil } from './row.ts';

const historyLock = '7233459013584921';

/**
 * The incarnations until the present one, which is recorded when a process first meets it. One that returns,
 * as on the server before a move, counts as another one.
 * @param now the exchange's clock
 */
export async function meet(query: Query, now: Millis): Promise<readonly Met[]> {
  const met = await historyIn(query);
  if (isPresent(met, await presentIn(query))) return met;
  await query({ text: `select pg_advisory_xact_lock(${historyLock})` });
  const latest = await historyIn(query);
  const present = await presentIn(query);
  if (isPresent(latest, present)) return latest;
  await recordNew(query, latest, present, now);
  return historyIn(query);
}

/** Records that the database was restored: from now on it counts as another one. */
export async function restore(query: Query, now: Millis): Promise<void> {
  await query({ text: `select pg_advisory_xact_lock(${historyLock})` });
  const met = await historyIn(query);
  await query(countRestored);
  await recordNew(query, met, await presentIn(query), now);
}

/** Records the present incarnation, and counts it as a new one as long as it was met before. */
async function recordNew(
  query: Query,
  met: readonly Met[],
  present: string,
  now: Millis,
): Promise<void> {
  let next = present;
  while (met.some(({ incarnation }) => incarnation === next)) {
    await query(countRestored);
    next = await presentIn(query);
  }
  await query(record, [Math.floor(now)]);
}

/** Whether the database shows that a standby was promoted, or that a copy was restored. */
export function isReadable(incarnation: string): boolean {
  return !incarnation.includes('?');
}

function isPresent(history: readonly Met[], present: string): boolean {
  return history.at(-1)?.incarnation === present;
}

async function presentIn(query: Query): Promise<string> {
  const [row] = await query<{ incarnation: string }>(present);
  return row?.incarnation ?? '';
}

const present = {
  name: 'deskhand_incarnation',
  text: 'select deskhand.incarnation() as incarnation',
};

function historyIn(query: Query): Promise<readonly Met[]> {
  return query<Met>(history);
}

const history = {
  name: 'deskhand_history',
  text: `
    select incarnation, since_ms::float8 as since, until_ms::float8 as until,
      -(${msUntil('since')}) as "sinceAgo",
      -(${msUntil('until')}) as "untilAgo"
    from deskhand.history order by seq`,
};

const countRestored = {
  name: 'deskhand_count_restored',
  text: 'update deskhand.meta set restored = restored + 1',
};

/**
 * Records an incarnation. The lines that survived are at least as recent as the last take in the database.
 */
const record = {
  name: 'deskhand_record_incarnation',
  text: `
    insert into deskhand.history (incarnation, until_ms, since_ms, since)
    select deskhand.incarnation(), $1,
      greatest(max(taken_ms), (select max(until_ms) from deskhand.history)),
      greatest(max(taken), (select max(until) from deskhand.history))
    from deskhand.run`,
};
