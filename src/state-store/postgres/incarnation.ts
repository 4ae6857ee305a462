/** Which history of which database answers, and what it may have forgotten. */
import { day, type Millis } from '../../base/clock.ts';
import type { Forgot } from '../shared/shared-runs.ts';
import type { Query } from './database.ts';

/** An incarnation that was met; times by the exchange's clock. */
export interface Met {
  readonly incarnation: string;
  readonly since: Millis | null;
  /** Null for the first one. */
  readonly until: Millis | null;
  /** How long ago that is by the database's clock. */
  readonly sinceAgo: Millis;
  readonly untilAgo: Millis;
}

const historyLock = '7233459013584921';

/**
 * The incarnations until the present one, which is recorded when it is met first. One that returns,
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
  if (latest.some(({ incarnation }) => incarnation === present)) await query(countRestored);
  await query(record, [Math.floor(now)]);
  return historyIn(query);
}

/** From now on it counts as another one. */
export async function restore(query: Query, now: Millis): Promise<void> {
  await query({ text: `select pg_advisory_xact_lock(${historyLock})` });
  await query(countRestored);
  await query(record, [Math.floor(now)]);
}

/** Whether the database shows that a standby was promoted, or that a copy was restored. */
export function isReadable(incarnation: string): boolean {
  return !incarnation.includes('?');
}

const longestSearched = 90 * day;

/**
 * What a run must consider lost.
 * @param stored the incarnation of its last line; undefined without lines
 */
export function forgotOf(
  history: readonly Met[],
  stored: string | undefined,
  now: Millis,
): Forgot | undefined {
  const forgettings = history.slice(1).map((met) => windowOf(met, now));
  const latest = forgettings.at(-1);
  if (latest === undefined) return undefined;
  const { until } = latest;
  const index = history.findIndex(({ incarnation }) => incarnation === stored);
  if (index === history.length - 1) return { ...latest, isContinued: true };
  // Entry N of `forgettings` begins incarnation N + 1.
  const later =
    index === -1
      ? forgettings.filter((one) => one === latest || one.until >= now - longestSearched)
      : forgettings.slice(index);
  return { since: Math.min(...later.map(({ since }) => since)), until, isContinued: false };
}

/**
 * By the clock of the exchange that asks: the one that was asked when the incarnation was met may be
 * another, such as a sandbox. The earlier start and the later end of both clocks count.
 */
function windowOf(met: Met, now: Millis): { readonly since: Millis; readonly until: Millis } {
  const since = Math.min(met.since ?? now, now - met.sinceAgo);
  const until = Math.min(now, Math.max(met.until ?? now, now - met.untilAgo));
  return { since: Math.min(since, until), until };
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
      round(extract(epoch from clock_timestamp() - since) * 1000)::float8 as "sinceAgo",
      round(extract(epoch from clock_timestamp() - until) * 1000)::float8 as "untilAgo"
    from deskhand.history order by seq`,
};

const countRestored = {
  name: 'deskhand_count_restored',
  text: 'update deskhand.meta set restored = restored + 1',
};

/** What survived is as recent as the last take in it, at least. */
const record = {
  name: 'deskhand_record_incarnation',
  text: `
    insert into deskhand.history (incarnation, until_ms, since_ms, since)
    select deskhand.incarnation(), $1,
      greatest(max(taken_ms), (select max(until_ms) from deskhand.history)),
      greatest(max(taken), (select max(until) from deskhand.history))
    from deskhand.run`,
};
