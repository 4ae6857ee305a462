/** Operations for the holder of a run only: store lines, renew the lease, release the accounts. */
import type { Batch, Holder, Summary } from '../shared/shared-runs.ts';
import type { Database } from './database.ts';
import { insertSummary, summaryValues } from './summaries.ts';

export async function keep(database: Database, holder: Holder, batch: Batch): Promise<boolean> {
  const { rows, after, link, header } = batch;
  const last = rows.at(-1)?.last ?? after;
  const stored = await database.query(keepLines, [
    ...identity(holder),
    holder.lease,
    after,
    last,
    link,
    header,
    rows.map((row) => row.first),
    rows.map((row) => row.last),
    rows.map((row) => row.text),
  ]);
  return stored.length === rows.length;
}

export async function renew(database: Database, holder: Holder): Promise<boolean> {
  const renewed = await database.query(renewLease, [...identity(holder), holder.lease]);
  return renewed.length > 0;
}

export async function release(
  database: Database,
  holder: Holder,
  summary?: Summary,
): Promise<boolean> {
  const values = summary === undefined ? [] : summaryValues(summary);
  const statement = summary === undefined ? releaseRun : releaseSummarized;
  const released = await database.query(statement, [...identity(holder), ...values]);
  return released.length > 0;
}

function identity({ run, epoch, incarnation }: Holder): readonly unknown[] {
  return [run, epoch, incarnation];
}

export const isHolder = `id = $1 and epoch = $2 and $3 = (select deskhand.incarnation())`;

export const newLease = `lease = clock_timestamp() + $4 * interval '1 millisecond'`;

/**
 * Stores lines. The update is the fence: it waits for the lock of the row, then checks its newest version. A
 * repeated batch finds its lines stored, and each of its rows equal.
 */
const keepLines = {
  name: 'deskhand_keep',
  text: `
    with mine as (
      update deskhand.run set ${newLease}, lines = $6, link = $7, incarnation = $3,
        header = case when header is distinct from $8 then $8 else header end
      where ${isHolder} and ended is null and (lines = $5 or (lines = $6 and link = $7))
      returning id
    )
    insert into deskhand.lines as stored (run, first, last, text)
    select id, part.first, part.last, part.text
    from mine cross join unnest($9::int[], $10::int[], $11::text[]) as part (first, last, text)
    on conflict (run, first) do update set text = excluded.text
      where stored.text = excluded.text and stored.last = excluded.last
    returning first`,
};

const renewLease = {
  name: 'deskhand_renew',
  text: `update deskhand.run set ${newLease} where ${isHolder} and ended is null returning id`,
};

const releasing = `
    update deskhand.run set ended = coalesce(ended, clock_timestamp()), reported = true
    where ${isHolder} and (ended is null or reported)
    returning id`;

const releaseRun = { name: 'deskhand_release', text: releasing };

const releaseSummarized = {
  name: 'deskhand_releasingsummarized',
  text: `
    with released as (${releasing}, lines, link), noted as (
      ${insertSummary('released', '$4')}
    )
    select id from released`,
};
