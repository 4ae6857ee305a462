/** Rows that another program writes to a database: every column with each hostile value that it takes. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { beforeAll } from 'vitest';
import { upgradePostgres } from '../../src/stores/postgres/upgrade.ts';
import { folderWith } from '../cli/deskhand.ts';
import { marks, typed } from '../stores/shared/in-words.ts';
import { afterEachFile } from '../support/cleanup.ts';
import { login, startPostgres, type PostgresServer } from './server.ts';

export const texts = [
  '',
  marks,
  `${marks}${'x'.repeat(5_000)}`,
  '{}',
  '[]',
  '{"exit":0}',
  '../../x',
  '-1',
];
export const whole = ['-1', '0', '2147483647', '-2147483648'];
const times = ['infinity', '-infinity', '4713-01-01 BC', '294276-12-31', '0001-01-01'];
const deep = `${'['.repeat(900)}${']'.repeat(900)}`;

/** As SQL, by the type of the column. */
const hostile: Readonly<Record<string, readonly string[]>> = {
  text: texts.map((text) => `$q$${text}$q$`),
  jsonb: ['null', '[]', '{}', '5', '"x"', '[null]', '[{"id":5}]', '[{"id":"\\u009b2J"}]', deep].map(
    (text) => `$q$${text}$q$::jsonb`,
  ),
  integer: whole,
  bigint: [...whole, '9223372036854775807', '-9223372036854775808'],
  boolean: ['true', 'false'],
  'timestamp with time zone': times.map((time) => `'${time}'::timestamptz`),
  ARRAY: [`'{}'`, `'{NULL}'`, `array[$q$${marks}$q$]`],
  bytea: [`''::bytea`, `'\\x00ff1b5b'::bytea`],
};

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
}

/** A hostile value of a column, as SQL. */
export interface HostileValue {
  readonly column: string;
  readonly at: number;
  readonly value: string;
}

/** A database with tables, and a machine whose requests are counted. */
export interface HostileSite {
  readonly url: string;
  readonly sql: (text: string) => Promise<readonly Record<string, unknown>[]>;
  readonly tables: () => Promise<readonly string[]>;
  readonly valuesOf: (table: string) => Promise<readonly HostileValue[]>;
  /**
   * Copies of a row, each with one hostile value and a key of its own, except where the value is the
   * key. @returns the keys of the copies
   */
  readonly plant: (table: string, key: string, from: string) => Promise<readonly string[]>;
  /** The text of a command; its errors are in words, and nothing controls the terminal. */
  readonly typed: (...words: readonly string[]) => Promise<string>;
  readonly cwd: string;
  /** Requests to the exchange that were not reads of public data. */
  readonly sent: () => readonly string[];
}

/** Starts one server for a file. @returns what makes a site with a new database */
export function hostileSites(): () => Promise<HostileSite> {
  let server: PostgresServer;
  let count = 0;
  beforeAll(async () => {
    // Commands in this process keep their connections for a minute.
    server = await startPostgres({ settings: ['max_connections = 900'] });
    await upgradePostgres(server.url());
  });
  return async () => {
    const name = `site${++count}`;
    await server.sql(`create database ${name} template ${login.database} owner ${login.user}`);
    const client = await server.connect(name);
    afterEachFile(() => client.end());
    const sql: HostileSite['sql'] = async (text) =>
      (await client.query<Record<string, unknown>>(text)).rows;
    const url = server.url().replace(`/${login.database}`, `/${name}`);
    return { url, sql, ...tablesOver(sql), ...(await machineWith(url)) };
  };
}

type Tables = Pick<HostileSite, 'tables' | 'valuesOf' | 'plant'>;

function tablesOver(sql: HostileSite['sql']): Tables {
  const columnsOf = async (table: string): Promise<readonly Column[]> => {
    const rows = await sql(`
      select column_name as name, data_type as type, is_nullable = 'YES' as nullable
      from information_schema.columns where table_schema = 'deskhand' and table_name = '${table}'
        and is_identity = 'NO' and is_generated = 'NEVER'`);
    return rows.map(({ name, type, nullable }) => ({
      name: String(name),
      type: String(type),
      isNullable: nullable === true,
    }));
  };
  const valuesOf: Tables['valuesOf'] = async (table) =>
    (await columnsOf(table)).flatMap(({ name: column, type, isNullable }) => {
      const values = hostile[type];
      if (values === undefined) throw new Error(`${table}.${column} is of another type: ${type}`);
      return [...values, ...(isNullable ? ['null'] : [])].map((value, at) => ({
        column,
        at,
        value,
      }));
    });
  return {
    tables: async () => {
      const rows = await sql(`
        select table_name as name from information_schema.tables where table_schema = 'deskhand'`);
      return rows.map(({ name }) => String(name));
    },
    valuesOf,
    plant: async (table, key, from) => {
      const names = (await columnsOf(table)).map(({ name }) => name);
      const quoted = names.map((name) => `"${name}"`);
      const keys: string[] = [];
      for (const { column, at, value } of await valuesOf(table)) {
        const own = `${from.slice(0, 2)}${table}-${column.replaceAll('_', '-')}-${at}`;
        const cells = names.map((name) => {
          if (name === column) return value;
          return name === key ? `'${own}'` : `"${name}"`;
        });
        const isPlanted = await sql(`
          insert into deskhand.${table} (${quoted.join(', ')})
          select ${cells.join(', ')} from deskhand.${table} where "${key}" = '${from}' limit 1
          on conflict do nothing`).then(
          () => true,
          () => false, // the database refuses it
        );
        if (column !== key && isPlanted) keys.push(own);
      }
      return keys;
    },
  };
}

const key = {
  DESKHAND_API_KEY: 'desk-key',
  DESKHAND_API_SECRET: 'desk-secret-1',
  DESKHAND_API_PASSPHRASE: 'desk-passphrase-1',
};

/** A machine of the project with a key, so that it could send. */
async function machineWith(url: string): Promise<Pick<HostileSite, 'typed' | 'cwd' | 'sent'>> {
  const sent: string[] = [];
  const exchange = createServer((request, response) => {
    if (request.method !== 'GET') sent.push(`${request.method} ${request.url}`);
    response.writeHead(503).end();
  }).listen(0, '127.0.0.1');
  await once(exchange, 'listening');
  afterEachFile(() => new Promise<void>((resolve) => exchange.close(() => resolve())));
  const address = exchange.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const cwd = folderWith({
    'deskhand.yaml': `profile: main
profiles: { main: { target: sandbox, base-url: "http://127.0.0.1:${port}", account-id: desk-1 } }
state: { store: postgres, url: { env: DESK_DATABASE } }
`,
  });
  return {
    cwd,
    sent: () => sent,
    typed: (...words) => typed({ cwd, env: { ...key, DESK_DATABASE: url } }, ...words),
  };
}
