/** Reads and stores the summaries of ended runs. */
import type { Summary, SummaryOfRun } from '../shared/shared-runs.ts';
import type { Database } from './database.ts';

export function summaries(
  database: Database,
  runs: readonly string[],
  version: number,
): Promise<readonly SummaryOfRun[]> {
  return database.query<SummaryOfRun>(findSummaries, [runs, version]);
}

export async function summarize(database: Database, run: string, summary: Summary): Promise<void> {
  await database.query(addSummary, [run, ...summaryValues(summary)]);
}

export function summaryValues({ version, lines, link, text }: Summary): readonly unknown[] {
  return [version, lines, link, text];
}

/**
 * Stores a summary, if it was made from the record that the run has. One of a newer version stays.
 * @param runs the rows of the run @param first the parameter with its first value; the others follow
 */
export function insertSummary(runs: string, first: `$${number}`): string {
  const [version, lines, link, text] = [0, 1, 2, 3].map((more) => Number(first.slice(1)) + more);
  return `
      insert into deskhand.summary as known (run, version, lines, link, text)
      select id, $${version}::int, lines, link, $${text} from ${runs}
      where lines = $${lines}::int and link = $${link}
      on conflict (run) do update
        set version = excluded.version, lines = excluded.lines, link = excluded.link, text = excluded.text
        where known.version <= excluded.version
          or known.lines <> excluded.lines or known.link <> excluded.link`;
}

const findSummaries = {
  name: 'deskhand_summaries',
  text: `
    select run.id as run, summary.text
    from deskhand.run as run join deskhand.summary as summary on summary.run = run.id
    where run.id = any($1) and summary.version = $2 and pruned is null
      and summary.lines = run.lines and summary.link = run.link`,
};

const addSummary = {
  name: 'deskhand_summarize',
  text: `
    with ended as (
      select id, lines, link from deskhand.run
      where id = $1 and ended is not null and pruned is null
    )
    ${insertSummary('ended', '$2')}`,
};
