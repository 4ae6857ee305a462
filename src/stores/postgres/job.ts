/** Reads and changes jobs of the queue: each method is one statement. */
import type { Millis } from '../../base/clock.ts';
import { JsonError, parseJson } from '../../base/json.ts';
import {
  endingIn,
  stoppedEnding,
  waitIn,
  type Ending,
  type Job,
  type JobState,
  type Wait,
  type Worker,
} from '../queue.ts';
import type { Database } from './database.ts';
import { isOver, msSince, textsIn } from './row.ts';
import { channel } from './wake.ts';

export async function put(
  database: Database,
  job: Job,
  isAgain: boolean,
): Promise<'queued' | 'known'> {
  const { id, kind, playbook, profiles, accounts, format, by, body } = job;
  const values = [
    id,
    kind,
    playbook,
    profiles,
    accounts,
    format,
    by,
    JSON.stringify(body),
    isAgain,
  ];
  const queued = await database.query(putJob, values);
  return queued.length > 0 ? 'queued' : 'known';
}

export async function takeJob(
  database: Database,
  { name, format, profiles }: Worker,
  lease: Millis,
  writes = format,
): Promise<Job | undefined> {
  const [row] = await database.query<JobRow & { body: string }>(takeNext, [
    name,
    format,
    profiles,
    lease,
    writes,
  ]);
  return row && { ...jobOf(row), body: bodyOf(row.body) };
}

export async function giveBack(
  database: Database,
  worker: string,
  id: string,
  delay: Millis,
  wait?: Wait,
): Promise<void> {
  const values = [worker, id, delay, wait ? JSON.stringify(wait) : null, wait?.run ?? null];
  await database.query(giveJobBack, values);
}

export async function finish(
  database: Database,
  worker: string,
  id: string,
  ending: Ending,
): Promise<void> {
  await database.query(finishJob, [worker, id, JSON.stringify(ending)]);
}

export async function stop(database: Database, id: string, by: string): Promise<boolean> {
  const asked = await database.query(stopJob, [id, by, JSON.stringify(stoppedEnding(by))]);
  return asked.length > 0;
}

export async function withdraw(database: Database, id: string): Promise<boolean> {
  const withdrawn = await database.query(withdrawJob, [id]);
  return withdrawn.length > 0;
}

export async function find(database: Database, id: string): Promise<JobState | undefined> {
  const [row] = await database.query<StateRow>(findJob, [id]);
  return row && stateOf(row);
}

export async function list(database: Database): Promise<readonly JobState[]> {
  return (await database.query<StateRow>(listJobs)).map(stateOf);
}

/** Parses the body of a job; null for a text that is not JSON, which the worker refuses. */
function bodyOf(text: string): Job['body'] {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) return null;
    throw error;
  }
}

type JobRow = Omit<Job, 'body'>;

interface StateRow extends JobRow {
  readonly state: JobState['state'];
  readonly worker: string | null;
  readonly stoppedBy: string | null;
  readonly ending: string | null;
  readonly wait: string | null;
  readonly age: Millis;
}

/** The job in a row. A list in a row may have null for a text. */
function jobOf({ id, kind, playbook, profiles, accounts, format, by }: JobRow): JobRow {
  return {
    id,
    kind,
    playbook,
    profiles: textsIn(profiles),
    accounts: textsIn(accounts),
    format,
    by,
  };
}

function stateOf(row: StateRow): JobState {
  const { state, worker, stoppedBy, ending, age } = row;
  const wait = row.wait === null ? undefined : waitIn(row.wait);
  return {
    job: jobOf(row),
    state,
    ...(worker !== null && { worker }),
    ...(stoppedBy !== null && { stoppedBy }),
    ...(ending !== null && { ending: endingIn(ending, row) }),
    ...(wait && { wait }),
    age,
  };
}

const jobColumns = `job.id, kind, playbook, profiles, accounts, format, queued_by as by`;

const stateColumns = `
  ${jobColumns}, worker, stopped_by as "stoppedBy",
  case when ended is not null then 'ended' when taken then 'taken' else 'queued' end as state,
  case when ended is not null then ending end as ending,
  case when ended is null then wait end as wait,
  ${msSince('queued')} as age`;

/** Notifies of changes, with one row for each, so that the caller knows whether there was one. */
const notifyOf = (changed: string): string => `select pg_notify('${channel}', '') from ${changed}`;

const queueLock = '7233459013584922'; // of this purpose; any number

/**
 * Queues a job. The lock makes the order of `seq` the order of commits: no job appears before one that was
 * seen.
 */
const putJob = {
  name: 'deskhand_job_put',
  text: `
    with locked as (
      select pg_advisory_xact_lock(${queueLock})
    ), put as (
      insert into deskhand.job as job (id, kind, playbook, profiles, accounts, format, queued_by,
        body, queued, free)
      select $1, $2, $3, $4::text[], $5::text[], $6::int, $7, $8, clock_timestamp(),
        clock_timestamp()
      from locked
      on conflict (id) do update set seq = default, kind = excluded.kind,
        playbook = excluded.playbook, profiles = excluded.profiles, accounts = excluded.accounts,
        format = greatest(job.format, excluded.format), queued_by = excluded.queued_by,
        body = excluded.body, queued = excluded.queued, free = excluded.free, taken = false, worker = null,
        stopped_by = null, ending = null, ended = null, wait = null, waits_for = null
      where $9 and job.ended is not null
      returning id
    )
    ${notifyOf('put')}`,
};

const lease = `$4 * interval '1 millisecond'`;

/**
 * Takes the next job. First come the jobs that have no earlier one at any of their accounts; jobs without
 * accounts wait for none. A job that a worker has is earlier than all others, and next is the job of a run
 * that another job waits for.
 */
const takeNext = {
  name: 'deskhand_job_take',
  text: `
    with holder as (
      select waits_for as id from deskhand.job
      where ended is null and not taken and waits_for is not null
    ), place as (
      select seq, first_value(seq) over (
        partition by account, case when account is null then seq end
        order by taken desc, id in (select id from holder) desc, seq) as first
      from deskhand.job left join unnest(accounts) as account on true
      where ended is null
    ), next as (
      select id from deskhand.job
      where ended is null and ${isOver('free', lease)} and format <= $2
        and profiles <@ $3::text[]
        and seq = any(array(select seq from place group by seq having bool_and(first = seq)))
      order by seq limit 1
      for update skip locked
    )
    update deskhand.job as job
    set taken = true, worker = $1, format = greatest(format, $5::int),
      free = clock_timestamp() + ${lease}
    from next where job.id = next.id
    returning ${jobColumns}, body`,
};

const isOfWorker = 'worker = $1 and id = $2 and taken and ended is null';

/**
 * Deletes the body of a plan job at its end: its inputs are not kept longer than it takes to make the plan.
 */
const bodyAtEnd = "body = case when kind = 'plan' then 'null' else body end";

const giveJobBack = {
  name: 'deskhand_job_give_back',
  text: `
    with given as (
      update deskhand.job set taken = false, wait = $4, waits_for = $5,
        free = clock_timestamp() + $3 * interval '1 millisecond',
        ended = case when stopped_by is not null then clock_timestamp() end,
        body = case when kind = 'plan' and stopped_by is not null then 'null' else body end
      where ${isOfWorker}
      returning id
    )
    ${notifyOf('given')}`,
};

const finishJob = {
  name: 'deskhand_job_finish',
  text: `
    with finished as (
      update deskhand.job set taken = false, ending = $3, ended = clock_timestamp(), ${bodyAtEnd}
      where ${isOfWorker}
      returning id
    )
    ${notifyOf('finished')}`,
};

const stopJob = {
  name: 'deskhand_job_stop',
  text: `
    with asked as (
      update deskhand.job set stopped_by = coalesce(stopped_by, $2), ending = coalesce(ending, $3),
        ended = case when not taken then clock_timestamp() end,
        body = case when kind = 'plan' and not taken then 'null' else body end
      where id = $1 and ended is null
      returning id
    )
    ${notifyOf('asked')}`,
};

const withdrawJob = {
  name: 'deskhand_job_withdraw',
  text: `
    with withdrawn as (
      delete from deskhand.job
      where id = $1 and worker is null and not taken and ended is null
      returning id
    )
    ${notifyOf('withdrawn')}`,
};

const findJob = {
  name: 'deskhand_job_find',
  text: `select ${stateColumns} from deskhand.job where id = $1`,
};

const listJobs = {
  name: 'deskhand_job_list',
  text: `select ${stateColumns} from deskhand.job where ended is null order by seq`,
};
