/** Selects the newest runs for lists, without reading the others. */
import type { Newest, NewestAsked } from '../shared/shared-runs.ts';
import type { Database } from './database.ts';

/** The index of the runs of a playbook by their ends; those of all playbooks have one. */
export const playbookIndex = 'create index run_playbook on deskhand.run (playbook, ended);';

const countMax = 10_000; // a larger number would take as long as it is large

type Row = Newest['runs'][number];

export async function newest(
  database: Database,
  { playbook, endedSince, max }: NewestAsked,
): Promise<Newest> {
  const since = endedSince === undefined ? null : endedSince / 1000;
  const own = playbook === undefined ? [] : [playbook];
  const [page, count] = playbook === undefined ? [pageOfAll, countOfAll] : [pageOf, countOf];
  const runs = await database.query<Row>(page, [since, max, ...own]);
  const [counted] = await database.query<{ count: number }>(count, [since, countMax + 1, ...own]);
  const found = counted?.count ?? 0;
  return { runs, count: Math.min(found, countMax), hasMore: found > countMax };
}

const listed = 'lines > 0 and pruned is null';
const ended = `ended >= coalesce(to_timestamp($1::float8), '-infinity')`;
const times = `since_ms::float8 as since, (extract(epoch from ended) * 1000)::float8 as ended`;

const pageSql = (where: string): string => `
    (select id as run, lines, link, ${times} from deskhand.run
      where ${listed} and ended is null ${where})
    union all
    (select id as run, lines, link, ${times} from deskhand.run
      where ${listed} and ${ended} ${where} order by ended desc limit $2)`;

const countSql = (where: string): string => `
    select count(*)::int as count from (
      select from deskhand.run where ${listed} and ended is null ${where}
      union all
      select from deskhand.run where ${listed} and ${ended} ${where} limit $2
    ) as found`;

const pageOfAll = { name: 'deskhand_newest', text: pageSql('') };
const pageOf = { name: 'deskhand_newest_of', text: pageSql('and playbook = $3') };
const countOfAll = { name: 'deskhand_listed', text: countSql('') };
const countOf = { name: 'deskhand_listed_of', text: countSql('and playbook = $3') };
