/** Real Postgres servers of a test: on a free port of loopback, with a data folder of their own. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { Client } from 'pg';
import { systemClock } from '../../src/base/clock.ts';
import { afterEachFile } from '../support/cleanup.ts';
import { freePort } from '../support/free-port.ts';

/** The role of deskhand, owner of its database, and no superuser. */
export const login = { user: 'desk', password: 'p4ss-w0rd', database: 'trades' } as const;

export interface ServerOptions {
  /** Lines of postgresql.conf. */
  readonly settings?: readonly string[];
  /** Files of the data folder, by name. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A new server with the role and the database of `login`; removed after the tests of the file. */
export async function startPostgres(options: ServerOptions = {}): Promise<PostgresServer> {
  const folder = folderForServers();
  runAs('initdb', ['-D', folder, '-U', 'postgres', '--auth-local=trust', '--no-sync']);
  writeFileSync(
    join(folder, 'pg_hba.conf'),
    'local all all trust\nlocal replication all trust\nhost all all 127.0.0.1/32 scram-sha-256\n',
  );
  for (const [name, text] of Object.entries(options.files ?? {})) {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    give(path);
  }
  const server = await PostgresServer.over(folder, options);
  await server.sql(`create role ${login.user} login password '${login.password}'`);
  await server.sql(`create database ${login.database} owner ${login.user}`);
  return server;
}

export class PostgresServer {
  readonly folder: string;
  readonly port: number;
  #process: ChildProcess | undefined;

  private constructor(folder: string, port: number) {
    this.folder = folder;
    this.port = port;
    afterEachFile(async () => {
      await this.stop();
      rmSync(folder, { recursive: true, force: true });
    });
  }

  /** Starts a server with the data in a folder. */
  static async over(
    folder: string,
    { settings = [] }: ServerOptions = {},
  ): Promise<PostgresServer> {
    const server = new PostgresServer(folder, await freePort());
    const lines = [
      `port = ${server.port}`,
      "listen_addresses = '127.0.0.1'",
      `unix_socket_directories = '${folder}'`,
      'fsync = on',
      'shared_buffers = 16MB',
      'dynamic_shared_memory_type = mmap', // in the data folder: a killed server leaves nothing else
      ...settings,
    ];
    appendFileSync(join(folder, 'postgresql.conf'), `\n${lines.join('\n')}\n`);
    await server.start();
    return server;
  }

  url(
    more: { readonly port?: number; readonly password?: string; readonly query?: string } = {},
  ): string {
    const { port = this.port, password = login.password, query = '' } = more;
    return `postgres://${login.user}:${password}@127.0.0.1:${port}/${login.database}${query}`;
  }

  /** As superuser. */
  async connect(database = 'postgres'): Promise<Client> {
    const client = new Client({ host: this.folder, port: this.port, user: 'postgres', database });
    client.on('error', () => undefined); // the server may be killed
    await client.connect();
    return client;
  }

  /** As superuser. */
  async sql(text: string, database?: string): Promise<readonly Record<string, unknown>[]> {
    const client = await this.connect(database);
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** After a kill it waits for the processes of the former server. */
  async start(): Promise<void> {
    for (;;) {
      const log = openSync(join(this.folder, 'log'), 'a');
      const started = spawn(binary('postgres'), ['-D', this.folder], {
        stdio: ['ignore', log, log],
        ...account(),
      });
      this.#process = started;
      while (started.exitCode === null && started.signalCode === null) {
        if (await this.#answers()) return;
        await systemClock.sleep(20);
      }
      if (!this.#log().includes('shared memory block')) {
        throw new Error(`postgres did not start:\n${this.#log()}`);
      }
    }
  }

  async stop(signal: 'SIGINT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, 'exit');
    running.kill(signal);
    await ended;
  }

  /** As a crash: nothing is written any more. */
  kill(): Promise<void> {
    return this.stop('SIGKILL');
  }

  async reload(): Promise<void> {
    await this.sql('select pg_reload_conf()');
  }

  /** A standby that follows it, with its own port. */
  async standby(): Promise<PostgresServer> {
    const folder = folderForServers();
    const from = ['-h', this.folder, '-p', String(this.port), '-U', 'postgres'];
    runAs('pg_basebackup', [
      ...from,
      '-D',
      folder,
      '-R',
      '-X',
      'stream',
      '-c',
      'fast',
      '--no-sync',
    ]);
    return PostgresServer.over(folder);
  }

  /** Waits until a standby has replayed everything. */
  async caughtUp(standby: PostgresServer): Promise<void> {
    const [here] = await this.sql('select pg_current_wal_lsn()::text as lsn');
    const text = `select pg_last_wal_replay_lsn() >= '${String(here?.['lsn'])}' as done`;
    while ((await standby.sql(text))[0]?.['done'] !== true) await systemClock.sleep(20);
  }

  /** A standby receives nothing any more. */
  async cut(): Promise<void> {
    await this.sql("alter system set primary_conninfo = ''");
    await this.reload();
    while ((await this.sql('select from pg_stat_wal_receiver')).length > 0) {
      await systemClock.sleep(20);
    }
  }

  async promote(): Promise<void> {
    await this.sql('select pg_promote()');
  }

  /** Copies its data, as a snapshot of a disk does; it must be stopped. */
  copyData(): string {
    const folder = folderForServers();
    execFileSync('cp', ['-a', `${this.folder}/.`, folder], account());
    return folder;
  }

  async #answers(): Promise<boolean> {
    try {
      await this.sql('select 1');
      return true;
    } catch {
      return false;
    }
  }

  #log(): string {
    return readFileSync(join(this.folder, 'log'), 'utf8').split('\n').slice(-20).join('\n');
  }
}

/** Not in the temporary folder of the tests, which only their user may enter. Short, for sockets. */
export function folderForServers(): string {
  const folder = mkdtempSync(join('/tmp', 'pg'));
  give(folder);
  return folder;
}

function give(path: string): void {
  const { uid, gid } = account();
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

/** Postgres refuses to run as root. */
export function account(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string): number =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

function runAs(program: string, words: readonly string[]): void {
  execFileSync(binary(program), words, { stdio: 'pipe', ...account() });
}

/** Debian keeps the programs of each version in a folder that shells do not search. */
export function binary(program: string): string {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root) : [];
  const found = versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(root, version, 'bin', program))
    .find(existsSync);
  return found ?? program;
}
