/** A machine as real processes: a folder, a clock, and a relay between it and the database. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { systemClock, type Millis } from '../../src/base/clock.ts';
import { Relay } from './relay.ts';
import type { PostgresServer } from './server.ts';

/** The sandbox that all machines use, and the program that they start. */
export interface Site<Server extends MachineServer = PostgresServer> {
  readonly folder: string;
  readonly launcher: string;
  readonly server: Server;
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly uid: string;
  /** The keys of the account. */
  readonly env: NodeJS.ProcessEnv;
  /** Of a run; default: one that a test waits for. */
  readonly lease?: string;
  /** Settings of `state` besides `url` and `lease`; default: those of Postgres. */
  readonly store?: string;
  /** What a process that is hurried waits between two lookups; default: nothing. */
  readonly hurryPauseMs?: Millis;
}

/** What keeps the runs: its port, which a relay stands before, and its address at that of the relay. */
export interface MachineServer {
  readonly port: number;
  url(more: { readonly port: number }): string;
}

/** Of a command; undefined when it was killed. */
export interface End {
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process of a machine. */
export interface Life {
  readonly child: ChildProcess;
  readonly end: Promise<End>;
}

const retry: Millis = 200; // pause between two attempts to take a run

/** @returns undefined when it lives longer */
export async function endWithin(life: Life, ms: Millis): Promise<End | undefined> {
  const calm = new AbortController();
  const late = systemClock.sleep(ms, calm.signal).catch(() => undefined);
  const end = await Promise.race([life.end, late]);
  calm.abort();
  return end ?? undefined;
}

/** A process that was killed after its last line leaves nothing to resume. */
export function isDone({ code, stderr }: End): boolean {
  return code === 0 || stderr.includes('nothing to resume');
}

/** Held by another, stopped by the database, or in doubt because it was stopped. @throws Error */
export function refuseUnexpected({ code, stdout, stderr }: End): void {
  if (code === undefined || code === 5 || code === 6) return;
  throw new Error(`a process ended with ${code}: ${stdout}${stderr}`);
}

export class Machine {
  relay: Relay;
  readonly folder: string;
  readonly #site: Site<MachineServer>;
  readonly #aheadMs: Millis;

  private constructor(site: Site<MachineServer>, folder: string, relay: Relay, aheadMs: Millis) {
    this.#site = site;
    this.folder = folder;
    this.relay = relay;
    this.#aheadMs = aheadMs;
  }

  /** @param aheadMs of its clock */
  static async open(
    site: Site<MachineServer>,
    name: string,
    playbook: string,
    aheadMs: Millis,
  ): Promise<Machine> {
    const folder = join(site.folder, name);
    mkdirSync(folder);
    writeFileSync(join(folder, 'ladder.yaml'), playbook);
    writeFileSync(join(folder, 'deskhand.yaml'), configuration(site));
    return new Machine(site, folder, await Relay.to(site.server.port), aheadMs);
  }

  /** @param isHurried the exchange's clock advances instead of its own between two lookups */
  begin(words: readonly string[], isHurried = false): Life {
    const { launcher, server, env, baseUrl, controlUrl, hurryPauseMs = 0 } = this.#site;
    const preloads = ['shifted', 'sent', ...(isHurried ? ['hurried'] : [])];
    const child = spawn(process.execPath, [launcher, ...words], {
      cwd: this.folder,
      env: {
        ...env,
        DESK_DATABASE: server.url({ port: this.relay.port }),
        HOME: this.folder,
        XDG_CONFIG_HOME: this.folder,
        NODE_OPTIONS: preloads.map((name) => `--import=${preload(name)}`).join(' '),
        CLOCK_AHEAD_MS: String(this.#aheadMs),
        SENT_PORT: new URL(baseUrl).port,
        SENT_FILE: this.#sentFile,
        HURRY_CONTROL: controlUrl,
        HURRY_MS: '3000',
        HURRY_PAUSE_MS: String(hurryPauseMs),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return { child, end: endOf(child) };
  }

  /**
   * Resumes a run again and again, until the process has it and has sent something, or has ended.
   * @throws Error when it ends for another reason than that the run is held
   */
  async takeOver(run: string): Promise<Life> {
    for (;;) {
      const life = this.begin(['resume', run]);
      let end: End | undefined;
      while (end === undefined && this.sentBy(life).length === 0) end = await endWithin(life, 20);
      if (end === undefined || isDone(end)) return life;
      refuseUnexpected(end);
      await systemClock.sleep(retry);
    }
  }

  /**
   * Resumes a run to its end, once nobody has a claim on it; its earlier processes must be dead.
   * @returns the end of the last attempt
   */
  async finish(run: string): Promise<End> {
    for (;;) {
      const end = await this.begin(['resume', run], true).end;
      if (end.code !== 5 || !end.stderr.includes('has a claim on')) return end;
      await systemClock.sleep(retry);
    }
  }

  /** @throws Error when it ends before */
  async untilSent(life: Life, count: number): Promise<void> {
    while (this.sentBy(life).length < count) {
      const end = await endWithin(life, 5);
      if (end !== undefined) throw new Error(`it ended with ${end.code}: ${end.stderr}`);
    }
  }

  /** Ids of the runs in its state folder. */
  runs(): readonly string[] {
    const folder = join(this.folder, '.deskhand', 'runs');
    return existsSync(folder) ? readdirSync(folder) : [];
  }

  /** The clientOids of orders that a process sent, in order. */
  sentBy({ child }: Life): readonly string[] {
    const lines = existsSync(this.#sentFile) ? readFileSync(this.#sentFile, 'utf8') : '';
    const mark = `${child.pid} `;
    return lines
      .split('\n')
      .filter((line) => line.startsWith(mark))
      .map((line) => line.slice(mark.length));
  }

  /** Its variable now names another database. */
  async useDatabase({ port }: MachineServer): Promise<void> {
    await this.relay.close();
    this.relay = await Relay.to(port);
  }

  close(): Promise<void> {
    return this.relay.close();
  }

  get #sentFile(): string {
    return join(this.folder, 'sent');
  }
}

async function endOf(child: ChildProcess): Promise<End> {
  const exit = once(child, 'exit');
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => stream && text(stream));
  const [code] = (await exit) as [number | null];
  return { code: code ?? undefined, stdout: (await stdout) ?? '', stderr: (await stderr) ?? '' };
}

const preload = (name: string): string =>
  pathToFileURL(join(import.meta.dirname, '..', 'support', `${name}.mjs`)).href;

function configuration(site: Site<MachineServer>): string {
  const { baseUrl, lease = '5s', store = 'store: postgres' } = site;
  return `profile: main
profiles:
  main: { target: sandbox, base-url: "${baseUrl}", on-doubt: resend }
state: { ${store}, url: { env: DESK_DATABASE }, lease: ${lease} }
`;
}
