/** Marks runs as removed: their rows stay, so that they are never taken again and their plans stay used. */
import type { Pruned, RunEnd } from '../shared/retention.ts';
import type { Database } from './database.ts';

export async function known(
  database: Database,
  runs: readonly string[],
): Promise<ReadonlyMap<string, 'stored' | 'pruned'>> {
  const rows = await database.query<{ run: string; isPruned: boolean }>(findKnown, [runs]);
  return new Map(rows.map(({ run, isPruned }) => [run, isPruned ? 'pruned' : 'stored']));
}

export async function prune(
  database: Database,
  run: string,
  { lines, link }: RunEnd,
): Promise<Pruned> {
  const marked = await database.query(markPruned, [run, lines, link]);
  if (marked.length > 0) return 'pruned';
  const [row] = await database.query<{ isInUse: boolean }>(findUse, [run]);
  if (row === undefined) return 'absent';
  return row.isInUse ? 'in-use' : 'changed';
}

const findKnown = {
  name: 'deskhand_prune_known',
  text: `
    select id as run, pruned is not null as "isPruned" from deskhand.run where id = any($1)`,
};

const openJob = `exists (select from deskhand.job where job.id = run.id and job.ended is null)`;

/** Marks a run as removed. The update waits for the lock of the row, so it finds an earlier take or line. */
const markPruned = {
  name: 'deskhand_prune',
  text: `
    update deskhand.run as run set pruned = coalesce(pruned, clock_timestamp())
    where id = $1 and (pruned is not null
      or (ended is not null and lines = $2 and link = $3 and not ${openJob}))
    returning id`,
};

const findUse = {
  name: 'deskhand_prune_use',
  text: `
    select ended is null or ${openJob} as "isInUse" from deskhand.run as run where id = $1`,
};
