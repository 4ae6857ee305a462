/** What machines read of each other's runs. */
import type { Changes, RunLines, SharedClaim } from '../shared/shared-runs.ts';
import { claimOf, type KnownRun } from '../shared/known-run.ts';
import { afterLines } from '../shared/lines.ts';
import type { Database } from './database.ts';
import { runColumns } from './row.ts';

export async function claims(database: Database): Promise<readonly SharedClaim[]> {
  return (await database.query<KnownRun>(claimed)).map(claimOf);
}

export async function changed(database: Database, cursor?: string): Promise<Changes> {
  const [incarnation = '', time = ''] = cursor?.split(' ') ?? [];
  const rows = await database.query<Changes['runs'][number] & { cursor: string }>(changedRuns, [
    incarnation,
    Number(time),
  ]);
  // A row without a run has the cursor.
  const runs = rows.flatMap(({ run, lines, link }) => (run === null ? [] : [{ run, lines, link }]));
  return { runs, cursor: rows.at(-1)?.cursor ?? '' };
}

const pageRows = 200; // each at most 1 MiB, usually far less

/** In pages, each with its own deadline: stored lines never change. */
export async function lines(
  database: Database,
  run: string,
  after: number,
): Promise<RunLines | undefined> {
  const [found] = await database.query<Omit<RunLines, 'text'>>(findLines, [run]);
  if (found === undefined) return undefined;
  const { header, count, link } = found;
  const texts: string[] = [];
  for (let read = after; read < count;) {
    const page = await database.query<Stored>(readLines, [run, read, count, pageRows]);
    const [head] = page;
    if (head === undefined) break;
    texts.push(
      afterLines(head.text, read + 1 - head.first),
      ...page.slice(1).map((row) => row.text),
    );
    read = page.at(-1)?.last ?? count;
  }
  return { header, count, link, text: texts.join('') };
}

interface Stored {
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

const claimed = {
  name: 'deskhand_claims',
  text: `select ${runColumns} from deskhand.run where ended is null order by id`,
};

/** The overlap is for releases that were committed later than they began. */
const changedRuns = {
  name: 'deskhand_changed',
  text: `
    with present as (
      select deskhand.incarnation() as incarnation, extract(epoch from clock_timestamp()) as time
    ), changed as (
      select id, lines, link from deskhand.run where ended is null and lines > 0
      union all
      select id, lines, link from deskhand.run, present where lines > 0 and ended >=
        case when present.incarnation = $1 then to_timestamp($2) - interval '10 minutes' else '-infinity' end
    )
    select id as run, lines, link, concat(present.incarnation, ' ', time) as cursor
    from present left join changed on true`,
};

const findLines = {
  name: 'deskhand_run',
  text: `
    select header, lines as count, link from deskhand.run where id = $1 and lines > 0`,
};

/** From the row that has the first requested line. */
const readLines = {
  name: 'deskhand_lines',
  text: `
    select first, last, text from deskhand.lines
    where run = $1 and last <= $3 and first >= (
      select max(first) from deskhand.lines where run = $1 and first <= $2 + 1)
    order by first limit $4`,
};
