/** Small files and locks in a Postgres database. */
import type { Millis } from '../../base/clock.ts';
import type { SharedFiles } from '../shared/shared-files.ts';
import { databaseOf, type PostgresOptions } from './options.ts';
import { isOver } from './row.ts';

const connectionsMax = 2; // by default; a scheduler asks for one thing after the other

/** Opens the files of a database; it connects at the first call. @throws ConfigError for a bad URL */
export function openFiles(options: PostgresOptions): SharedFiles {
  const { database } = databaseOf({ connections: connectionsMax, ...options });
  const { query } = database;
  const affects = async (statement: { text: string }, values: unknown[]): Promise<boolean> =>
    (await query(statement, values)).length > 0;
  return {
    read: async (path) => {
      const [row] = await query<{ text: string | null }>(readFile, [path]);
      return row?.text ?? undefined;
    },
    replace: (path, text, before) =>
      database.transaction(async (inside) => {
        await inside(lockFile, [path]);
        return (await inside(replaceFile, [path, text, before ?? null])).length > 0;
      }),
    create: (path, text) => affects(createFile, [path, text]),
    append: async (path, line, id) => {
      await query(appendLine, [path, id, `${line}\n`]);
      const [row] = await query<{ bytes: number }>(sizeOfFile, [path]);
      return row?.bytes ?? 0;
    },
    names: async (folder) => {
      const rows = await query<{ name: string }>(listFolder, [`${folder}/`, `${folder}0`]);
      return rows.map(({ name }) => name);
    },
    remove: async (folder) => {
      await query(removeFolder, [`${folder}/`, `${folder}0`]);
    },
    lock: (name, holder, lease: Millis) => affects(takeLock, [name, holder, lease]),
    renew: async (name, holder, lease) => {
      await query(renewLock, [name, holder, lease]);
    },
    unlock: async (name, holder) => {
      await query(releaseLock, [name, holder]);
    },
    now: async () => {
      const [row] = await query<{ now: Millis }>(readClock);
      return row?.now ?? Number.NaN;
    },
    close: () => database.close(),
  };
}

const readFile = {
  name: 'deskhand_file_read',
  text: `select string_agg(text, '' order by part) as text from deskhand.file where path = $1`,
};

const lockFile = {
  name: 'deskhand_file_lock',
  text: `select pg_advisory_xact_lock(hashtextextended($1, 7233459013584923))`,
};

/**
 * Replaces a file. It is one statement after the lock, so that all of it sees the same lines, and a line that
 * is appended meanwhile stays. A repeated statement finds the text that it wrote.
 */
const replaceFile = {
  name: 'deskhand_file_replace',
  text: `
    with present as (
      select string_agg(text, '' order by part) as text from deskhand.file where path = $1
    ), head as (
      insert into deskhand.file (path, id, part, text)
      select $1, '', 0, $2 from present where text = $2 or text is not distinct from $3::text
      on conflict (path, id) do update set text = excluded.text
      returning path
    ), lines as (
      delete from deskhand.file where path in (select path from head) and id <> ''
    )
    select path from head`,
};

/** Creates a file. A repeated statement finds the text that it wrote. */
const createFile = {
  name: 'deskhand_file_create',
  text: `
    insert into deskhand.file as file (path, id, part, text)
    select $1, '', 0, $2 where not exists (select from deskhand.file where path = $1 and id <> '')
    on conflict (path, id) do update set text = excluded.text where file.text = excluded.text
    returning path`,
};

const appendLine = {
  name: 'deskhand_file_append',
  text: `
    insert into deskhand.file (path, id, text) values ($1, $2, $3)
    on conflict (path, id) do nothing`,
};

const sizeOfFile = {
  name: 'deskhand_file_size',
  text: `select sum(octet_length(text))::float8 as bytes from deskhand.file where path = $1`,
};

/** The condition for paths in a folder: between `folder/` and `folder0`, the character after the slash. */
const inFolder = 'path > $1 and path < $2';

/**
 * Lists the names in a folder with one look at the index for each name: a folder in it may have many files.
 */
const listFolder = {
  name: 'deskhand_file_names',
  text: `
    with recursive found as (
      (select path, split_part(substr(path, length($1) + 1), '/', 1) as name
        from deskhand.file where ${inFolder} order by path limit 1)
      union all
      select next.path, split_part(substr(next.path, length($1) + 1), '/', 1)
      from found cross join lateral (
        select path from deskhand.file where path < $2 and path >=
          case when found.path = $1 || found.name then found.path || chr(1) else $1 || found.name || '0' end
        order by path limit 1
      ) as next
    )
    select distinct name from found order by name`,
};

const removeFolder = {
  name: 'deskhand_file_remove_folder',
  text: `delete from deskhand.file where ${inFolder}`,
};

const lease = `$3 * interval '1 millisecond'`;
const until = `clock_timestamp() + ${lease}`;

const takeLock = {
  name: 'deskhand_lock_take',
  text: `
    insert into deskhand.lock as lock (name, holder, until) values ($1, $2, ${until})
    on conflict (name) do update set holder = excluded.holder, until = excluded.until
    where lock.holder = excluded.holder or ${isOver('lock.until', lease)}
    returning name`,
};

const renewLock = {
  name: 'deskhand_lock_renew',
  text: `update deskhand.lock set until = ${until} where name = $1 and holder = $2`,
};

const releaseLock = {
  name: 'deskhand_lock_release',
  text: `delete from deskhand.lock where name = $1 and holder = $2`,
};

const readClock = {
  name: 'deskhand_clock',
  text: `select round(extract(epoch from clock_timestamp()) * 1000)::float8 as now`,
};
