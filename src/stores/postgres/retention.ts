/** Removes rows that nothing depends on from a Postgres database, in short transactions. */
import { second, type Millis } from '../../base/clock.ts';
import type { Outdated } from '../removable.ts';
import type { SharedRetention } from '../shared/retention.ts';
import type { Database } from './database.ts';
import { databaseOf, type PostgresOptions } from './options.ts';
import { known, prune } from './prune.ts';

const timeoutMs: Millis = 10 * second; // of each statement: nothing waits for it
const rowsMax = 200; // removed in one transaction, each at most 1 MiB

/**
 * Opens the retention, with other connections than `openPostgres`; it connects at the first call.
 * @throws ConfigError for a bad URL
 */
export function openRetention(options: PostgresOptions): SharedRetention {
  const { database } = databaseOf({ timeoutMs, ...options, connections: 1 });
  return {
    known: (runs) => known(database, runs),
    prune: (run, at) => prune(database, run, at),
    empty: () => empty(database),
    count: async (age) => {
      const [found] = await database.query<Outdated>(countOutdated, [age]);
      return found ?? { plans: 0, jobs: 0 };
    },
    clean: async (age) => {
      const plans = await inBatches(database, deletePlans, [age]);
      const planJobs = await inBatches(database, deletePlanJobs, [age]);
      const jobs = await inBatches(database, emptyJobs, [age]);
      await database.query(deleteWorkers);
      return { plans, jobs: planJobs + jobs };
    },
    close: () => database.close(),
  };
}

async function empty(database: Database): Promise<void> {
  for (;;) {
    const runs = await database.query<{ run: string }>(findPruned, [rowsMax]);
    for (const { run } of runs) {
      await inBatches(database, deleteLines, [run]);
      await inBatches(database, deleteOutputs, [run]);
      await database.query(deleteSummary, [run]);
      await database.query(markEmptied, [run]);
    }
    if (runs.length < rowsMax) return;
  }
}

/**
 * Repeats a statement until it changes no more rows.
 * @param statement changes at most as many rows as its last value @returns their number
 */
async function inBatches(
  database: Database,
  statement: { readonly name: string; readonly text: string },
  values: readonly unknown[],
): Promise<number> {
  for (let total = 0; ;) {
    const changed = await database.query(statement, [...values, rowsMax]);
    total += changed.length;
    if (changed.length < rowsMax) return total;
  }
}

/**
 * The condition that a row is old. Unlike `clock_timestamp`, this time is the same for all rows, so an index
 * is used.
 */
const isOld = `< statement_timestamp() - $1 * interval '1 millisecond'`;

/** The condition that a job is old, in the form of the index. */
const isOldJob = `ended is not null and (kind = 'plan' or body <> 'null') and ended ${isOld}`;

const countOutdated = {
  name: 'deskhand_retention_count',
  text: `
    select (select count(*)::int from deskhand.plan where made ${isOld}) as plans,
      (select count(*)::int from deskhand.job where ${isOldJob}) as jobs`,
};

const deletePlans = {
  name: 'deskhand_retention_plans',
  text: `
    delete from deskhand.plan where id = any(array(
      select id from deskhand.plan where made ${isOld} limit $2))
    returning id`,
};

/** Deletes old jobs that made a plan: their ids are never used again. */
const deletePlanJobs = {
  name: 'deskhand_retention_plan_jobs',
  text: `
    delete from deskhand.job where id = any(array(
      select id from deskhand.job where ${isOldJob} and kind = 'plan'
      limit $2 for update skip locked))
    returning id`,
};

/**
 * Empties old jobs of runs. The row stays, so that the plan is not queued again. A job that is queued again
 * is skipped.
 */
const emptyJobs = {
  name: 'deskhand_retention_jobs',
  text: `
    update deskhand.job set body = 'null' where id = any(array(
      select id from deskhand.job where ${isOldJob} and kind <> 'plan'
      limit $2 for update skip locked))
    returning id`,
};

const deleteWorkers = {
  name: 'deskhand_retention_workers',
  text: `
    delete from deskhand.worker where name in (
      select name from deskhand.worker where seen < clock_timestamp() - interval '1 day'
      for update skip locked)`,
};

const findPruned = {
  name: 'deskhand_retention_pruned',
  text: `
    select id as run from deskhand.run where pruned is not null and emptied is null
    order by id limit $1`,
};

const deleteLines = {
  name: 'deskhand_retention_lines',
  text: `
    delete from deskhand.lines where run = $1 and first in (
      select first from deskhand.lines where run = $1 order by first limit $2)
    returning first`,
};

const deleteOutputs = {
  name: 'deskhand_retention_outputs',
  text: `
    delete from deskhand.output where ctid = any(array(
      select ctid from deskhand.output where run = $1 limit $2))
    returning part`,
};

const deleteSummary = {
  name: 'deskhand_retention_summary',
  text: 'delete from deskhand.summary where run = $1',
};

const markEmptied = {
  name: 'deskhand_retention_emptied',
  text: `
    update deskhand.run set emptied = clock_timestamp(), header = null
    where id = $1 and pruned is not null`,
};
