/** Reads the runs of other machines. */
import type { Beside } from '../store.ts';
import type { Changes, RunLines, SharedClaim } from '../shared/shared-runs.ts';
import { shownClaimOf, type KnownRun } from '../shared/known-run.ts';
import { afterLines } from '../shared/lines.ts';
import type { Database } from './database.ts';
import { isUnidentified, runColumns } from './row.ts';

/** Reads claims. @param run reads only that of this run; default: all */
export async function claims(database: Database, run?: string): Promise<readonly SharedClaim[]> {
  const found =
    run === undefined
      ? await database.query<KnownRun>(claimed)
      : await database.query<KnownRun>(claimedRun, [run]);
  return found.map(shownClaimOf);
}

type ChangedRow = Changes['runs'][number] & { readonly cursor: string };

/** Reads which runs changed. @param beside only runs with one of its accounts; default: all */
export async function changed(
  database: Database,
  cursor?: string,
  beside?: Beside,
): Promise<Changes> {
  const [incarnation = '', time = ''] = cursor?.split(' ') ?? [];
  const since = [incarnation, Number(time)];
  const rows =
    beside === undefined
      ? await database.query<ChangedRow>(changedRuns, since)
      : await database.query<ChangedRow>(changedBeside, [...since, beside.accounts]);
  // A row without a run has the cursor.
  const runs = rows.flatMap(({ run, lines, link }) => (run === null ? [] : [{ run, lines, link }]));
  return { runs, cursor: rows.at(-1)?.cursor ?? '' };
}

export async function isIdentified(database: Database, playbook: string): Promise<boolean> {
  return (await database.query(unidentified, [playbook])).length === 0;
}

const pageRows = 200; // each at most 1 MiB, usually far less

/** Reads the lines of a run in pages, each with a separate deadline: stored lines never change. */
export async function lines(
  database: Database,
  run: string,
  after: number,
): Promise<RunLines | undefined> {
  const [found] = await database.query<FoundRun>(findLines, [run]);
  if (found === undefined) return undefined;
  const { header, count, link } = found;
  const texts: string[] = [];
  for (let read = after; read < count;) {
    const page = await database.query<Stored>(readLines, [run, read, count, pageRows]);
    const [head] = page;
    if (head === undefined) {
      // Removed since: a part of a journal would look like an unfinished run.
      const [still] = await database.query(findLines, [run]);
      if (still === undefined) return undefined;
      break;
    }
    texts.push(
      afterLines(head.text, read + 1 - head.first),
      ...page.slice(1).map((row) => row.text),
    );
    const last = page.at(-1)?.last ?? count;
    if (last <= read) break; // rows that name other lines than they have
    read = last;
  }
  return { header: header ?? '', count, link, text: texts.join('') };
}

type FoundRun = Omit<RunLines, 'text' | 'header'> & { readonly header: string | null };

interface Stored {
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

const claimed = {
  name: 'deskhand_claims',
  text: `select ${runColumns} from deskhand.run where ended is null order by id`,
};

const claimedRun = {
  name: 'deskhand_claim',
  text: `select ${runColumns} from deskhand.run where ended is null and id = $1`,
};

/**
 * The present position. It overlaps with the next read, because a release may be committed later than it
 * began.
 */
const present = `
    present as (
      select deskhand.incarnation() as incarnation, extract(epoch from clock_timestamp()) as time
    )`;
const sinceCursor = `
        case when present.incarnation = $1 then to_timestamp($2) - interval '10 minutes' else '-infinity' end`;

/** The condition for runs whose lines are read: those of a removed run are not. */
const hasLines = 'lines > 0 and pruned is null';

const changedRuns = {
  name: 'deskhand_changed',
  text: `
    with ${present}, changed as (
      select id, lines, link from deskhand.run where ended is null and ${hasLines}
      union all
      select id, lines, link from deskhand.run, present where ${hasLines} and ended >= ${sinceCursor}
    )
    select id as run, lines, link, concat(present.incarnation, ' ', time) as cursor
    from present left join changed on true`,
};

/**
 * Finds changed runs with an account. A run in progress is the last one that took its accounts. Each branch
 * has an index.
 */
const changedBeside = {
  name: 'deskhand_changed_beside',
  text: `
    with ${present}, changed as (
      select id, lines, link from deskhand.run where ${hasLines} and ended is null
        and id in (select run from deskhand.account where name = any($3::text[]))
      union
      select id, lines, link from deskhand.run, present
        where ${hasLines} and accounts #>> '{0,id}' = any($3) and ended >= ${sinceCursor}
      union
      select id, lines, link from deskhand.run, present
        where ${hasLines} and accounts #>> '{0,alias}' = any($3) and ended >= ${sinceCursor}
      union
      select id, lines, link from deskhand.run, present
        where ${hasLines} and jsonb_array_length(accounts) > 1 and ended >= ${sinceCursor}
        and exists (select from jsonb_array_elements(accounts) as account
          where account->>'id' = any($3) or account->>'alias' = any($3))
    )
    select id as run, lines, link, concat(present.incarnation, ' ', time) as cursor
    from present left join changed on true`,
};

const unidentified = {
  name: 'deskhand_unidentified',
  text: `
    select from deskhand.run where playbook = $1 and ${isUnidentified} and ${hasLines} limit 1`,
};

const findLines = {
  name: 'deskhand_run',
  text: `
    select header, lines as count, link from deskhand.run
    where id = $1 and ${hasLines}`,
};

/** Reads lines from the row that has the first requested line. */
const readLines = {
  name: 'deskhand_lines',
  text: `
    select first, last, text from deskhand.lines
    where run = $1 and last <= $3 and first >= (
      select max(first) from deskhand.lines where run = $1 and first <= $2 + 1)
    order by first limit $4`,
};
