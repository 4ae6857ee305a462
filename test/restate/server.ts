/** Real Restate servers of a test: on free ports of loopback, with a data folder each. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { systemClock } from '../../src/base/clock.ts';
import { freePort } from '../support/free-port.ts';
import { afterEachFile } from '../support/cleanup.ts';

export class RestateServer {
  readonly folder: string;
  readonly #ports: { readonly ingress: number; readonly admin: number; readonly node: number };
  #process: ChildProcess | undefined;

  private constructor(
    folder: string,
    ports: { readonly ingress: number; readonly admin: number; readonly node: number },
  ) {
    this.folder = folder;
    this.#ports = ports;
    afterEachFile(async () => {
      await this.kill();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    });
  }

  /** One server, which answers. */
  static async start(): Promise<RestateServer> {
    const server = await RestateServer.prepare('n1', []);
    await server.begin();
    await server.answers();
    return server;
  }

  /** Three nodes that know each other; each line is confirmed by two of them. */
  static async startCluster(): Promise<readonly [RestateServer, RestateServer, RestateServer]> {
    const nodes = [await freePort(), await freePort(), await freePort()];
    const addresses = nodes.map((port) => `"http://127.0.0.1:${port}/"`).join(', ');
    const prepare = (at: number): Promise<RestateServer> =>
      RestateServer.prepare(
        `n${at + 1}`,
        ['default-replication = 2', `auto-provision = ${at === 0}`],
        [`[metadata-client]\naddresses = [${addresses}]`],
        nodes[at],
      );
    const servers = [await prepare(0), await prepare(1), await prepare(2)] as const;
    for (const server of servers) await server.begin();
    for (const server of servers) await server.isMember(3);
    return servers;
  }

  /**
   * @param settings lines of its configuration, before the first table
   * @param tables lines after that
   */
  static async prepare(
    name: string,
    settings: readonly string[],
    tables: readonly string[] = [],
    nodePort?: number,
  ): Promise<RestateServer> {
    const [ingress, admin] = [await freePort(), await freePort()];
    const node = nodePort ?? (await freePort());
    const folder = mkdtempSync(join(tmpdir(), `restate-${name}-`));
    const lines = [
      `node-name = "${name}"`,
      `base-dir = "${join(folder, 'data')}"`,
      `bind-address = "127.0.0.1:${node}"`,
      `advertised-address = "http://127.0.0.1:${node}/"`,
      'listen-mode = "tcp"',
      'disable-telemetry = true',
      'default-num-partitions = 4',
      'rocksdb-total-memory-size = "128 MiB"',
      'log-filter = "warn"',
      'log-disable-ansi-codes = true',
      ...settings,
      `[ingress]\nbind-address = "127.0.0.1:${ingress}"`,
      `[admin]\nbind-address = "127.0.0.1:${admin}"\ndisable-web-ui = true`,
      ...tables,
    ];
    writeFileSync(join(folder, 'restate.toml'), `${lines.join('\n')}\n`);
    return new RestateServer(folder, { ingress, admin, node });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#ports.ingress}`;
  }

  get admin(): string {
    return `http://127.0.0.1:${this.#ports.admin}`;
  }

  /** For the other nodes. */
  get nodeUrl(): string {
    return `http://127.0.0.1:${this.#ports.node}/`;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Suspends the process; it is over when all of its threads have stopped. @returns what continues it */
  async suspend(): Promise<() => void> {
    const { pid } = this;
    if (pid === undefined) throw new Error('the server has no process');
    process.kill(pid, 'SIGSTOP');
    const stats = (): readonly string[] =>
      readdirSync(`/proc/${pid}/task`).map((id) =>
        readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8'),
      );
    // After the name, which is in parentheses.
    while (!stats().every((stat) => stat.slice(stat.lastIndexOf(')')).startsWith(') T'))) {
      await systemClock.sleep(1);
    }
    return () => process.kill(pid, 'SIGCONT');
  }

  /** Starts the process, also after a kill. */
  async begin(): Promise<void> {
    const log = openSync(join(this.folder, 'log'), 'a');
    this.#process = spawn(program(), ['--no-logo', '-c', join(this.folder, 'restate.toml')], {
      stdio: ['ignore', log, log],
    });
  }

  /** Waits until it answers as one of so many nodes. */
  async isMember(nodes: number): Promise<void> {
    for (;;) {
      await this.answers();
      const health = await fetch(`${this.admin}/cluster-health`).catch(() => undefined);
      const text = (await health?.text()) ?? '';
      if (health?.ok === true && text.split('"members":[')[1]?.split(',').length === nodes) return;
      await systemClock.sleep(50);
    }
  }

  /** @throws Error when its process ends */
  async answers(): Promise<void> {
    while (this.#process?.exitCode === null && this.#process.signalCode === null) {
      const health = await fetch(`${this.admin}/health`).catch(() => undefined);
      if (health?.ok === true) return;
      await systemClock.sleep(50);
    }
    throw new Error(
      `restate-server did not start:\n${readFileSync(join(this.folder, 'log'), 'utf8')}`,
    );
  }

  /** As a crash: nothing is written any more. */
  async kill(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, 'exit');
    running.kill('SIGKILL');
    await ended;
  }
}

function program(): string {
  const { resolve } = createRequire(import.meta.url);
  const name = `@restatedev/restate-server-${process.platform}-${process.arch}`;
  return join(dirname(resolve(`${name}/package.json`)), 'bin', 'restate-server');
}
