/** A person's folder: the files of a job, and the command lines typed there, in this process. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { PassThrough, Writable } from 'node:stream';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { minute, type Clock, type Millis } from '../../src/base/clock.ts';
import type { Transport } from '../../src/exchange/api/exchange.ts';
import type { Context } from '../../src/cli/context.ts';
import { executeLine } from '../../src/cli/main.ts';
import { terminalOver } from '../../src/report/terminal/terminal.ts';
import { answerAll } from './approver.ts';
import { copyOf, joinHub, newHub } from './hub.ts';
import type { DeskAccount, KeyParts, Stage } from './stage.ts';

/** What a process listens for; a dead one no longer does. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Typed {
  readonly words: readonly string[];
  readonly code: number | 'died';
  readonly out: string;
  readonly err: string;
}

export interface DeskParts {
  readonly stage: Stage;
  readonly files: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  /** What moves the world at each request. */
  readonly wrap: (transport: Transport) => Transport;
  /** The state that it shares with other desks; each of its questions is an act, of which one may be the last. */
  readonly shared?: (stateDir: string, ask: Ask) => Pick<Context, 'store' | 'jobs'>;
  /** Real milliseconds of each sleep, for commands that poll while they work; default: none. */
  readonly pollMs?: Millis;
  /** Whether its state is in a repository that other machines share: after a death another one goes on. */
  readonly isShared: boolean;
}

/** Asks a question of the shared state; a dead process gets no answer. */
export type Ask = <T>(question: () => Promise<T>) => Promise<T>;

/** The moment of a death, counted in acts: requests, before and after the exchange, and lines of output. */
export type Death = number | undefined;

/** A process that is suspended for a while, such as by a virtual machine, a debugger or a closed lid. */
export interface Suspension {
  /** Counted in acts, as a death. */
  readonly at: number;
  /** What happens until it goes on. */
  readonly meanwhile: () => Promise<void>;
}

export class Desk {
  #folder: string;
  readonly #stage: Stage;
  readonly #env: Record<string, string>;
  readonly #wrap: DeskParts['wrap'];
  readonly #shared: DeskParts['shared'];
  readonly #pollMs: Millis | undefined;
  readonly #left: string[] = [];
  /** A folder with the one program of the jobs, and git. */
  readonly #programs = mkdtempSync(join(tmpdir(), 'bin-'));
  readonly #files: DeskParts['files'];
  /** The repository that its machines share. */
  #hub: string | undefined;
  /** Acts of the last command. */
  acts = 0;

  constructor({ stage, files, env, wrap, shared, pollMs, isShared }: DeskParts) {
    this.#folder = mkdtempSync(join(tmpdir(), 'job-'));
    this.#files = files;
    symlinkSync('/bin/echo', join(this.#programs, 'echo'));
    this.#stage = stage;
    this.#wrap = wrap;
    this.#shared = shared;
    this.#pollMs = pollMs;
    this.#env = { ...env };
    for (const account of stage.accounts) this.useKey(account.name, account);
    this.#writeJob();
    if (!isShared) return;
    symlinkSync('/usr/bin/git', join(this.#programs, 'git'));
    this.#hub = newHub();
    joinHub(this.#folder, this.#hub);
  }

  get folder(): string {
    return this.#folder;
  }

  /** The environment names this key for a profile from now on. */
  useKey(name: string, { apiKey, secretKey, passphrase }: KeyParts | DeskAccount): void {
    const prefix = name.toUpperCase();
    Object.assign(this.#env, {
      [`${prefix}_API_KEY`]: apiKey,
      [`${prefix}_API_SECRET`]: secretKey,
      [`${prefix}_API_PASSPHRASE`]: passphrase,
    });
  }

  write(name: string, text: string): void {
    const path = join(this.#folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  read(name: string): string {
    return readFileSync(join(this.#folder, name), 'utf8');
  }

  /** Files below `out`, hidden ones too, with their content. */
  outputs(): Readonly<Record<string, string>> {
    return filesBelow(join(this.#folder, 'out'));
  }

  /** Runs, oldest first. */
  runs(): readonly string[] {
    return namesIn(join(this.#folder, '.deskhand', 'runs'));
  }

  /**
   * Executes one command line to its end, or to the death of its process. Never two at a time, but
   * while one is suspended.
   */
  async type(words: readonly string[], death?: Death, suspension?: Suspension): Promise<Typed> {
    const life = new Life(death, suspension?.at);
    const [stdout, stderr] = [new Page(() => life.act()), new Page(() => life.act())];
    const terminal = terminalOver({
      stdin: () => new PassThrough().end(),
      stdout: stdout.stream,
      stderr: stderr.stream,
      env: {
        PATH: this.#programs,
        HOME: this.#folder,
        TMPDIR: tmpdir(),
        XDG_CONFIG_HOME: join(this.#folder, '.config'),
        GIT_CONFIG_GLOBAL: '/dev/null',
        LANG: 'C.UTF-8',
        ...this.#env,
      },
      wantsColour: false,
      wantsInput: false,
    });
    const before = process.cwd();
    const listeners = signals.map((signal) => process.listeners(signal));
    process.chdir(this.#folder);
    let copy: string | undefined;
    life.onDeath = () => (copy = this.#copied());
    try {
      const isAsked = (): boolean => / waits for an approval until /.test(stderr.text());
      let answered = Promise.resolve(); // one person answers, also while several steps sleep
      life.beforeSleep = () => {
        answered = answered.then(async () => {
          if (isAsked()) await answerAll(join(this.#folder, '.deskhand'), this.#stage.clock.now());
        });
        return answered;
      };
      const clock = life.clock(this.#stage.clock, this.#pollMs);
      const transport = life.wire(this.#wrap(this.#stage.sandbox.transport));
      const reach = async () => ({ transport, close: async () => undefined });
      const ask: Ask = (question) => life.ask(question);
      const state = this.#shared?.(join(this.#folder, '.deskhand'), ask);
      const typing = executeLine(words, { terminal, clock, reach, ...state });
      if (suspension && (await Promise.race([typing, life.suspended])) === 'suspended') {
        process.chdir(before);
        await suspension.meanwhile();
        process.chdir(this.#folder);
        life.goOn();
      }
      const code = await Promise.race([typing, life.death]);
      if (code === 'died') for (let turn = 0; turn < 20; turn++) await setImmediate();
      return { words, code, out: stdout.text(), err: stderr.text() };
    } finally {
      this.acts = life.acts;
      process.chdir(before);
      for (const [at, signal] of signals.entries()) {
        for (const listener of process.listeners(signal)) {
          if (!listeners[at]?.includes(listener)) process.off(signal, listener);
        }
      }
      if (copy !== undefined) this.#moveTo(copy);
    }
  }

  /** Time passes, for the exchange too. */
  async wait(ms: Millis): Promise<void> {
    await this.#stage.clock.sleep(ms);
  }

  /** Works in a copy of the folder, which is gone afterwards. */
  async apart<T>(work: () => Promise<T>): Promise<T> {
    const kept = this.#folder;
    const copy = mkdtempSync(join(tmpdir(), 'job-'));
    cpSync(kept, copy, { recursive: true, verbatimSymlinks: true });
    this.#folder = copy;
    try {
      return await work();
    } finally {
      this.#folder = kept;
      rmSync(copy, { recursive: true, force: true });
    }
  }

  close(): void {
    const hubs = this.#hub === undefined ? [] : [this.#hub];
    for (const folder of [this.#folder, this.#programs, ...this.#left, ...hubs])
      rmSync(folder, { recursive: true, force: true });
  }

  #writeJob(): void {
    for (const [name, text] of Object.entries(this.#files)) this.write(name, text);
  }

  /** Another machine, which has what was pushed until this moment. */
  #elsewhere(hub: string): string {
    const [machine, copy] = [mkdtempSync(join(tmpdir(), 'job-')), copyOf(hub)];
    joinHub(machine, copy);
    this.#left.push(hub);
    this.#hub = copy;
    return machine;
  }

  /** Its disk at this moment, as the next process finds it: the process that held its locks is gone. */
  #copied(): string {
    if (this.#hub !== undefined) return this.#elsewhere(this.#hub);
    const copy = mkdtempSync(join(tmpdir(), 'job-'));
    cpSync(this.#folder, copy, { recursive: true, verbatimSymlinks: true });
    const locks = join(copy, '.deskhand', 'locks');
    for (const name of namesIn(locks)) rmSync(join(locks, name), { recursive: true });
    const out = join(copy, 'out');
    for (const name of namesIn(out)) if (/^\..*\.lock\b/.test(name)) rmSync(join(out, name));
    return copy;
  }

  #moveTo(folder: string): void {
    this.#left.push(this.#folder);
    this.#folder = folder;
    if (this.#hub !== undefined) this.#writeJob();
  }
}

/** A process as its acts, of which one may be its last, and one the last for a while. */
class Life {
  acts = 0;
  onDeath: () => void = () => undefined;
  /** What people do while a command waits. */
  beforeSleep: () => Promise<void> = () => Promise.resolve();
  readonly death: Promise<'died'>;
  readonly suspended: Promise<'suspended'>;
  readonly #at: Death;
  readonly #suspendedAt: number | undefined;
  #isDead = false;
  #die: () => void = () => undefined;
  #suspend: () => void = () => undefined;
  #pause: Promise<void> = Promise.resolve();
  goOn: () => void = () => undefined;

  constructor(at: Death, suspendedAt?: number) {
    this.#at = at;
    this.#suspendedAt = suspendedAt;
    this.death = new Promise((resolve) => {
      this.#die = () => resolve('died');
    });
    this.suspended = new Promise((resolve) => {
      this.#suspend = () => resolve('suspended');
    });
  }

  /** @returns whether the process lives on */
  act(): boolean {
    if (this.#isDead) return false;
    this.acts += 1;
    if (this.acts === this.#suspendedAt) {
      this.#pause = new Promise((resolve) => (this.goOn = resolve));
      void begunIsDone().then(this.#suspend);
    }
    if (this.acts !== this.#at) return true;
    this.#isDead = true;
    this.onDeath();
    this.#die();
    return false;
  }

  /** An act that a suspension holds up. */
  async #reached(): Promise<boolean> {
    const lives = this.act();
    await this.#pause;
    return lives;
  }

  async ask<T>(question: () => Promise<T>): Promise<T> {
    if (!(await this.#reached())) return nothing();
    const answer = await question();
    return (await this.#reached()) ? answer : nothing();
  }

  wire(transport: Transport): Transport {
    return async (request, signal) => {
      if (!(await this.#reached())) return nothing();
      const response = await transport(request, signal);
      return (await this.#reached()) ? response : nothing();
    };
  }

  clock(world: Clock, pollMs?: Millis): Clock {
    return {
      now: () => world.now(),
      monotonic: () => world.monotonic(),
      sleep: async (ms, signal) => {
        if (pollMs !== undefined) await setTimeout(pollMs);
        await this.#pause;
        if (!this.#isDead) await this.beforeSleep();
        const isBeat = ms === beat && signal !== undefined;
        return this.#isDead || isBeat ? nothing(signal) : world.sleep(ms, signal);
      },
    };
  }
}

/**
 * Waits for what was begun before a suspension, such as a line written to a file, or a notification.
 * Turns of the event loop, too: on a machine under load some time alone may have few of them.
 */
async function begunIsDone(): Promise<void> {
  await setTimeout(suspendedAfter);
  for (let turn = 0; turn < suspendedTurns; turn++) await setImmediate();
}

const suspendedAfter: Millis = 30;
const suspendedTurns = 200;

/** Between two lines that only say that the run goes on: a command would print them without end, as nothing takes time. */
const beat: Millis = minute;

/** What never happens, unless it is called off. */
function nothing(signal?: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** What a command printed; each line is an act of its process. */
class Page {
  readonly stream: Writable;
  readonly #parts: string[] = [];

  constructor(onPart: () => unknown) {
    this.stream = new Writable({
      decodeStrings: false,
      write: (part, _encoding, done) => {
        this.#parts.push(String(part));
        onPart();
        done();
      },
    });
  }

  text(): string {
    return this.#parts.join('');
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

function filesBelow(folder: string): Readonly<Record<string, string>> {
  const names =
    namesIn(folder).length === 0
      ? []
      : readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    names
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  );
}
