/** A Postgres server filled as after months of runs, which logs how it executed each statement. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Owner } from '../../src/base/lock/owner.ts';
import { upgradePostgres } from '../../src/stores/postgres/upgrade.ts';
import { login, startPostgres, type PostgresServer } from '../../test/postgres/server.ts';

export interface Filling {
  /** Ended runs, each with a job. */
  readonly runs: number;
  /** Of each run. */
  readonly rows: number;
  /** Length of each row's text. */
  readonly bytes: number;
  /** Accounts of the first of these runs. */
  readonly accounts: number;
  /** Runs that have not ended, each with another account and a job that was taken. */
  readonly running: number;
}

export interface FilledDatabase {
  readonly server: PostgresServer;
  /** The URL of a connection whose plans are logged. */
  readonly explained: string;
  /** Plans of the statements since the last call. */
  readonly plans: () => readonly Explained[];
}

/** A statement and how it was executed, as text. */
export interface Explained {
  readonly statement: string;
  readonly plan: string;
  /** Rows of the step of its plan that read or removed the most. */
  readonly rows: number;
}

const user = 'explained';

export async function filledDatabase(filling: Filling): Promise<FilledDatabase> {
  const server = await startPostgres({ settings: ['log_min_messages = log'] });
  await upgradePostgres(server.url());
  await server.sql(fill(filling), login.database);
  await server.sql(`
    create role ${user} login superuser password '${login.password}';
    alter role ${user} set session_preload_libraries = 'auto_explain';
    alter role ${user} set auto_explain.log_min_duration = 0;
    alter role ${user} set auto_explain.log_analyze = on;
    alter role ${user} set auto_explain.log_timing = off;
    alter role ${user} set auto_explain.log_nested_statements = on`);
  let seen = 0;
  return {
    server,
    explained: server.url().replace(`//${login.user}:`, `//${user}:`),
    plans: () => {
      const log = readFileSync(join(server.folder, 'log'), 'utf8');
      const news = log.slice(seen);
      seen = log.length;
      return explainedIn(news);
    },
  };
}

const owner = JSON.stringify({
  machine: 'm',
  host: 'host',
  boot: 'b',
  namespace: '',
  pid: 1,
  born: '1',
} satisfies Owner);

/** Half of the text of a line is like that of all others; the rest is digits that differ. */
const fill = ({ runs, rows, bytes, accounts, running }: Filling): string => `
  set session_replication_role = replica;
  insert into deskhand.run (id, playbook, plan, accounts, host, owner, nonce, since_ms, taken_ms,
      taken, taken_in, ended, reported, header, epoch, lines, link, incarnation, lease)
    select 'r-' || n, 'ladder', 'p-' || n, jsonb_build_array(jsonb_build_object('id', 'account ' || n % ${accounts},
        'alias', 'key ' || n % ${accounts}, 'profile', 'main')), 'host', '${owner}', md5(n::text),
      0, 0, at, deskhand.incarnation(), case when n <= ${runs} then at + interval '20 seconds' end,
      n <= ${runs}, repeat('h', 400), 1, ${rows}, left(md5(n::text), 16), deskhand.incarnation(),
      case when n <= ${runs} then at else clock_timestamp() + interval '1 hour' end
    from generate_series(1, ${runs + running}) as n,
      lateral (select clock_timestamp() - interval '1 hour' - n * interval '1 minute' as at) as t;
  insert into deskhand.account (name, run)
    select 'account ' || n, 'r-' || n from generate_series(1, ${runs + running}) as n
    where n <= ${accounts} or n > ${runs};
  insert into deskhand.lines (run, first, last, text)
    select 'r-' || n, line, line,
      repeat('{"kind":"intended","operation":"futures/place-order"}', ${bytes / 2} / 53)
        || (select string_agg(md5(n || ' ' || line || ' ' || part), '')
            from generate_series(1, ${bytes / 2} / 32) as part)
    from generate_series(1, ${runs + running}) as n, generate_series(1, ${rows}) as line;
  insert into deskhand.job (id, kind, playbook, profiles, accounts, format, queued_by, body, queued,
      free, taken, worker, ending, ended)
    select 'r-' || n, 'run', 'ladder', '{main}', array['account ' || n], 1, 'ann',
      repeat('b', 2000), clock_timestamp(), clock_timestamp() + interval '1 hour', n > ${runs},
      'worker ' || n % 50, case when n <= ${runs} then '{}' end,
      case when n <= ${runs} then clock_timestamp() end
    from generate_series(1, ${runs + running}) as n;
  analyze deskhand.run, deskhand.account, deskhand.lines, deskhand.job`;

function explainedIn(log: string): readonly Explained[] {
  const found: Explained[] = [];
  // A message begins in the first column; its other lines begin with a tab.
  for (const [, text = ''] of log.matchAll(/duration: [\d.]+ ms {2}plan:\n((?:\t.*\n|\n)+)/g)) {
    const at = text.search(/^\t[A-Z][\w ]+ {2}\(cost=/m);
    const plan = text.slice(at);
    found.push({ statement: text.slice(0, at), plan, rows: rowsIn(plan) });
  }
  return found;
}

function rowsIn(plan: string): number {
  const steps = [...plan.matchAll(/actual rows=([\d.]+) loops=(\d+)/g)];
  const removed = [...plan.matchAll(/Rows Removed by [\w ]+: (\d+)/g)];
  const read = steps.map(([, rows, loops]) => Number(rows) * Number(loops));
  return Math.max(0, ...read, ...removed.map(([, rows]) => Number(rows)));
}
