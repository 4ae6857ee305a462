/** An operating system in memory: what a program asks of Node, answered by the process that acts. */
import childProcess from 'node:child_process';
import crypto from 'node:crypto';
import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import process from 'node:process';
import { GitError } from '../../../src/stores/git/command.ts';
import type { Place, Process } from './process.ts';
import { callsOf, filesOf } from './files.ts';
import { procOf, systemError } from './proc.ts';

const home = process.cwd();

/** The processes of a seed; one acts at a time, and everything asked of Node is asked by it. */
export class System {
  #current: Process | undefined;
  readonly #alive = new Set<Process>();
  readonly #born = new Set<Process>();

  /** Whoever acts now; undefined between seeds. */
  get acting(): Process | undefined {
    return this.#current;
  }

  get current(): Process {
    if (this.#current === undefined) throw new Error('nobody acts');
    return this.#current;
  }

  acts(one: Process): void {
    if (this.#current?.machine !== one.machine) process.chdir(one.machine.folder);
    this.#current = one;
  }

  begins(one: Process): void {
    this.#alive.add(one);
    this.#born.add(one);
  }

  ends(one: Process): void {
    this.#alive.delete(one);
  }

  /** No one acts: what is done now is done by whoever plays. */
  rests(): void {
    this.#current = undefined;
    process.chdir(home);
  }

  /** Whose open file it is. */
  ownerOf(file: number): Process | undefined {
    return [...this.#born].find((one) => one.files.has(file));
  }

  /** The power of a machine goes. */
  killAll(machine: Place): void {
    for (const one of this.#alive) if (one.machine === machine) one.kill();
  }

  /** Who has a number, as seen by the process that asks: those of other namespaces are not there. */
  numbered(pid: number): Process | undefined {
    const { machine } = this.current;
    return [...this.#alive].find(
      (one) =>
        one.pid === pid &&
        one.machine.kernel === machine.kernel &&
        one.machine.pids === machine.pids,
    );
  }

  /** Who holds a name of the kernel; names belong to a network namespace. */
  holderOf(name: string): Process | undefined {
    const { machine } = this.current;
    return [...this.#alive].find(
      (one) =>
        one.machine.kernel === machine.kernel &&
        one.machine.network === machine.network &&
        one.names.has(name),
    );
  }

  /** No one acts, and nothing is left of those who did. */
  reset(): void {
    this.#alive.clear();
    // Not before: a number that is free again would be another's file.
    for (const file of [...this.#born].flatMap(({ files }) => [...files])) fs.closeSync(file);
    this.#born.clear();
    this.rests();
  }

  /** Puts the system in Node's place, for as long as this process lives. */
  install(): void {
    const { hostname } = os;
    const { randomBytes } = crypto;
    const { pid } = process;
    Object.assign(fs.promises, filesOf(this));
    Object.assign(fs, procOf(this), callsOf(this));
    Object.assign(os, { hostname: () => this.#current?.machine.host ?? hostname() });
    Object.assign(crypto, {
      randomBytes: (size: number) => this.#current?.randomBytes(size) ?? randomBytes(size),
    });
    Object.assign(childProcess, { spawn: spawnOf(this) });
    Object.assign(net, { createServer: () => new NameServer(this) });
    Object.defineProperty(process, 'pid', { get: () => this.#current?.pid ?? pid });
    Object.assign(process, {
      kill: (number: number) => this.#signal(number),
      ...withoutSignals(process, this),
    });
    Object.assign(globalThis, timersOf(this));
    syncBuiltinESMExports();
  }

  #signal(pid: number): true {
    if (this.numbered(pid) === undefined) throw systemError('ESRCH', 'kill');
    return true;
  }
}

/** Timers of a process run by the time of its world; those of no one by the real one. */
function timersOf(system: System): object {
  const { setTimeout: realSet, clearTimeout: realClear } = globalThis;
  return {
    setTimeout: (go: () => void, ms = 0, ...given: readonly []) => {
      if (system.acting === undefined) return realSet(go, ms, ...given);
      const timer = { off: system.acting.timer(ms, go), unref: () => timer, ref: () => timer };
      return timer;
    },
    clearTimeout: (timer: Parameters<typeof realClear>[0] | { readonly off: () => void }) => {
      if (typeof timer === 'object' && 'off' in timer) timer.off();
      else realClear(timer);
    },
  };
}

/** Signals go to the process that listens for them; everything else to the real one. */
function withoutSignals(real: NodeJS.Process, system: System): object {
  const [on, off] = [real.on.bind(real), real.off.bind(real)];
  const listening =
    (kept: typeof on, own: (listener: Listener) => void) =>
    (name: string, listener: Listener): NodeJS.Process => {
      if (!name.startsWith('SIG')) kept(name, listener);
      else if (name === 'SIGINT') own(listener);
      return real;
    };
  return {
    on: listening(on, (listener) => system.acting?.interrupted.add(interrupting(listener))),
    off: listening(off, () => system.acting?.interrupted.clear()),
  };
}

type Listener = (...given: readonly unknown[]) => void;

const interrupting = (listener: Listener) => () => listener('SIGINT');

/** A server of a name that the kernel keeps for a process: it dies with it. */
class NameServer extends EventEmitter {
  readonly #system: System;
  #name: string | undefined;

  constructor(system: System) {
    super();
    this.#system = system;
  }

  unref(): this {
    return this;
  }

  listen(name: string, done: () => void): this {
    if (this.#system.holderOf(name) !== undefined) {
      queueMicrotask(() => this.emit('error', systemError('EADDRINUSE', 'listen')));
      return this;
    }
    this.#name = name;
    this.#system.current.names.add(name);
    queueMicrotask(done);
    return this;
  }

  close(done: () => void = () => undefined): this {
    if (this.#name !== undefined) this.#system.current.names.delete(this.#name);
    queueMicrotask(done);
    return this;
  }
}

/** Programs: `git` alone, as the machine's clone answers it. */
function spawnOf(system: System) {
  return (program: string, words: readonly string[]): EventEmitter => {
    const { git } = system.current.machine;
    const child = new EventEmitter();
    const [stdout, stderr] = [new Stream(), new Stream()];
    const end = (input: string): void => {
      const output = program === 'git' ? git(withoutSettings(words), input) : Promise.reject();
      void output.then(
        (out) => {
          stdout.emit('data', out);
          child.emit('close', 0);
        },
        (error: unknown) => {
          stderr.emit('data', Buffer.from(error instanceof GitError ? error.said : String(error)));
          child.emit('close', 128);
        },
      );
    };
    return Object.assign(child, { stdout, stderr, stdin: { on: () => undefined, end } });
  };
}

class Stream extends EventEmitter {
  destroy(): void {
    this.removeAllListeners();
  }
}

function withoutSettings(words: readonly string[]): readonly string[] {
  const [first, , ...rest] = words;
  return first === '-c' ? withoutSettings(rest) : words;
}

/** Installed when it is imported: before anything of ours keeps a function of Node's. */
export const system = new System();
system.install();
