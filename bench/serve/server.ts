/** `deskhand serve` as a process of its own, and what it has used. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get as requestOf, type IncomingMessage } from 'node:http';
import process from 'node:process';
import { systemClock, type Millis } from '../../src/base/clock.ts';
import { cpuOfProcess } from '../processes/server-cpu.ts';
import type { Repository } from './folder.ts';

export interface Home {
  readonly all: number;
  readonly unread: number;
}

const pause: Millis = 50;

export class ServeProcess {
  readonly #child: ChildProcess;
  readonly #url: string;
  readonly #links: string[];
  /** What it wrote to stderr: warnings. */
  warnings = '';

  private constructor(child: ChildProcess, url: string, links: string[]) {
    this.#child = child;
    this.#url = url;
    this.#links = links;
    child.stderr?.on('data', (chunk) => (this.warnings += String(chunk)));
  }

  static start(launcher: string, repository: Repository): Promise<ServeProcess> {
    return ServeProcess.startWith([launcher, 'serve', '--port', '0', '--no-schedules'], repository);
  }

  /** @param words for Node; what it starts prints its links as the command does */
  static async startWith(
    words: readonly string[],
    { folder, env }: Repository,
  ): Promise<ServeProcess> {
    const child = spawn(process.execPath, words, {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const links: string[] = [];
    let said = '';
    await new Promise<void>((resolve, reject) => {
      child.stdout?.on('data', (chunk) => {
        said += String(chunk);
        links.splice(
          0,
          links.length,
          ...[...said.matchAll(/#token=(\S+)/g)].map(([, id]) => id ?? ''),
        );
        if (/on http:\/\/\S+;/.test(said)) resolve();
      });
      child.once('exit', () => reject(new Error(said)));
    });
    const [, url = ''] = /on (http:\/\/\S+);/.exec(said) ?? [];
    return new ServeProcess(child, url, links);
  }

  /** Sends a message, and returns its answer. */
  async ask(message: object): Promise<unknown> {
    const answer = once(this.#child, 'message');
    this.#child.send(message);
    return (await answer)[0];
  }

  get url(): string {
    return this.#url;
  }

  /** Seconds since it started. */
  get cpu(): number {
    return cpuOfProcess(this.#child.pid);
  }

  /** MB of memory. @param which now, or the most so far */
  memory(which: 'VmRSS' | 'VmHWM'): number {
    const text = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    return Number(new RegExp(`${which}:\\s+(\\d+) kB`).exec(text)?.[1] ?? NaN) / 1024;
  }

  /** The cookie of a new session. */
  async signIn(): Promise<string> {
    const before = this.#links.length;
    const response = await fetch(`${this.#url}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: this.#url },
      body: JSON.stringify({ token: this.#links.at(-1) }),
    });
    if (!response.ok) throw new Error(await response.text());
    while (this.#links.length === before) await systemClock.sleep(pause); // the next one is printed
    return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  }

  async home(cookie: string): Promise<Home> {
    return JSON.parse(await this.read('/api/v1/home', cookie)) as Home;
  }

  async read(path: string, cookie = ''): Promise<string> {
    const response = await fetch(this.#url + path, { headers: { cookie } });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text;
  }

  /** A stream of events. */
  async open(cookie: string): Promise<IncomingMessage> {
    const request = requestOf(`${this.#url}/api/v1/events`, { headers: { cookie }, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  }

  /** As Ctrl-C. */
  async end(): Promise<void> {
    this.#child.kill('SIGINT');
    await once(this.#child, 'exit');
  }
}
