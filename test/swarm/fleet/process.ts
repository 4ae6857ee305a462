/** A process of a fleet: it acts when it is its turn, and may die at any of its acts. */
import type { Millis } from '../../../src/base/clock.ts';
import type { Git } from '../../../src/stores/git/command.ts';
import type { CrashPoint } from '../../../src/rehearsal/simulation/crash-simulator.ts';
import { chanceOf, type Chance } from '../../../src/rehearsal/simulation/chance.ts';
import { nothing } from './nothing.ts';
import { system } from './system.ts';
import type { Turns } from './turns.ts';

/** Where processes run: a host or a container, as its kernel and its disk tell it from others. */
export interface Place {
  readonly name: string;
  /** The boot of the kernel under it. */
  kernel: string;
  /** Its namespace of process numbers, and that of its network. */
  readonly pids: string;
  readonly network: string;
  readonly host: string;
  /** Where the project and its state lie. */
  readonly folder: string;
  readonly git: Git;
}

export interface Birth {
  readonly machine: Place;
  readonly pid: number;
  /** The run it works on, by its place among those of the seed. */
  readonly run: number;
  readonly seed: number;
  readonly death?: CrashPoint | undefined;
  /** The act at which a person presses Ctrl-C. */
  readonly interruptedAt?: number | undefined;
}

export class Process {
  readonly machine: Place;
  readonly pid: number;
  /** The kernel's tick it was born at. */
  readonly born: number;
  /** Open files, and names the kernel keeps for it. */
  readonly files = new Set<number>();
  readonly names = new Set<string>();
  /** Called when a person presses Ctrl-C. */
  readonly interrupted = new Set<() => void>();
  readonly chance: Chance;
  readonly run: number;
  readonly #interruptedAt: number | undefined;
  readonly #death: CrashPoint | undefined;
  readonly #turns: Turns;
  readonly #gone: Promise<'died'>;
  #sayGone: () => void = () => undefined;
  #acts = 0;
  #isDead = false;

  constructor({ machine, pid, run, seed, death, interruptedAt }: Birth, turns: Turns) {
    this.machine = machine;
    this.pid = pid;
    this.born = turns.taken;
    this.chance = chanceOf(seed);
    this.run = run;
    this.#death = death;
    this.#interruptedAt = interruptedAt;
    this.#turns = turns;
    this.#gone = new Promise((resolve) => {
      this.#sayGone = () => resolve('died');
    });
  }

  get name(): string {
    return `${this.machine.name} ${this.pid}`;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  get acts(): number {
    return this.#acts;
  }

  /** Runs a program to its end, or to the death of the process. */
  async live<T>(program: () => Promise<T>): Promise<T | 'died'> {
    system.begins(this);
    try {
      const begun = this.#turns.take(this, 'begins').then(program);
      return await Promise.race([begun, this.#gone]);
    } finally {
      this.#isDead = true;
      this.#turns.forget(this);
      system.ends(this);
    }
  }

  /**
   * Does something others can see, when it is its turn. What is dead waits permanently.
   * @param lost what is gone with a process that dies before it
   */
  async act<T>(what: string, work: () => T | Promise<T>, lost?: () => void): Promise<T> {
    if (this.#isDead) return nothing();
    await this.#turns.take(this, what);
    this.#acts += 1;
    if (this.#acts === this.#interruptedAt) for (const tell of this.interrupted) tell();
    if (this.#diesAt('before')) {
      lost?.();
      return nothing();
    }
    try {
      return await work();
    } finally {
      if (this.#diesAt('after')) await nothing();
    }
  }

  async sleep(ms: Millis, signal?: AbortSignal): Promise<void> {
    if (this.#isDead) return nothing();
    await this.#turns.sleep(this, ms, signal);
  }

  timer(ms: Millis, go: () => void): () => void {
    return this.#isDead ? () => undefined : this.#turns.timer(this, ms, go);
  }

  randomBytes(size: number): Buffer {
    return Buffer.from(Array.from({ length: size }, () => this.chance.integer(256)));
  }

  /** It is killed, wherever it is. */
  kill(): void {
    this.#isDead = true;
    this.#turns.forget(this);
    this.#sayGone();
  }

  #diesAt(when: CrashPoint['when']): boolean {
    if (this.#death?.act === this.#acts && this.#death.when === when) this.kill();
    return this.#isDead;
  }
}
