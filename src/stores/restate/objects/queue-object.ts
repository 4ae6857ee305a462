/** The one object of a desk that has the jobs: it knows which worker has each job, and how each ended. */
import { day, type Millis } from '../../../base/clock.ts';
import type { Json } from '../../../base/json.ts';
import {
  stoppedEnding,
  type Beat,
  type Ending,
  type Job,
  type JobState,
  type Wait,
  type Worker,
} from '../../queue.ts';
import { queueObject } from './names.ts';
import type { Invocation, ObjectDefinition } from './object.ts';
import { forgetOldest, olderThan, remember } from './outdated.ts';
import {
  bodyName,
  countChange,
  endedName,
  nextFor,
  openJobs,
  setOpen,
  stateOf,
  workersIn,
  type Row,
} from './queue-state.ts';

export const queue: ObjectDefinition = {
  name: queueObject,
  isLazy: true, // bodies may be large
  exclusive: { put, take, beat, giveBack, finish, stop, withdraw, leave, clean },
  shared: { find, list, workers, changes, outdated },
  internal: [],
};

async function put(
  invocation: Invocation,
  { job: { body, ...given }, isAgain }: { readonly job: Job; readonly isAgain: boolean },
): Promise<'queued' | 'known'> {
  const rows = await openJobs(invocation);
  if (rows.some((row) => row.job.id === given.id)) return 'known';
  const ended = await invocation.get<Row>(endedName(given.id));
  if (ended !== undefined && !isAgain) return 'known';
  const job = { ...given, format: Math.max(given.format, ended?.job.format ?? 0) };
  const now = await invocation.now();
  invocation.set(bodyName(job.id), { body });
  await setOpen(invocation, [...rows, { job, queued: now, free: now, isTaken: false }]);
  invocation.clear(endedName(job.id));
  return 'queued';
}

interface TakeInput {
  readonly worker: Worker;
  readonly lease: Millis;
  /** The format that the job's journal has from then on. */
  readonly writes: number;
}

async function take(
  invocation: Invocation,
  { worker, lease, writes }: TakeInput,
): Promise<Job | undefined> {
  const rows = await openJobs(invocation);
  if (rows.length === 0) return undefined;
  const now = await invocation.now();
  const next = nextFor(rows, worker, now);
  if (next === undefined) return undefined;
  const job = { ...next.job, format: Math.max(next.job.format, writes) };
  const taken = { ...next, job, isTaken: true, worker: worker.name, free: now + lease };
  invocation.set(
    'open',
    rows.map((row) => (row === next ? taken : row)),
  );
  const stored = await invocation.get<{ readonly body: Json }>(bodyName(next.job.id));
  return { ...job, body: stored?.body ?? null };
}

async function beat(
  invocation: Invocation,
  { worker, lease }: { readonly worker: Worker; readonly lease: Millis },
): Promise<readonly Beat[]> {
  const now = await invocation.now();
  const others = (await workersIn(invocation)).filter(
    (each) => each.worker.name !== worker.name && now - each.at <= day,
  );
  invocation.set('workers', [...others, { worker, at: now }]);
  const rows = await openJobs(invocation);
  const isOwn = (row: Row): boolean => row.isTaken && row.worker === worker.name;
  const mine = rows.filter(isOwn);
  if (mine.length > 0) {
    invocation.set(
      'open',
      rows.map((row) => (isOwn(row) ? { ...row, free: now + lease } : row)),
    );
  }
  return mine.map(({ job: { id }, stoppedBy }) => ({ id, ...(stoppedBy && { stoppedBy }) }));
}

async function giveBack(
  invocation: Invocation,
  { worker, id, delay, wait }: GivenBack,
): Promise<void> {
  const found = await ofWorker(invocation, worker, id);
  if (found === undefined) return;
  const { wait: _earlier, ...row } = found;
  if (row.stoppedBy !== undefined) return end(invocation, row, stoppedEnding(row.stoppedBy));
  const free = (await invocation.now()) + delay;
  await replace(invocation, { ...row, isTaken: false, free, ...(wait && { wait }) });
}

interface GivenBack {
  readonly worker: string;
  readonly id: string;
  readonly delay: Millis;
  readonly wait?: Wait;
}

async function finish(
  invocation: Invocation,
  { worker, id, ending }: { readonly worker: string; readonly id: string; readonly ending: Ending },
): Promise<void> {
  const row = await ofWorker(invocation, worker, id);
  if (row !== undefined) await end(invocation, row, ending);
}

async function stop(
  invocation: Invocation,
  { id, by }: { readonly id: string; readonly by: string },
): Promise<boolean> {
  const row = (await openJobs(invocation)).find(({ job }) => job.id === id);
  if (row === undefined) return false;
  const stoppedBy = row.stoppedBy ?? by;
  if (row.isTaken) await replace(invocation, { ...row, stoppedBy });
  else await end(invocation, { ...row, stoppedBy }, stoppedEnding(stoppedBy));
  return true;
}

async function withdraw(invocation: Invocation, { id }: { readonly id: string }): Promise<boolean> {
  const rows = await openJobs(invocation);
  const row = rows.find(({ job }) => job.id === id);
  if (row === undefined || row.worker !== undefined) return false;
  await setOpen(
    invocation,
    rows.filter((each) => each !== row),
  );
  invocation.clear(bodyName(id));
  return true;
}

async function leave(
  invocation: Invocation,
  { worker: name }: { readonly worker: string },
): Promise<void> {
  const workers = await workersIn(invocation);
  invocation.set(
    'workers',
    workers.filter(({ worker }) => worker.name !== name),
  );
}

async function find(
  invocation: Invocation,
  { id }: { readonly id: string },
): Promise<JobState | undefined> {
  const open = (await openJobs(invocation)).find(({ job }) => job.id === id);
  const row = open ?? (await invocation.get<Row>(endedName(id)));
  return row && stateOf(row, await invocation.now());
}

async function list(invocation: Invocation): Promise<readonly JobState[]> {
  const rows = await openJobs(invocation);
  const now = await invocation.now();
  return rows.map((row) => stateOf(row, now));
}

async function workers(
  invocation: Invocation,
): Promise<readonly (Worker & { readonly silentFor: Millis })[]> {
  const seen = await workersIn(invocation);
  const now = await invocation.now();
  return seen
    .map(({ worker, at }) => ({ ...worker, silentFor: now - at }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The number of changes so far. */
async function changes(invocation: Invocation): Promise<number> {
  return (await invocation.get<number>('changes')) ?? 0;
}

/** A job, if the worker has it. */
async function ofWorker(
  invocation: Invocation,
  worker: string,
  id: string,
): Promise<Row | undefined> {
  const row = (await openJobs(invocation)).find(({ job }) => job.id === id);
  return row?.isTaken === true && row.worker === worker ? row : undefined;
}

async function replace(invocation: Invocation, row: Row): Promise<void> {
  const rows = await openJobs(invocation);
  await setOpen(
    invocation,
    rows.map((each) => (each.job.id === row.job.id ? row : each)),
  );
}

/** Ends a job. Others may read between two changes: a job is always open or ended. */
async function end(invocation: Invocation, row: Row, ending: Ending): Promise<void> {
  const { id } = row.job;
  invocation.set(endedName(id), { ...row, isTaken: false, ending });
  const rows = await openJobs(invocation);
  invocation.set(
    'open',
    rows.filter(({ job }) => job.id !== id),
  );
  await countChange(invocation);
  invocation.clear(bodyName(id));
  if (row.job.kind === 'plan') {
    await remember(invocation, endedPlans, { id, at: await invocation.now() });
  }
}

/** The list of ended plan jobs. Their ending contains the plan, and their ids are not used again. */
const endedPlans = 'ended plans';

/** The number of ended jobs with contents. */
async function outdated(
  invocation: Invocation,
  { age }: { readonly age: Millis },
): Promise<number> {
  return (await olderThan(invocation, endedPlans, age)).length;
}

/** Deletes the oldest ended jobs with contents. @returns how many */
async function clean(
  invocation: Invocation,
  { age, most }: { readonly age: Millis; readonly most: number },
): Promise<number> {
  const old = await olderThan(invocation, endedPlans, age, most);
  for (const id of old) invocation.clear(endedName(id));
  await forgetOldest(invocation, endedPlans, old.length);
  return old.length;
}
