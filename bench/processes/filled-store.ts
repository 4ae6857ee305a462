/** A database with many ended runs of one account, as workers would have stored them, without running them. */
import { accountsOf } from '../../src/stores/claims.ts';
import { headerOf, headerText } from '../../src/engine/journal/header.ts';
import { readJournal } from '../../src/engine/journal/journal.ts';
import { factsOf, summaryText, summaryVersion } from '../../src/engine/journal/run-summary.ts';
import { overviewFact } from '../../src/report/overview/overview.ts';
import type { Entry } from '../../src/engine/journal/entry.ts';
import { linesIn } from '../../src/stores/shared/lines.ts';
import { login, type PostgresServer } from '../../test/postgres/server.ts';
import { recordOf, type OncePer } from '../growth/records.ts';

export interface PastRuns {
  readonly runs: number;
  /** Of each run. */
  readonly orders: number;
  readonly oncePer?: OncePer;
  /** The time of the last run, by the clock of its machine. */
  readonly until: number;
  /** The time between the starts of two runs, in ms. */
  readonly every: number;
  /** The number of the first run: runs with other numbers are there already. Default: 1. */
  readonly first?: number;
  /** Whether more follow, so that the database counts its rows later. */
  readonly isPart?: boolean;
}

const runsEach = 500; // of a statement

/** @param model the start of a run on the account, with the program that recorded it */
export async function storePastRuns(
  server: PostgresServer,
  model: Extract<Entry, { readonly kind: 'started' }>,
  { runs, orders, oncePer = 'run', until, every, first = 1, isPart = false }: PastRuns,
): Promise<void> {
  const accounts = accountsOf([model.destination, ...(model.accounts ?? [])]);
  const client = await server.connect(login.database);
  try {
    for (let from = first; from < first + runs; from += runsEach) {
      const rows = Array.from({ length: Math.min(runsEach, first + runs - from) }, (_, place) => {
        const nth = from + place;
        const run = `r-past${String(nth).padStart(8, '0')}`;
        const at = until - (first + runs - nth) * every;
        const price = 20_001 + ((nth * orders) % 20_000);
        const record = recordOf(model, { run, orders, at, oncePer, from: price });
        const { text, link } = record;
        const [header, lines] = [headerText(record.header), linesIn(text)];
        const { entries } = readJournal(text, run);
        const facts = factsOf(headerOf(JSON.parse(header), run), entries, overviewFact);
        const summary = facts && summaryText(run, { lines, link }, facts);
        return { run, at, link, text, header, lines, summary };
      });
      await client.query(store, [
        ...(['run', 'at', 'link', 'text', 'header', 'lines', 'summary'] as const).map((key) =>
          rows.map((row) => row[key]),
        ),
        model.playbook.name,
        JSON.stringify(accounts),
        JSON.stringify(owner),
        summaryVersion(overviewFact),
      ]);
    }
    if (!isPart) await client.query('analyze deskhand.run, deskhand.lines, deskhand.summary');
  } finally {
    await client.end();
  }
}

const owner = { machine: 'm', host: 'host', boot: 'b', namespace: '', pid: 1, born: '1' };

const store = `
  with past as (
    select * from unnest($1::text[], $2::float8[], $3::text[], $4::text[], $5::text[], $6::int[], $7::text[])
      as past (run, at, link, text, header, lines, summary)
  ), summarized as (
    insert into deskhand.summary (run, version, lines, link, text)
    select run, $11::int, lines, link, summary from past where summary is not null
  ), stored as (
    insert into deskhand.run (id, playbook, plan, accounts, host, owner, nonce, since_ms, taken_ms,
      taken, taken_in, ended, reported, header, epoch, lines, link, incarnation, lease)
    select run, $8, 'p-' || run, $9::jsonb, 'host', $10::jsonb, md5(run), at::bigint, at::bigint,
      to_timestamp(at / 1000), deskhand.incarnation(), to_timestamp(at / 1000) + interval '10 seconds',
      true, header, 1, lines, link, deskhand.incarnation(), to_timestamp(at / 1000)
    from past
  )
  insert into deskhand.lines (run, first, last, text) select run, 1, lines, text from past`;
