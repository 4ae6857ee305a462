/** Stores copies of the files of runs: rows of at most one part each. */
import type { OutputName, OutputPart, StoredOutput } from '../outputs.ts';
import type { SharedOutputs } from '../shared/output-copies.ts';
import type { Holder } from '../shared/shared-runs.ts';
import type { Database } from './database.ts';
import { isHolder, newLease } from './keep.ts';
import { databaseOf, type PostgresOptions } from './options.ts';

const connections = 2; // a run stores one part at a time

/**
 * Opens the copies, with other connections than `openPostgres`; it connects at the first call.
 * @throws ConfigError for a bad URL
 */
export function openOutputs(options: PostgresOptions): SharedOutputs {
  const { database } = databaseOf({ connections, ...options });
  return {
    keep: (holder, part) => keep(database, holder, part),
    keepOnly: (holder, output) => keepOnly(database, holder, output),
    list: (run) => database.query<StoredOutput>(listOutputs, [run]),
    part: (run, output, part) => partOf(database, run, output, part),
    close: () => database.close(),
  };
}

async function keep(
  database: Database,
  { run, epoch, incarnation, lease }: Holder,
  { path, sha256, part, content }: OutputPart,
): Promise<boolean> {
  const holder = [run, epoch, incarnation, lease];
  const kept = await database.query(keepPart, [...holder, path, sha256, part, content]);
  return kept.length > 0;
}

async function keepOnly(
  database: Database,
  { run, epoch, incarnation, lease }: Holder,
  { path, sha256 }: OutputName,
): Promise<boolean> {
  const kept = await database.query(keepOne, [run, epoch, incarnation, lease, path, sha256]);
  return kept.length > 0;
}

async function partOf(
  database: Database,
  run: string,
  { path, sha256 }: OutputName,
  part: number,
): Promise<Uint8Array | undefined> {
  const [row] = await database.query<{ data: Uint8Array }>(readPart, [run, path, sha256, part]);
  return row?.data;
}

/** Checks that the caller holds the run: the update is the fence, as for lines. */
const mine = `
  with mine as (
    update deskhand.run set ${newLease} where ${isHolder} and ended is null returning id
  )`;

const keepPart = {
  name: 'deskhand_output_keep',
  text: `${mine}
    insert into deskhand.output as output (run, path, sha256, part, bytes, data)
    select id, $5, $6, $7::int, octet_length($8::bytea), $8::bytea from mine
    on conflict (run, path, sha256, part) do update
      set bytes = excluded.bytes, data = excluded.data
    returning part`,
};

const keepOne = {
  name: 'deskhand_output_only',
  text: `${mine}, removed as (
      delete from deskhand.output using mine where run = mine.id and path = $5 and sha256 <> $6
    )
    select id from mine`,
};

const listOutputs = {
  name: 'deskhand_output_list',
  text: `
    select path, sha256, sum(bytes)::float8 as bytes from deskhand.output
    where run = $1 group by path, sha256 order by path, sha256`,
};

const readPart = {
  name: 'deskhand_output_part',
  text: `
    select data from deskhand.output
    where run = $1 and path = $2 and sha256 = $3 and part = $4`,
};
