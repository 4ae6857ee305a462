/** The tables of the runs and jobs that machines share, version by version. */
import { fileTables } from './file-tables.ts';
import { playbookIndex } from './newest.ts';
import { outputTable } from './output-table.ts';
import { paceTables } from './pace-tables.ts';
import { planTable } from './plan-table.ts';
import { retentionColumns } from './retention-columns.ts';
import { reasonColumns } from './reason-columns.ts';
import { runIndexes } from './run-indexes.ts';
import { summaryTable } from './summary-table.ts';

/** Version of the tables that this code reads and writes. */
export const tableVersion = 6;

/**
 * Entry N leads from version N to N + 1 and never changes. No index has a column that `keep` or
 * `beat` updates, and pages of their tables keep space, so that each update stays within its page.
 */
export const migrations: readonly string[] = [
  `
  create schema if not exists deskhand;

  create table deskhand.meta (
    one boolean primary key default true check (one),
    version int not null,
    restored int not null default 0 -- how often a person reported lost lines
  );
  insert into deskhand.meta (version) values (1);

  -- Who answers: the server, its timeline, and the number of reports; '?' for what no role may read.
  create function deskhand.incarnation() returns text
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
  declare
    server text := '?';
    timeline text := '?';
  begin
    begin
      server := (select system_identifier from pg_control_system());
    exception when insufficient_privilege or feature_not_supported or undefined_function then
    end;
    begin
      timeline := substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8);
    exception when insufficient_privilege or feature_not_supported or undefined_function then
    end;
    return concat_ws('.', server, timeline, (select restored from deskhand.meta));
  end
  $$;

  -- Each incarnation, when a process first met it; the first one has forgotten nothing.
  create table deskhand.history (
    seq int generated always as identity primary key,
    incarnation text not null unique,
    since_ms bigint, -- the exchange's clock: everything recorded before is there
    until_ms bigint,
    since timestamptz not null, -- the same by the clock of the database
    until timestamptz not null default clock_timestamp()
  );
  insert into deskhand.history (incarnation, since)
    values (deskhand.incarnation(), clock_timestamp());

  create table deskhand.run (
    id text primary key,
    playbook text not null,
    plan text,
    accounts jsonb not null,
    host text not null,
    owner jsonb not null,
    nonce text not null,
    since_ms bigint not null, -- the exchange's clock: nothing was signed before
    taken_ms bigint not null, -- the exchange's clock at the last take
    taken timestamptz not null,
    taken_in text not null, -- the incarnation
    ended timestamptz, -- since then it has no accounts
    reported boolean not null, -- its process reported the end
    header text,
    epoch int not null,
    lines int not null default 0,
    link text not null default '',
    incarnation text, -- of the last line
    lease timestamptz not null
  ) with (fillfactor = 50);
  create index run_taken on deskhand.run (id) where ended is null;
  create index run_ended on deskhand.run (ended);
  create index run_plan on deskhand.run (plan);

  create table deskhand.account (
    name text primary key,
    run text not null references deskhand.run -- the last one that took it; it may have ended
  );
  create index account_run on deskhand.account (run);

  create table deskhand.lines (
    run text not null,
    first int not null,
    last int not null,
    text text not null,
    primary key (run, first)
  );
  `,
  `
  create table deskhand.job (
    id text primary key,
    seq bigint generated always as identity, -- the order of queueing
    kind text not null,
    playbook text not null,
    profiles text[] not null,
    accounts text[] not null,
    format int not null,
    queued_by text not null,
    body text not null, -- JSON; jsonb refuses the character 0
    queued timestamptz not null,
    free timestamptz not null, -- may be taken since then: end of the lease, or of a delay
    taken boolean not null default false,
    worker text, -- has it, or had it last
    stopped_by text,
    ending text, -- JSON; of a job that has not ended: how it ends if it is given back
    ended timestamptz
  ) with (fillfactor = 50);
  create index job_open on deskhand.job (seq) where ended is null;

  create table deskhand.worker (
    name text primary key,
    host text not null,
    version text not null,
    format int not null,
    profiles text[] not null,
    slots int not null,
    seen timestamptz not null
  ) with (fillfactor = 50);
  `,
  fileTables + paceTables + planTable + outputTable + runIndexes + retentionColumns,
  reasonColumns,
  summaryTable,
  playbookIndex,
];
